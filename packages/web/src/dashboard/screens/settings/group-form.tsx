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

/** A group's terms of payment; its share is on Shares. */
export function GroupForm({ group, onDone }: GroupFormProps) {
  const { may } = usePublisher();
  return may('program') ? <Form group={group} onDone={onDone} /> : <Facts facts={factsOf(group)} />;
}

const factsOf = (group: CreatorGroup): [string, string][] => [
  [t('Name'), group.name],
  [t('Hold'), t('{days, plural, one {# day} other {# days}}', { days: group.holdDays })],
  [t('Smallest payout'), group.payoutMinimums.map(shown).join(', ') || t('none')],
  [t('Currencies refused'), group.disabledCurrencies.join(', ') || t('none')],
  [
    t('A code stays with a player'),
    t('{days, plural, one {# day} other {# days}}', { days: group.codeTtlDays }),
  ],
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
        toast(t('{name} is saved', group));
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
              'The program file {file} has said things of this group: applied again, it undoes what you change of them.',
              {
                file: group.provenance.file.file,
              },
            )}
          </Alert>
        )}
        <WholeInput
          label={t('Hold')}
          description={t(
            'Days a purchase waits before it is paid out, so that it can be refunded till then.',
          )}
          value={hold}
          bounds={holdBounds}
          onChange={setHold}
        />
        <Minimums minimums={minimums} onChange={setMinimums} />
        <MultiSelect
          label={t('Currencies refused')}
          description={t('A purchase in one of these is refused from now on.')}
          data={[...currencies]}
          value={disabledCurrencies}
          searchable
          clearable
          onChange={setDisabled}
        />
        <WholeInput
          label={t('A code stays with a player')}
          description={t('Days, which game clients read.')}
          value={ttl}
          bounds={ttlBounds}
          onChange={setTtl}
        />
        <Checkbox
          label={t('The default group')}
          description={t(
            'Used where a request names none. To change it, make another group the default one.',
          )}
          checked={isDefault}
          disabled={group.isDefault}
          onChange={({ currentTarget: { checked } }) => setDefault(checked)}
        />
      </Stack>
    </VersionedForm>
  );
}
