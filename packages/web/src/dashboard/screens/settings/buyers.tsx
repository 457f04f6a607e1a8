import { Alert, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getSettings, putSettings } from '../../../client/sdk.gen.ts';
import type { Settings } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { typedCount } from '../../../ui/typed-total.tsx';
import { usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';
import { type Confirmation, VersionedForm } from './versioned-form.tsx';

/** Setting for how long the buyers of purchases are stored. */
export function Buyers({ settings }: { settings: Settings }) {
  const { may } = usePublisher();
  return (
    <Section
      title={t('Buyers')}
      about={t(
        'Each purchase stores the buyer’s ID and name sent by your back end. You can have them removed after a number of days. Purchases, shares and totals stay.',
      )}
    >
      {may('team') ? (
        <Form settings={settings} />
      ) : (
        <Facts facts={[[t('Buyers are forgotten'), daysText(settings.forgetBuyersAfterDays)]]} />
      )}
    </Section>
  );
}

const daysText = (days: number | null): string =>
  days === null ? t('never') : t('{days, plural, one {after # day} other {after # days}}', { days });

const [minDays, maxDays, defaultDays] = [7, 3_650, 365];
const bounds = { min: BigInt(minDays), max: BigInt(maxDays) };

function Form({ settings }: { settings: Settings }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const before = settings.forgetBuyersAfterDays;
  const [isOn, setOn] = useState(before !== null);
  const [typed, setTyped] = useState(String(before ?? defaultDays));
  const read = readWhole(typed, bounds).value;
  const days = isOn && read !== null ? Number(read) : null;
  const isValid = !isOn || read !== null;
  return (
    <VersionedForm
      thing={settings}
      isChanged={isValid && days !== before}
      confirmation={
        isValid && days !== null && (before === null || days < before) ? forgetConfirmation(days) : null
      }
      save={(version, { name }) =>
        putSettings({
          path: { publisherId },
          body: { version, name, forgetBuyersAfterDays: days },
          throwOnError: true,
        })
      }
      readAgain={async () => (await getSettings({ path: { publisherId }, throwOnError: true })).data}
      summary={({ name, forgetBuyersAfterDays }) => (
        <Facts
          facts={[
            [t('Name'), name],
            [t('Buyers are forgotten'), daysText(forgetBuyersAfterDays)],
          ]}
        />
      )}
      onSaved={async () => {
        await refresh(queryClient, 'getSettings');
        await refresh(queryClient, 'listEditsSinceFile');
      }}
    >
      <Stack gap="md">
        {settings.provenance?.file && (
          <Alert color="yellow" icon={<Icon name="info" />}>
            {t(
              'The program file {file} sets values for this publisher. Applying it again undoes your changes to them.',
              { file: settings.provenance.file.file },
            )}
          </Alert>
        )}
        <Switch
          label={t('Forget buyers')}
          description={t('Removes IDs and names here, in the API and in every export.')}
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => setOn(checked)}
        />
        {isOn && (
          <WholeInput
            label={t('Days')}
            description={t('Days after a purchase was recorded, {minDays} to {maxDays}.', {
              minDays,
              maxDays,
            })}
            value={typed}
            bounds={bounds}
            maw={420}
            onChange={setTyped}
          />
        )}
      </Stack>
    </VersionedForm>
  );
}

const forgetConfirmation = (days: number): Confirmation => ({
  title: t('Forget buyers after {days, plural, one {# day} other {# days}}?', { days }),
  action: t('Forget buyers'),
  typed: typedCount(days),
  children: (
    <Stack gap="xs">
      <Text size="sm">
        {t(
          'Within an hour, the buyer’s ID and name are removed from every older purchase. After that, this happens daily. You can no longer find those purchases by buyer.',
        )}
      </Text>
      <Text size="sm">{t('Shares, payouts and totals don’t change.')}</Text>
    </Stack>
  ),
});
