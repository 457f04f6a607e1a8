import { Button, Code, Group, NativeSelect, Text } from '@mantine/core';
import { useMemo } from 'react';
import { listCodesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { ListedCode } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterText } from '../../../ui/filter-text.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import { keyOf } from './use-creators.ts';

/** Every code there is: who has it, since when, and whether it credits them now. */
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
        columns={shownColumns}
        page={page}
        rowKey={rowKey}
        rowName={({ code, groupName }) => t('{code} in {groupName}', { code, groupName })}
        empty={<NoCode />}
      />
    </>
  );
}

/** A creator has several codes: a row says which one, behind the creator whom it opens. */
const rowKey = (row: ListedCode): string => `${keyOf(row)} ${row.code} ${row.scope}`;

/** Whom a row of codes opens. */
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
    },
    !isOfOneGroup && {
      id: 'group',
      header: t('Group'),
      cell: ({ groupName }) => groupName,
      hiddenBelow: 'md',
    },
    {
      id: 'scope',
      header: t('Good in'),
      cell: ({ scope }) => (scope === 'group' ? t('this group alone') : t('all groups')),
      hiddenBelow: 'md',
    },
    { id: 'credits', header: t('Now'), cell: (row) => <Credits code={row} />, hiddenBelow: 'xs' },
    {
      id: 'since',
      header: t('Since'),
      cell: ({ since }) => <When at={since} precision="day" />,
      hiddenBelow: 'sm',
    },
  ];
  return all.filter((column) => column !== false);
}

function Credits({ code: { refusedFor, status } }: { code: ListedCode }) {
  switch (refusedFor) {
    case null:
      return <StatusBadge tone="good">{t('Credits')}</StatusBadge>;
    case 'code':
      return <StatusBadge tone="over">{t('Code not approved')}</StatusBadge>;
    case 'shadowed':
      return <StatusBadge tone="waiting">{t('Behind a code of the group')}</StatusBadge>;
    case 'member':
      return status === 'Pending' ? (
        <StatusBadge tone="waiting">{t('Creator is pending')}</StatusBadge>
      ) : (
        <StatusBadge tone="over">{t('Creator was removed')}</StatusBadge>
      );
  }
}

function Filters() {
  const { query, setQuery } = useUrlState();
  return (
    <Group align="flex-end" gap="sm" mb="md">
      <FilterText name="q" isMain label={t('Code')} placeholder={t('How it begins')} />
      <NativeSelect
        label={t('Now')}
        value={query.credits ?? ''}
        data={[
          { value: '', label: t('Every code') },
          { value: 'yes', label: t('Credits a creator') },
          { value: 'no', label: t('Credits nobody') },
        ]}
        onChange={({ currentTarget: { value } }) => setQuery({ credits: value || null })}
      />
    </Group>
  );
}

function NoCode() {
  const { query, setQuery } = useUrlState();
  if (query.q === undefined && query.credits === undefined)
    return (
      <EmptyState icon="creators" title={t('No code yet')}>
        {t('A creator’s codes are given in the creator’s drawer, by import, or by the creator.')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="creators"
      title={t('No code matches')}
      action={
        <Button variant="default" onClick={() => setQuery({ q: null, credits: null })}>
          {t('Take the filters out')}
        </Button>
      }
    >
      {t('Codes are found by how they begin. “Why is a code refused?” says it of any text.')}
    </EmptyState>
  );
}
