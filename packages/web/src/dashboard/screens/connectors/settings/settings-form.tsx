import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { changeConnector, getConnector } from '../../../../client/sdk.gen.ts';
import type { Connector } from '../../../../client/types.gen.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { WholeInput } from '../../../../ui/number-input.tsx';
import { i18n, t } from '../../../../ui/text.ts';
import { toast } from '../../../../ui/toast.ts';
import { useFormErrors } from '../../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../../ui/versioned-form.tsx';
import { usePublisher } from '../../../session/session.ts';
import { groupsOptions } from '../../../shell/groups.ts';
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
import { hasMetadata, hasRenewals, hasTestAccounts } from './settings-of-providers.ts';

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

/** Returns a function that names a group; the empty id stands for the default group. */
export function useGroupName(): (groupId: string) => string {
  const { publisherId } = usePublisher();
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  return (groupId) =>
    groupId === ''
      ? t('The default group')
      : (groups.find((group) => group.groupId === groupId)?.name ?? groupId);
}

function Form({ connector, onClose }: SettingsFormProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadConnectors();
  const { data: groups = [] } = useQuery(groupsOptions(publisherId));
  const groupName = useGroupName();
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
  const { errors, check } = useFormErrors(problemsOf(fields));
  const { provider } = connector;
  const text = (of: 'name' | 'codeField' | 'playerField' | 'transactionField' | 'steamAppId') => ({
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
    <VersionedForm edit={edit} check={check}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('Name')} required data-autofocus error={errors.name} {...text('name')} />
        <NativeSelect
          label={t('Creator group')}
          name="groupId"
          data={[
            { value: '', label: t('The default group') },
            ...groups.map((group) => ({ value: group.groupId, label: group.name })),
          ]}
          value={fields.groupId}
          onChange={({ currentTarget: { value } }) => change({ groupId: value })}
        />
      </SimpleGrid>
      {provider === 'steam' && (
        <TextInput
          label={t('App ID')}
          description={t('Number in the address of the game’s page in the Steam store.')}
          required
          inputMode="numeric"
          error={errors.steamAppId}
          {...text('steamAppId')}
        />
      )}
      {provider === 'stripe' && (
        <NativeSelect
          label={t('Purchase at Stripe')}
          description={t('Also choose its event at Stripe, as the setup shows.')}
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
            label={t('Field with the creator code')}
            description={t('Name in the order’s metadata.')}
            placeholder={codeFieldOf({})}
            {...text('codeField')}
          />
          <TextInput
            label={t('Field with the player ID')}
            description={t('Name in the order’s metadata.')}
            placeholder={playerFieldOf({})}
            {...text('playerField')}
          />
          <TextInput
            label={t('Field with your transaction ID')}
            description={t('If your back end records purchases, too.')}
            {...text('transactionField')}
          />
        </SimpleGrid>
      )}
      {hasRenewals(provider) && (
        <WholeInput
          label={t('Months of renewals')}
          description={t('How long renewals of a subscription count. 0: they don’t count.')}
          name="renewalMonths"
          value={fields.renewalMonths}
          bounds={monthsBounds}
          emptyError={errors.renewalMonths}
          onChange={(renewalMonths) => change({ renewalMonths })}
        />
      )}
      <Checkbox
        label={t('Fall back to the player’s code')}
        description={t('Credits orders without a valid code to the code that the player had entered.')}
        {...checkbox('usesPlayerCode')}
      />
      <Checkbox
        label={t('Claw back refunds after the payout')}
        description={t('Otherwise, full refunds of paid-out purchases wait for a person.')}
        {...checkbox('clawsBack')}
      />
      {hasTestAccounts(provider) && (
        <Checkbox
          label={t('Test account')}
          description={t('All its events are tests.')}
          {...checkbox('isTestAccount')}
        />
      )}
      {provider === 'xsolla' && (
        <Checkbox
          label={t('Xsolla sends to this address')}
          description={t('There is no game in between, and each user is confirmed.')}
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
