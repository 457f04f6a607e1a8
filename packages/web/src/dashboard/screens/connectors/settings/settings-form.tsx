import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { changeConnector, getConnector } from '../../../../client/sdk.gen.ts';
import type { Connector } from '../../../../client/types.gen.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { WholeInput } from '../../../../ui/number-input.tsx';
import { i18n, t } from '../../../../ui/text.ts';
import { toast } from '../../../../ui/toast.ts';
import { useFieldErrors } from '../../../../ui/use-field-errors.tsx';
import { useVersionedEdit } from '../../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../../ui/versioned-form.tsx';
import { useGroupNames } from '../../../group-name.tsx';
import { usePublisher } from '../../../session/session.ts';
import { groupsOptions } from '../../../shell/groups.ts';
import { AppIdInput } from '../app-id-input.tsx';
import { codeFieldOf, playerFieldOf } from '../setup/samples.ts';
import { useReloadConnectors } from '../use-connectors.ts';
import { FormatInputs } from './format-inputs.tsx';
import {
  describeSettings,
  fieldsOf,
  inputOf,
  monthsBounds,
  problemsOf,
  type SettingsFields,
  salesName,
} from './settings-input.ts';
import { hasMetadata, hasRenewals, hasTestAccounts, hasUndatedRenewals } from './settings-of-providers.ts';

interface SettingsFormProps {
  connector: Connector;
  onClose(): void;
}

/** Dialog that edits a connector's name, group and settings. */
export const SettingsDialog = ({ opened, ...props }: SettingsFormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={props.onClose} title={t('Edit settings')} size="xl">
    {opened && <Form {...props} />}
  </Dialog>
);

function Form({ connector, onClose }: SettingsFormProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  const groupName = useGroupNames();
  const path = { publisherId, connectorId: connector.connectorId };
  const describe = (fields: SettingsFields) => describeSettings(fields, groupName);
  const edit = useVersionedEdit({
    thing: connector,
    fieldsOf,
    describe,
    read: inputOf,
    save: async (body, { version }) =>
      (await changeConnector({ path, body: { ...body, version }, throwOnError: true })).data,
    readAgain: async () => (await getConnector({ path, throwOnError: true })).data,
    async onSaved(saved, undo) {
      const before = new Map(describe(fieldsOf(connector)));
      const changed = describe(fieldsOf(saved)).flatMap(([name, value]) =>
        before.get(name) === value ? [] : [name],
      );
      toast(changedWords(saved.name, changed), undo);
      onClose();
      await reload();
    },
  });
  const { fields, change } = edit;
  const { errors, check, notice } = useFieldErrors(problemsOf(fields), edit.error);
  const { provider } = connector;
  const text = (of: 'name' | 'codeField' | 'playerField' | 'transactionField') => ({
    name: of,
    value: fields[of],
    maxLength: 100,
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => change({ [of]: value }),
  });
  const checkbox = (of: 'usesPlayerCode' | 'clawsBack' | 'isTestAccount' | 'isShopAddress') => ({
    name: of,
    checked: fields[of],
    onChange: ({ currentTarget: { checked } }: { currentTarget: { checked: boolean } }) =>
      change({ [of]: checked }),
  });
  return (
    <VersionedForm edit={edit} check={check} notice={notice}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('Name')} required data-autofocus error={errors.name} {...text('name')} />
        <NativeSelect
          label={t('Creator group')}
          name="groupId"
          data={[
            { value: '', label: t('Default group') },
            ...groups.map((group) => ({ value: group.groupId, label: group.name })),
          ]}
          value={fields.groupId}
          onChange={({ currentTarget: { value } }) => change({ groupId: value })}
        />
      </SimpleGrid>
      {provider === 'steam' && (
        <AppIdInput
          name="steamAppId"
          value={fields.steamAppId}
          error={errors.steamAppId}
          onChange={(steamAppId) => change({ steamAppId })}
        />
      )}
      {provider === 'stripe' && (
        <NativeSelect
          label={t('What counts as a purchase')}
          description={t('Choose the matching events at Stripe, as shown under Setup.')}
          name="stripeSales"
          data={(['checkout', 'payment_intent'] as const).map((value) => ({
            value,
            label: salesName(value),
          }))}
          value={fields.stripeSales}
          onChange={({ currentTarget: { value } }) =>
            change({ stripeSales: value === 'checkout' ? value : 'payment_intent' })
          }
        />
      )}
      {hasMetadata(provider) && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Creator code field')}
            description={t('Its name in the order’s metadata.')}
            placeholder={codeFieldOf({})}
            {...text('codeField')}
          />
          <TextInput
            label={t('Player ID field')}
            description={t('Its name in the order’s metadata.')}
            placeholder={playerFieldOf({})}
            {...text('playerField')}
          />
          <TextInput
            label={t('Transaction ID field')}
            description={t('Only if your back end also records purchases.')}
            {...text('transactionField')}
          />
        </SimpleGrid>
      )}
      {hasRenewals(provider) && (
        <WholeInput
          label={t('Renewal period in months')}
          description={
            hasUndatedRenewals(provider)
              ? t(
                  'With 0, subscription renewals don’t count as purchases. With any other number, all of them do.',
                )
              : t(
                  'Renewals count as purchases for this many months after a subscription starts. With 0, none do.',
                )
          }
          name="renewalMonths"
          value={fields.renewalMonths}
          bounds={monthsBounds}
          error={errors.renewalMonths}
          onChange={(renewalMonths) => change({ renewalMonths })}
        />
      )}
      <Checkbox
        label={t('Fall back to the player’s code')}
        description={t('If an order has no valid code, it credits the code that the player entered before.')}
        {...checkbox('usesPlayerCode')}
      />
      <Checkbox
        label={t('Claw back refunds after payout')}
        description={t('Otherwise, full refunds of paid-out purchases wait until you claw them back.')}
        {...checkbox('clawsBack')}
      />
      {hasTestAccounts(provider) && (
        <Checkbox
          label={t('Test account')}
          description={t('Treats all events as tests.')}
          {...checkbox('isTestAccount')}
        />
      )}
      {provider === 'xsolla' && (
        <Checkbox
          label={t('Xsolla sends directly to this address')}
          description={t(
            'Turn this on if your game doesn’t relay the webhooks. Every user validation is then approved.',
          )}
          {...checkbox('isShopAddress')}
        />
      )}
      {provider === 'generic' && (
        <FormatInputs format={fields.format} errors={errors} onChange={(format) => change({ format })} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <SaveButton edit={edit} />
      </Group>
    </VersionedForm>
  );
}

/** Maximum number of settings that a message names. */
const maxNamed = 3;

function changedWords(name: string, changed: readonly string[]): string {
  if (changed.length > maxNamed)
    return t('{count} settings of {name} changed', { count: changed.length, name });
  const list = new Intl.ListFormat(i18n.locale, { type: 'conjunction' });
  return t('{name} changed: {settings}', { name, settings: list.format(changed) });
}
