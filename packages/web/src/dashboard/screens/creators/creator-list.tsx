import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { listCreatorsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ListedCreator } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { useHiddenColumns } from '../../../ui/column-choice.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePage } from '../../../ui/use-page.ts';
import { usePublisher } from '../../session/session.ts';
import { useGroups } from '../use-groups.ts';
import { BulkBar, kindsFor } from './bulk-bar.tsx';
import { ChangeDialog, type Kind } from './change-dialog.tsx';
import { balanceOrders, columns } from './columns.tsx';
import { ExportSelected } from './export-creators.tsx';
import { OutcomeList, type Outcomes } from './outcome-list.tsx';
import { keyOf, type Status, useTiers } from './use-creators.ts';
import { useTags } from './use-tags.ts';

const TagsDialog = lazy(() => import('./tags-dialog.tsx').then((found) => ({ default: found.TagsDialog })));

interface CreatorListProps {
  status: Status;
  result: Outcomes | null;
  onResult(result: Outcomes | null): void;
  onAdd(): void;
}

export function CreatorList({ status, result, onResult, onAdd }: CreatorListProps) {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const { q, tier, tag, group, cursor, balanceIn } = query;
  const [selected, setSelected] = useState<readonly ListedCreator[]>([]);
  const [kind, setKind] = useState<Kind | null>(null);
  // The selection is part of the table's state, so a new table starts without a selection.
  const [generation, setGeneration] = useState(0);
  const page = usePage(
    listCreatorsOptions({
      path: { publisherId },
      query: {
        status,
        group,
        tier,
        tag,
        cursor,
        balanceIn,
        q: q !== undefined && q.length > 1 ? q : undefined,
        limit: limitOf(query),
      },
    }),
  );
  const kinds = kindsFor(status, may);
  const groups = new Set(selected.map(({ groupId }) => groupId));
  const [single, setSingle] = useState<ListedCreator | null>(null);
  /** Stays the same, so that the columns don't change with each selection. */
  const decide = useRef((row: ListedCreator, kind: 'approve' | 'reject'): void => {
    setSingle(row);
    setKind(kind);
  });
  const { rows: allGroups } = useGroups();
  const isOfOneGroup = group !== undefined || allGroups.length === 1;
  const chosen = single === null ? selected : [single];
  const onSelect = useCallback((rows: readonly ListedCreator[]) => setSelected(rows), []);
  const mayApprove = may('approve');
  const mayReject = may('members');
  const currencies = currenciesOf(page.data?.rows ?? [], balanceIn);
  const currencyList = currencies.join();
  const shownColumns = useMemo(
    () => [
      ...columns({
        status,
        isOfOneGroup,
        sortedBy: balanceIn,
        currencies: currencyList.split(',').filter(Boolean),
      }),
      ...(status === 'Pending' && mayApprove ? [decideColumn(decide.current, mayReject)] : []),
    ],
    [status, isOfOneGroup, balanceIn, currencyList, mayApprove, mayReject],
  );
  const names = new Map(chosen.map(({ memberId, name }) => [memberId, name]));
  return (
    <>
      <Filters status={status} currencies={currencies} />
      {result !== null && <OutcomeList result={result} onClose={() => onResult(null)} />}
      <DataTable
        key={`${status} ${generation}`}
        label={t('Creators')}
        list="creators"
        columns={shownColumns}
        page={page}
        rowKey={keyOf}
        rowName={nameOf}
        {...((kinds.length > 0 || may('export')) && { onSelect })}
        empty={<NoCreators status={status} onAdd={onAdd} />}
      />
      {selected.length > 0 && (
        <BulkBar
          count={selected.length}
          kinds={kinds}
          noTier={groups.size > 1 ? t('Select creators of a single group to set a tier.') : null}
          onChoose={setKind}
        >
          {may('export') && <ExportSelected status={status} creators={selected} />}
        </BulkBar>
      )}
      <ChangeDialog
        kind={kind}
        chosen={{ members: chosen, groupId: chosen[0]?.groupId }}
        onClose={() => {
          setKind(null);
          setSingle(null);
        }}
        onDone={(done, outcomes) => {
          onResult({ kind: done, outcomes, names });
          setSelected([]);
          setGeneration(generation + 1);
        }}
      />
    </>
  );
}

const nameOf = ({ name }: ListedCreator): string => name;

