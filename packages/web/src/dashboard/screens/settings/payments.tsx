import { Group, Switch } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readPayeeSettingsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { getSettings, putSettings } from '../../../client/sdk.gen.ts';
import type { Settings } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { PaymentFileForm } from './payment-file-form.tsx';
import { Section } from './section.tsx';

/** Sections for payout requirements, payout methods and payment files. */
export function Payments({ settings }: { settings: Settings }) {
  const { publisherId, may } = usePublisher();
  const files = useQuery({
    ...readPayeeSettingsOptions({ path: { publisherId } }),
    enabled: may('payees'),
  });
  return (
    <>
      <Section
        title={t('Payout requirements')}
        about={t('Creators who don’t meet these requirements aren’t paid yet. You still owe them the money.')}
      >
        {may('team') ? <NeedsForm settings={settings} /> : <Facts facts={needFacts(settings.payoutsNeed)} />}
      </Section>
      {may('payees') && (
        <Section
          title={t('Payments')}
          about={t('Rules for payout methods, and the contents of payment files.')}
        >
          {files.error !== null && (
            <ErrorNotice
              error={files.error}
              title={t('Couldn’t load the payment settings')}
              onRetry={() => void files.refetch()}
            />
          )}
          {files.isPending && <LateSkeleton lines={8} />}
          {files.data !== undefined && <PaymentFileForm settings={files.data} />}
        </Section>
      )}
    </>
  );
}

const yesNo = (value: boolean): string => (value ? t('Required') : t('Not required'));

const needFacts = ({ method, taxCleared }: Settings['payoutsNeed']) =>
  [
    [t('Usable payout method'), yesNo(method)],
    [t('Valid tax clearance'), yesNo(taxCleared)],
  ] as const;

function NeedsForm({ settings }: { settings: Settings }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: settings,
    fieldsOf: ({ payoutsNeed }) => payoutsNeed,
    describe: needFacts,
    read: (payoutsNeed) => payoutsNeed,
    save: async (payoutsNeed, { version, name }) =>
      (await putSettings({ path, body: { version, name, payoutsNeed }, throwOnError: true })).data,
    readAgain: async () => (await getSettings({ path, throwOnError: true })).data,
    async onSaved(_, undo) {
      await refresh(queryClient, 'getSettings', 'listEditsSinceFile', 'previewPayout', 'getAttention');
      toast(t('Payout requirements saved'), undo);
    },
  });
  const { fields, change } = edit;
  return (
    <VersionedForm edit={edit}>
      <Switch
        label={t('Require a usable payout method')}
        description={t(
          'A creator isn’t paid until a method for the currency is approved and its waiting period is over.',
        )}
        checked={fields.method}
        onChange={({ currentTarget: { checked } }) => change({ method: checked })}
      />
      <Switch
        label={t('Require a valid tax clearance')}
        description={t('A creator without a valid clearance on the payout day isn’t paid yet.')}
        checked={fields.taxCleared}
        onChange={({ currentTarget: { checked } }) => change({ taxCleared: checked })}
      />
      <Group>
        <SaveButton edit={edit} />
      </Group>
    </VersionedForm>
  );
}
