import { Alert, Checkbox, MultiSelect, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { usePublisher } from '../../session/session.ts';
import { shown } from './minimum-words.ts';
import { type Minimum, Minimums, minimumsOf, readMinimums } from './minimums.tsx';
import { VersionedForm } from './versioned-form.tsx';

interface GroupFormProps {
  group: CreatorGroup;
  onDone(): void;
}

/** Payment terms of a group. Its share is on the Shares screen. */
export function GroupForm({ group, onDone }: GroupFormProps) {
  const { may } = usePublisher();
  return may('program') ? <Form group={group} onDone={onDone} /> : <Facts facts={factsOf(group)} />;
}

const factsOf = (group: CreatorGroup): [string, string][] => [
  [t('Name'), group.name],
  [t('Hold'), t('{days, plural, one {# day} other {# days}}', { days: group.holdDays })],
  [t('Minimum payout'), group.payoutMinimums.map(shown).join(', ') || t('None')],
  [t('Rejected currencies'), group.disabledCurrencies.join(', ') || t('None')],
  [t('Code lifetime'), t('{days, plural, one {# day} other {# days}}', { days: group.codeTtlDays })],
];

const holdBounds = { min: 0n, max: 3_650n };
const ttlBounds = { min: 1n, max: 3_650n };

function Form({ group, onDone }: GroupFormProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [hold, setHold] = useState(String(group.holdDays));
  const [ttl, setTtl] = useState(String(group.codeTtlDays));
  const [minimums, setMinimums] = useState<readonly Minimum[]>(() => minimumsOf(group));
  const [disabledCurrencies, setDisabled] = useState(group.disabledCurrencies);
  const [isDefault, setDefault] = useState(group.isDefault);
  const settle = useUnsaved({ hold, ttl, minimums, disabledCurrencies, isDefault });
  const payoutMinimums = readMinimums(minimums);
  const holdDays = readWhole(hold, holdBounds).value;
  const codeTtlDays = readWhole(ttl, ttlBounds).value;
  const terms =
    holdDays === null || codeTtlDays === null || payoutMinimums === null
      ? null
      : { holdDays: Number(holdDays), codeTtlDays: Number(codeTtlDays), payoutMinimums };
  return (
    <VersionedForm
      thing={group}
      isChanged={terms !== null}
      save={(version) =>
        putCreatorGroup({
          path: { publisherId, groupId: group.groupId },
          body: {
            version,
            ...terms,
            disabledCurrencies: disabledCurrencies as never,
            ...(isDefault && !group.isDefault && { isDefault }),
          },
          throwOnError: true,
        })
      }
      readAgain={async () => {
        const { data } = await listCreatorGroups({ path: { publisherId }, throwOnError: true });
        return data.rows.find(({ groupId }) => groupId === group.groupId);
      }}
      summary={(saved) => <Facts facts={factsOf(saved)} />}
      onSaved={async () => {
        await refresh(queryClient, 'listCreatorGroups');
        await refresh(queryClient, 'listEditsSinceFile');
        await queryClient.invalidateQueries({ queryKey: ['groups'] });
        toast(t('{name} saved', group));
        settle();
        onDone();
        showRow(group.groupId);
      }}
    >
      <Stack gap="md">
        <Text fw={600}>{group.name}</Text>
        {group.provenance?.file && (
          <Alert color="yellow" icon={<Icon name="info" />}>
            {t(
              'The program file {file} sets values for this group. Applying it again undoes your changes to them.',
              {
                file: group.provenance.file.file,
              },
            )}
          </Alert>
        )}
        <WholeInput
          label={t('Hold')}
          description={t('Days before a purchase can be paid out, to allow for refunds.')}
          value={hold}
          bounds={holdBounds}
          onChange={setHold}
        />
        <Minimums minimums={minimums} onChange={setMinimums} />
        <MultiSelect
          label={t('Rejected currencies')}
          description={t('New purchases in these currencies are rejected.')}
          data={[...currencies]}
          value={disabledCurrencies}
          searchable
          clearable
          onChange={setDisabled}
        />
        <WholeInput
          label={t('Code lifetime')}
          description={t('Days that game clients remember a player’s code.')}
          value={ttl}
          bounds={ttlBounds}
          onChange={setTtl}
        />
        <Checkbox
          label={t('Default group')}
          description={t('Used when a request names no group. To change it, make another group the default.')}
          checked={isDefault}
          disabled={group.isDefault}
          onChange={({ currentTarget: { checked } }) => setDefault(checked)}
        />
      </Stack>
    </VersionedForm>
  );
}
