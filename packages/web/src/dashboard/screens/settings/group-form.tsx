import { Alert, Checkbox, Group, MultiSelect, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { listCreatorGroups, putCreatorGroup } from '../../../client/sdk.gen.ts';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { currencies } from '../../../ui/currencies.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { refresh } from '../../../ui/refresh.ts';
import { showRow } from '../../../ui/shown-row.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { shown } from './minimum-words.ts';
import { describeMinimum, Minimums, minimumsOf, readMinimums } from './minimums.tsx';
import {
  calendarOf,
  calendarWords,
  describeCalendar,
  PayoutCalendar,
  readCalendar,
} from './payout-calendar.tsx';

interface GroupFormProps {
  group: CreatorGroup;
  onDone(): void;
}

/** Form for a group's payment terms. The group's share is on the Shares screen. */
export function GroupForm({ group, onDone }: GroupFormProps) {
  const { may } = usePublisher();
  return may('program') ? <Form group={group} onDone={onDone} /> : <Facts facts={factsOf(group)} />;
}

const factsOf = (group: CreatorGroup): [string, string][] => [
  [t('Name'), group.name],
  [t('Hold period'), t('{days, plural, one {# day} other {# days}}', { days: group.holdDays })],
  [t('Minimum payout'), group.payoutMinimums.map(shown).join(', ') || t('None')],
  [t('Planned payouts'), calendarWords(group.payoutCalendar)],
  [t('Rejected currencies'), group.disabledCurrencies.join(', ') || t('None')],
  [t('Code lifetime'), t('{days, plural, one {# day} other {# days}}', { days: group.codeTtlDays })],
];

const holdBounds = { min: 0n, max: 3_650n };
const ttlBounds = { min: 1n, max: 3_650n };

function Form({ group, onDone }: GroupFormProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const edit = useVersionedEdit({
    thing: group,
    fieldsOf: (saved) => ({
      hold: String(saved.holdDays),
      ttl: String(saved.codeTtlDays),
      minimums: minimumsOf(saved),
      calendar: calendarOf(saved),
      disabledCurrencies: saved.disabledCurrencies as readonly string[],
      isDefault: saved.isDefault,
    }),
    describe: ({ hold, ttl, minimums, calendar, disabledCurrencies, isDefault }) => [
      [t('Hold period'), describeDays(hold, holdBounds)],
      [t('Minimum payout'), minimums.map(describeMinimum).join(', ')],
      [t('Planned payouts'), describeCalendar(calendar)],
      [t('Rejected currencies'), [...disabledCurrencies].sort().join(', ')],
      [t('Code lifetime'), describeDays(ttl, ttlBounds)],
      [t('Default group'), isDefault ? t('yes') : t('no')],
    ],
    comparable: ({ minimums, ...rest }) => ({
      ...rest,
      minimums: minimums.map(({ currency, typed }) => [currency, typed]),
    }),
    read({ hold, ttl, minimums, calendar, disabledCurrencies, isDefault }) {
      const payoutMinimums = readMinimums(minimums);
      const payoutCalendar = readCalendar(calendar);
      const holdDays = readWhole(hold, holdBounds).value;
      const codeTtlDays = readWhole(ttl, ttlBounds).value;
      if (holdDays === null || codeTtlDays === null || payoutMinimums === null) return null;
      if (payoutCalendar === undefined) return null;
      return {
        holdDays: Number(holdDays),
        codeTtlDays: Number(codeTtlDays),
        payoutMinimums,
        payoutCalendar,
        disabledCurrencies: disabledCurrencies as never,
        isDefault,
      };
    },
    async save({ isDefault, ...terms }, { version, ...before }) {
      const { data } = await putCreatorGroup({
        path: { publisherId, groupId: group.groupId },
        body: { version, ...terms, ...(isDefault && !before.isDefault && { isDefault }) },
        throwOnError: true,
      });
      return data;
    },
    async readAgain() {
      const { data } = await listCreatorGroups({ path: { publisherId }, throwOnError: true });
      return data.rows.find(({ groupId }) => groupId === group.groupId);
    },
    async onSaved(saved, undo) {
      await refresh(queryClient, 'listCreatorGroups', 'listEditsSinceFile');
      // The default can't be turned off here, only moved to another group.
      toast(t('Payout settings of {name} changed', group), saved.isDefault === group.isDefault ? undo : null);
      onDone();
      showRow(group.groupId);
    },
  });
  const { fields, base, change } = edit;
  return (
    <VersionedForm edit={edit}>
      <Text fw={600}>{group.name}</Text>
      {group.provenance?.file && (
        <Alert color="accent" icon={<Icon name="info" />}>
          {t(
            'The program file {file} sets values for this group. Applying it again undoes your changes to those values.',
            {
              file: group.provenance.file.file,
            },
          )}
        </Alert>
      )}
      <WholeInput
        label={t('Hold period')}
        description={t('Days before a purchase can be paid out, to allow for refunds.')}
        value={fields.hold}
        bounds={holdBounds}
        onChange={(hold) => change({ hold })}
      />
      <Minimums minimums={fields.minimums} onChange={(minimums) => change({ minimums: [...minimums] })} />
      <PayoutCalendar calendar={fields.calendar} onChange={(calendar) => change({ calendar })} />
      <MultiSelect
        label={t('Rejected currencies')}
        description={t('New purchases in these currencies are rejected.')}
        data={[...currencies]}
        value={[...fields.disabledCurrencies]}
        searchable
        clearable
        onChange={(disabledCurrencies) => change({ disabledCurrencies })}
      />
      <WholeInput
        label={t('Code lifetime')}
        description={t('Days that game clients remember a player’s code.')}
        value={fields.ttl}
        bounds={ttlBounds}
        onChange={(ttl) => change({ ttl })}
      />
      <Checkbox
        label={t('Default group')}
        description={t(
          'Used when a request doesn’t name a group. To change it, make another group the default.',
        )}
        checked={fields.isDefault}
        disabled={base.isDefault}
        onChange={({ currentTarget: { checked } }) => change({ isDefault: checked })}
      />
      <Group>
        <SaveButton edit={edit} disabled={edit.input === null} />
      </Group>
    </VersionedForm>
  );
}

const describeDays = (typed: string, bounds: typeof holdBounds): string => {
  const { value } = readWhole(typed, bounds);
  return value === null ? typed : t('{days, plural, one {# day} other {# days}}', { days: Number(value) });
};
