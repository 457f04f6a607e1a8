import { Code, Text } from '@mantine/core';
import { useMemo } from 'react';
import { listCodesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ListedCode } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { keyOf } from './use-creators.ts';

export function CodeList() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const { q, group, cursor, credits } = query;
  const page = usePage(
    listCodesOptions({
      path: { publisherId },
      query: {
        group,
        cursor,
        q: q === '' ? undefined : q,
        ...((credits === 'yes' || credits === 'no') && { credits: credits === 'yes' }),
        limit: limitOf(query),
      },
    }),
  );
  const shownColumns = useMemo(() => columns(group !== undefined), [group]);
  return (
    <>
      <Filters />
      <DataTable
        label={t('Codes')}
        list="codes"
        columns={shownColumns}
        page={page}
        rowKey={rowKey}
        rowName={({ code, groupName }) => t('{code} in {groupName}', { code, groupName })}
        empty={<NoCode />}
      />
    </>
  );
}

/**
 * Returns a row's key: the creator that the row opens, and the code, because a creator may have several
 * codes.
 */
const rowKey = (row: ListedCode): string => `${keyOf(row)} ${row.code} ${row.scope}`;

export const creatorOf = (key: string): string => key.replace(/ [A-Za-z0-9_-]{2,32} (group|global)$/, '');

function columns(isOfOneGroup: boolean): Column<ListedCode>[] {
  const all: (Column<ListedCode> | false)[] = [
    { id: 'code', header: t('Code'), cell: ({ code }) => <Code fz="sm">{code}</Code> },
    {
      id: 'creator',
      header: t('Creator'),
      cell: ({ name }) => (
        <Text size="sm" fw={600}>
          {name}
        </Text>
      ),
      isUnderName: 'first',
    },
    !isOfOneGroup && {
      id: 'group',
      header: t('Group'),
      noWrap: true,
      tone: 'quiet',
      cell: ({ groupName }) => groupName,
      isUnderName: true,
    },
    {
      id: 'scope',
      header: t('Works in'),
      tone: 'quiet',
      cell: ({ scope }) => (scope === 'group' ? t('this group only') : t('all groups')),
      hiddenBelow: 'md',
    },
    { id: 'credits', header: t('Status'), cell: (row) => <Credits code={row} />, isUnderName: 'first' },
    {
      id: 'since',
      header: t('Since'),
      tone: 'quiet',
      cell: ({ since }) => <When at={since} precision="day" />,
      hiddenBelow: 'sm',
    },
  ];
  return all.filter((column) => column !== false);
}

function Credits({ code: { refusedFor, status } }: { code: ListedCode }) {
  switch (refusedFor) {
    case null:
      return <StatusBadge tone="good">{t('Active')}</StatusBadge>;
    case 'code':
      return <StatusBadge tone="over">{t('Code not approved')}</StatusBadge>;
    case 'shadowed':
      return <StatusBadge tone="waiting">{t('Overridden by a group code')}</StatusBadge>;
    case 'member':
      return status === 'Pending' ? (
        <StatusBadge tone="waiting">{t('Creator is pending')}</StatusBadge>
      ) : (
        <StatusBadge tone="over">{t('Creator was removed')}</StatusBadge>
      );
  }
}

const Filters = () => (
  <FilterBar
    search={{ name: 'q', label: t('Code'), placeholder: t('Starts with') }}
    fieldNames={['credits']}
    fields={
      <FilterSelect
        name="credits"
        label={t('Status')}
        all={t('All codes')}
        choices={[
          ['yes', t('Active')],
          ['no', t('Inactive')],
        ]}
      />
    }
  />
);

function NoCode() {
  const { query } = useUrlState();
  if (query.q === undefined && query.credits === undefined)
    return (
      <EmptyState icon="creators" title={t('No codes yet')}>
        {t('Add codes in a creator’s details or by import. Creators can add their own, too.')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="creators"
      title={t('No matching codes')}
      action={<ClearFilters names={['q', 'credits']} />}
    >
      {t('The filter matches the start of a code. “Check code” explains any code.')}
    </EmptyState>
  );
}