/** Column with buttons that approve or reject a single applicant. */
const decideColumn = (
  onDecide: (row: ListedCreator, kind: 'approve' | 'reject') => void,
  mayReject: boolean,
): Column<ListedCreator> => ({
  id: 'approve',
  header: t('Actions'),
  align: 'end',
  cell: (row) => (
    <Group gap={4} wrap="nowrap" justify="flex-end" component="span">
      {mayReject && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          aria-label={t('Reject {name}', row)}
          onClick={() => onDecide(row, 'reject')}
        >
          {t('Reject')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('Approve {name}', row)}
        onClick={() => onDecide(row, 'approve')}
      >
        {t('Approve')}
      </Button>
    </Group>
  ),
});

/** Returns the currencies of the listed balances, and of the current order. */
function currenciesOf(creators: readonly ListedCreator[], sortedBy: string | undefined): readonly string[] {
  const listed = creators.flatMap(({ balances }) => balances.map(({ currency }) => currency));
  return [...new Set([...listed, sortedBy ?? []].flat())].sort();
}

function Filters({ status, currencies }: { status: Status; currencies: readonly string[] }) {
  const { query } = useUrlState();
  const isNarrow = useNarrow();
  // The header of the balances sorts the list.
  const { hidden } = useHiddenColumns('creators');
  const hasSort = (isNarrow || hidden.includes('balance')) && currencies.length > 0;
  const { rows: groups, group } = useGroups();
  // Tiers belong to a group, so there is no tier filter while all groups are shown.
  const tiers = useTiers(query.group ?? (groups.length === 1 ? group?.groupId : undefined));
  const rows = tiers.data?.rows ?? [];
  return (
    <FilterBar
      search={{
        name: 'q',
        label: t('Name, code, or ID'),
        placeholder: t('For example {example}', { example: 'alice' }),
        isComplete: (text) => text.length > 1,
      }}
      fieldNames={['tier', 'tag']}
      fields={
        <>
          {rows.length > 0 && (
            <FilterSelect
              name="tier"
              label={t('Tier')}
              all={t('All tiers')}
              choices={rows.map(({ tierId, name }) => [tierId, name])}
            />
          )}
          <TagFilter />
        </>
      }
      arrangement={
        <>
          <EditTags />
          {status !== 'Pending' && hasSort && <SortBy currencies={currencies} />}
        </>
      }
    />
  );
}

/** Choice of the order, where no header sorts the list. */
const SortBy = ({ currencies }: { currencies: readonly string[] }) => (
  <FilterSelect
    name="balanceIn"
    label={t('Sort by')}
    all={t('Newest first')}
    choices={balanceOrders(currencies).flatMap(({ value, label }) =>
      value === null ? [] : [[value, label] as const],
    )}
  />
);

/** Filter by tag. Without tags, there is nothing to choose. */
function TagFilter() {
  const rows = useTags().data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <FilterSelect
      name="tag"
      label={t('Tag')}
      all={t('All tags')}
      choices={rows.map(({ tagId, name, creatorCount }) => [tagId, `${name} (${creatorCount})`])}
    />
  );
}

/** Button that opens the dialog that edits the tags. */
function EditTags() {
  const { may } = usePublisher();
  const rows = useTags().data?.rows ?? [];
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      {rows.length > 0 && may('members') && (
        <Button variant="default" onClick={() => setEditing(true)}>
          {t('Edit tags')}
        </Button>
      )}
      {isEditing && (
        <Suspense>
          <TagsDialog onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}

function NoCreators({ status, onAdd }: { status: Status; onAdd(): void }) {
  const { group } = useGroups();
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  if (query.q !== undefined || query.tier !== undefined || query.tag !== undefined)
    return (
      <EmptyState
        icon="creators"
        title={t('No matching creators')}
        action={<ClearFilters names={['q', 'tier', 'tag']} />}
      >
        {t('Enter part of a name, the start of a code, or a full ID. Check the other tabs, too.')}
      </EmptyState>
    );
  if (status === 'Pending')
    return (
      <EmptyState icon="creators" title={t('No pending creators')}>
        {t('Creators who apply are listed here until you approve them.')}
      </EmptyState>
    );
  if (status === 'Removed')
    return (
      <EmptyState icon="creators" title={t('No removed creators')}>
        {t('Removed creators stay listed here with the reason. Their earnings are still paid out.')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="creators"
      title={t('No creators yet')}
      {...(may('members') && { action: <Button onClick={onAdd}>{t('Add creator')}</Button> })}
      {...(group !== undefined && {
        curl: `curl -X POST '${window.location.origin}/admin/v1/publishers/${publisherId}/members?group=${encodeURIComponent(group.groupId)}' \\
  -H "authorization: Bearer $OPERATOR_TOKEN" -H 'content-type: application/json' \\
  -d '{"name":"Kira","codes":[{"code":"KIRA"}]}'`,
      })}
    >
      {group === undefined
        ? t('Add creators one by one. You’ll create their group in the same step.')
        : t('Add creators here, by import, or with an operator token from Team:')}
    </EmptyState>
  );
}
