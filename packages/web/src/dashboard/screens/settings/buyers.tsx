import { Alert, Group, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { getSettings, putSettings } from '../../../client/sdk.gen.ts';
import type { Settings } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';

/** The dialog is loaded on first use, because few people turn this setting on. */
const ForgetDialog = lazy(() =>
  import('./forget-dialog.tsx').then((found) => ({ default: found.ForgetDialog })),
);

export function Buyers({ settings }: { settings: Settings }) {
  const { may } = usePublisher();
  return (
    <Section
      title={t('Buyer data')}
      about={t(
        'Purchases include the buyer’s ID and name, as sent by your back end. You can remove them after some days. Purchases, shares, and totals stay.',
      )}
    >
      {may('team') ? (
        <Form settings={settings} />
      ) : (
        <Facts facts={[[t('Remove buyer data'), daysText(settings.forgetBuyersAfterDays)]]} />
      )}
    </Section>
  );
}

const daysText = (days: number | null): string =>
  days === null ? t('Never') : t('{days, plural, one {After # day} other {After # days}}', { days });

const [minDays, maxDays, defaultDays] = [7, 3_650, 365];
const bounds = { min: BigInt(minDays), max: BigInt(maxDays) };

function Form({ settings }: { settings: Settings }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  /** Number of days to confirm; null while the dialog is closed. */
  const [asked, setAsked] = useState<number | null>(null);
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: settings,
    fieldsOf: ({ forgetBuyersAfterDays: days }) => ({
      isOn: days !== null,
      typed: String(days ?? defaultDays),
    }),
    describe({ isOn, typed }) {
      const { value } = readWhole(typed, bounds);
      return [
        [t('Remove buyer data'), isOn && value === null ? typed : daysText(isOn ? Number(value) : null)],
      ];
    },
    read({ isOn, typed }) {
      if (!isOn) return { days: null };
      const { value } = readWhole(typed, bounds);
      return value === null ? null : { days: Number(value) };
    },
    async save({ days }, { version, name }) {
      const body = { version, name, forgetBuyersAfterDays: days };
      return (await putSettings({ path, body, throwOnError: true })).data;
    },
    readAgain: async () => (await getSettings({ path, throwOnError: true })).data,
    async onSaved({ forgetBuyersAfterDays: days }) {
      await refresh(queryClient, 'getSettings', 'listEditsSinceFile');
      toast(
        days === null
          ? t('Buyer data will no longer be removed')
          : t('Buyer data will be removed after {days, plural, one {# day} other {# days}}', { days }),
      );
    },
  });
  const { fields, input, base, change } = edit;
  const before = base.forgetBuyersAfterDays;
  const isAtOnce = input === null || input.days === null || (before !== null && input.days >= before);
  return (
    <>
      <VersionedForm edit={edit} {...(!isAtOnce && { onSubmit: () => setAsked(input.days) })}>
        {settings.provenance?.file && (
          <Alert color="accent" icon={<Icon name="info" />}>
            {t(
              'The program file {file} sets values for this publisher. Applying it again undoes your changes to those values.',
              { file: settings.provenance.file.file },
            )}
          </Alert>
        )}
        <Switch
          label={t('Remove buyer data')}
          description={t('Removes buyers’ IDs and names here, in the API, and in every export.')}
          checked={fields.isOn}
          onChange={({ currentTarget: { checked } }) => change({ isOn: checked })}
        />
        {fields.isOn && (
          <WholeInput
            label={t('Days')}
            description={t('Days after the purchase is recorded, {minDays} to {maxDays}.', {
              minDays,
              maxDays,
            })}
            value={fields.typed}
            bounds={bounds}
            maw={420}
            onChange={(typed) => change({ typed })}
          />
        )}
        <Group>
          <SaveButton edit={edit} disabled={input === null || input.days === before} />
        </Group>
      </VersionedForm>
      {/* Outside the form, because submitting the dialog would also submit the surrounding form. */}
      {asked !== null && (
        <Suspense>
          <ForgetDialog days={asked} onClose={() => setAsked(null)} onConfirm={edit.save} />
        </Suspense>
      )}
    </>
  );
}
