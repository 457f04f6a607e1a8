import { Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { listHoldsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Hold } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ExportButton } from '../../../ui/export-button.tsx';
import { ExportChosen } from '../../../ui/export-chosen.tsx';
import { Money } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useChosen } from '../../../ui/use-chosen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { CreatorCell } from '../../creator-cell.tsx';
import { ReleaseDialog } from '../../holds/release-dialog.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { PartsPage } from './parts-page.tsx';

/** Open holds on purchases and creators, newest first. */
export function HoldsView() {
  const { publisherId, may } = usePublisher();
  const { query, setQuery } = useUrlState();
  const [releasing, setReleasing] = useState<Hold | null>(null);
  const page = usePage(
    listHoldsOptions({
      path: { publisherId },
      query: {
        group: query.group,
        ...(query.member !== undefined && { member: query.member }),
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
  );
  const mayRelease = may('reverse');
  const shownColumns = useMemo(() => columns(mayRelease ? setReleasing : null), [mayRelease]);
  const { ids, onSelect } = useChosen(page.data?.rows ?? [], holdIdOf);
  const csvPath = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/holds.csv`;
  const { group, member } = query;
  return (
    <PartsPage
      here="held"
      about={t('Purchases and creators kept out of payouts until they’re released.')}
      exports={
        may('export') && (
          <ExportButton
            path={csvPath}
            query={{ group, member }}
            label={t('Export CSV')}
            amount={undefined}
            filters={describeFilters({
              ...(group !== undefined && { group }),
              ...(member !== undefined && { creator: member }),
            })}
            columns={t(
              'All columns: hold, who placed it and when, reason, end, group, creator, purchase, currency, and amount.',
            )}
          />
        )
      }
    >
      {query.member !== undefined && (
        <Group mb="md">
          <Text size="sm">{t('Showing only holds on {creator}.', { creator: query.member })}</Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setQuery({ member: null, cursor: null })}
          >
            {t('Show all')}
          </Button>
        </Group>
      )}
      <DataTable
        label={t('Holds')}
        list="holds"
        columns={shownColumns}
        page={page}
        rowKey={holdIdOf}
        selectionName={({ name }) => name}
        {...(may('export') && { onSelect })}
        empty={
          <EmptyState icon="check" title={t('No holds')}>
            {t('To place a hold, open a purchase or a creator.')}
          </EmptyState>
        }
      />
      <ExportChosen path={csvPath} ids={ids} />
      <ReleaseDialog holds={releasing === null ? [] : [releasing]} onClose={() => setReleasing(null)} />
    </PartsPage>
  );
}

const holdIdOf = ({ holdId }: Hold): string => holdId;

/** @param onRelease null for people who may not release holds */
const columns = (onRelease: ((hold: Hold) => void) | null): Column<Hold>[] => [
  {
    id: 'creator',
    header: t('Creator'),
    tone: 'strong',
    isCut: true,
    cell: (hold) => <CreatorCell creator={hold} groupId={hold.groupId ?? undefined} />,
  },
  {
    id: 'what',
    header: t('On hold'),
    isUnderName: true,
    cell: ({ row }) =>
      row === null ? (
        t('all payouts')
      ) : (
        <ScreenLink screen="transactions" query={{ open: row.transactionId }}>
          {row.transactionId}
        </ScreenLink>
      ),
  },
  {
    id: 'amount',
    header: t('Amount'),
    tone: 'strong',
    align: 'end',
    cell: ({ row }) => row !== null && <Money minor={row.amountMinor} currency={row.currency} />,
  },
  { id: 'reason', header: t('Reason'), tone: 'quiet', hiddenBelow: 'sm', cell: ({ reason }) => reason },
  {
    id: 'placed',
    header: t('Placed'),
    tone: 'quiet',
    hiddenBelow: 'md',
    cell: ({ placedAt, placedBy }) => (
      <>
        <When at={placedAt} precision="day" />
        <Text size="xs" c="dimmed">
          {placedBy.name}
        </Text>
      </>
    ),
  },
  {
    id: 'ends',
    header: t('Until'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ endsAt }) => (endsAt === null ? t('released') : <When at={endsAt} />),
  },
  ...(onRelease === null
    ? []
    : [
        {
          id: 'release',
          header: t('Action'),
          cell: (hold: Hold) => (
            <Button size="compact-sm" variant="default" onClick={() => onRelease(hold)}>
              {t('Release…')}
            </Button>
          ),
        },
      ]),
];
