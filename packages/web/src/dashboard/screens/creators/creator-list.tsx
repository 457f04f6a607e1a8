import { Button, Group, NativeSelect } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { listCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ListedCreator } from '../../../client/types.gen.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterPanel } from '../../../ui/filter-panel.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { BulkBar, kindsFor } from './bulk-bar.tsx';
import { ChangeDialog, type Kind } from './change-dialog.tsx';
import { columns } from './columns.tsx';
import { OutcomeList, type Outcomes } from './outcome-list.tsx';
import { keyOf, type Status, useTiers } from './use-creators.ts';

interface CreatorListProps {
  status: Status;
  result: Outcomes | null;
  onResult(result: Outcomes | null): void;
  onAdd(): void;
}

/** The creators of one status: found, chosen, and changed together. */
export function CreatorList({ status, result, onResult, onAdd }: CreatorListProps) {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const { q, tier, group, cursor } = query;
  const [chosen, setChosen] = useState<readonly ListedCreator[]>([]);
  const [kind, setKind] = useState<Kind | null>(null);
  // The table keeps which rows are chosen; another table chooses none.
  const [generation, setGeneration] = useState(0);
  const page = usePage(
    listCreatorsOptions({
      path: { publisherId },
      query: {
        status,
        group,
        tier,
        cursor,
        q: q !== undefined && q.length > 1 ? q : undefined,
        limit: limitOf(query),
      },
    }),
  );
  const kinds = kindsFor(status, may);
  const groups = new Set(chosen.map(({ groupId }) => groupId));
  const onSelect = useCallback((rows: readonly ListedCreator[]) => setChosen(rows), []);
  const shownColumns = useMemo(() => columns(status, group !== undefined), [status, group]);
  const names = new Map(chosen.map(({ memberId, name }) => [memberId, name]));
  return (
    <>
      <Filters />
      {result !== null && <OutcomeList result={result} onClose={() => onResult(null)} />}
      <DataTable
        key={`${status} ${generation}`}
        label={t('Creators')}
        columns={shownColumns}
        page={page}
        rowKey={keyOf}
        rowName={nameOf}
        {...(kinds.length > 0 && { onSelect })}
        empty={<Nobody status={status} onAdd={onAdd} />}
      />
      {chosen.length > 0 && (
        <BulkBar
          count={chosen.length}
          kinds={kinds}
          noTier={groups.size > 1 ? t('Tiers are of a group: choose creators of one.') : null}
          onChoose={setKind}
        />
      )}
      <ChangeDialog
        kind={kind}
        chosen={{ members: chosen, codes: [], groupId: chosen[0]?.groupId }}
        onClose={() => setKind(null)}
        onDone={(done, outcomes) => {
          onResult({ kind: done, outcomes, names });
          setChosen([]);
          setGeneration(generation + 1);
        }}
      />
    </>
  );
}

const nameOf = ({ name }: ListedCreator): string => name;

function Filters() {
  const { query, setQuery } = useUrlState();
  const { rows: groups, group } = useGroups();
  // Tiers are of a group: among creators of all groups those of one would be offered as if there were no others.
  const tiers = useTiers(query.group ?? (groups.length === 1 ? group?.groupId : undefined));
  const rows = tiers.data?.rows ?? [];
  return (
    <FilterPanel names={['q', 'tier']}>
      <Group align="flex-end" gap="sm">
        <FilterText
          name="q"
          isMain
          label={t('Name, code or id')}
          placeholder={t('How it begins')}
          isWhole={(text) => text.length > 1}
        />
        {rows.length > 0 && (
          <NativeSelect
            label={t('Tier')}
            value={query.tier ?? ''}
            data={[
              { value: '', label: t('Every tier') },
              ...rows.map(({ tierId, name }) => ({ value: tierId, label: name })),
            ]}
            onChange={({ currentTarget: { value } }) => setQuery({ tier: value || null })}
          />
        )}
      </Group>
    </FilterPanel>
  );
}

function Nobody({ status, onAdd }: { status: Status; onAdd(): void }) {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  if (query.q !== undefined || query.tier !== undefined)
    return (
      <EmptyState
        icon="creators"
        title={t('Nobody matches')}
        action={
          <Button variant="default" onClick={() => setQuery({ q: null, tier: null })}>
            {t('Take the filters out')}
          </Button>
        }
      >
        {t('Names and codes are found by how they begin, ids as a whole. Another tab may have them.')}
      </EmptyState>
    );
  if (status === 'Pending')
    return (
      <EmptyState icon="creators" title={t('Nobody waits for approval')}>
        {t('Creators who apply are here until you approve them.')}
      </EmptyState>
    );
  if (status === 'Removed')
    return (
      <EmptyState icon="creators" title={t('Nobody was removed')}>
        {t('Who is removed is kept here, with the reason, and what they earned is paid.')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="creators"
      title={t('No creator yet')}
      {...(may('members') && { action: <Button onClick={onAdd}>{t('Add a creator')}</Button> })}
      curl={`curl -X POST '${window.location.origin}/admin/v1/publishers/${publisherId}/members' \\
  -H "authorization: Bearer $OPERATOR_TOKEN" -H 'content-type: application/json' \\
  -d '{"name":"Kira","codes":[{"code":"KIRA"}]}'`}
    >
      {t('Add one here, import a table, or let a program with an operator token do it:')}
    </EmptyState>
  );
}
