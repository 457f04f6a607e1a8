import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import {
  countTransactionsOptions,
  listTransactionsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import type { TransactionRow, TransactionTotal } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { CopyLink } from '../../../ui/copy-link.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { RangeZone } from '../../../ui/dates/range-zone.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ExportButton } from '../../../ui/export-button.tsx';
import { ExportChosen } from '../../../ui/export-chosen.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { formatTotal } from '../../../ui/percent.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { sortBy } from '../../../ui/sort-head.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useChosen } from '../../../ui/use-chosen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { FirstInGroup } from '../../first-steps/lazy-first-in-group.ts';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { netOf } from './chosen-net.ts';
import { columns } from './columns.tsx';
import { FilteredSums } from './filtered-sums.tsx';
import { Filters, filterNames } from './filters.tsx';
import { rowKeyOf, transactionOf } from './row-key.ts';
import { TransactionDetail } from './transaction-detail.tsx';

export function Screen() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const { group, cursor, id, code, creator, payout, status, origin, from, until, currency, sort } = query;
  const filter = {
    group,
    transactionId: id,
    code,
    creator,
    // The list of a payout's purchases is that of one of its payments.
    payout: creator === undefined || code !== undefined ? undefined : payout,
    from,
    until,
    currency,
    sort: sort as 'oldest' | undefined,
  };
  const filterQuery = {
    ...filter,
    status: status?.split(',') as 'normal'[] | undefined,
    origin: origin === undefined ? undefined : [origin as 'api'],
  };
  const path = { publisherId };
  const page = usePage(
    listTransactionsOptions({ path, query: { ...filterQuery, cursor, limit: limitOf(query) } }),
  );
  const shownColumns = useMemo(sortedColumns, []);
  const total = useQuery(countTransactionsOptions({ path, query: filterQuery }));
  const csvPath = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/transactions.csv`;
  const { chosen, ids, onSelect } = useChosen(page.data?.rows ?? [], attributionIdOf);
  const isFiltered = filterNames.some((name) => name !== 'sort' && query[name] !== undefined);
  // The dialog with a command stays open when its purchase arrives.
  const [isCommandShown, setCommandShown] = useState(false);
  // The rows of a filter that was just removed say nothing about the list.
  const isEmpty = page.data?.rows.length === 0 && !page.isPlaceholderData;
  const isUnused = isCommandShown || (isEmpty && !isFiltered && cursor === undefined);
  return (
    <RangeZone>
      <ScreenPage
        title={t('Transactions')}
        about={<Total count={total.data} />}
        {...(!isUnused && {
          tools: (
            <>
              <ViewsMenu list="transactions" />
              <CopyLink names={filterNames} withLabel />
            </>
          ),
          exports: may('export') && (
            <ExportButton
              path={csvPath}
              query={{ ...filter, status, origin }}
              label={t('Export CSV')}
              isEmpty={total.data?.count === 0}
              amount={total.data && rowsOf(total.data)}
              rowCount={total.data?.isExact ? total.data.count : undefined}
              filters={describeFilters({ ...query, hide: '', view: '' })}
              columns={t(
                'All columns: purchase and row IDs, date, status, origin, code, creator, product, sale, share, earned, refunded, and reversed.',
              )}
            />
          ),
        })}
      >
        {isUnused ? (
          <Suspense>
            <FirstInGroup icon="transactions" title={t('No purchases yet')} onCommand={setCommandShown} />
          </Suspense>
        ) : (
          <>
            <Filters />
            {isFiltered && <FilteredSums publisherId={publisherId} query={filterQuery} />}
            <DataTable<TransactionRow>
              label={t('Transactions')}
              list="transactions"
              columns={shownColumns}
              page={page}
              rowKey={rowKeyOf}
              days={days}
              rowName={({ transactionId, creator: { name } }) => `${transactionId} · ${name}`}
              {...(may('export') && { onSelect })}
              empty={
                <EmptyState
                  icon="transactions"
                  title={t('No matching purchases')}
                  action={<ClearFilters names={filterNames.filter((name) => name !== 'sort')} />}
                >
                  {t('Clear a filter, or choose other days.')}
                </EmptyState>
              }
            />
          </>
        )}
        <ExportChosen path={csvPath} ids={ids} query={{ sort: query.sort }} sums={netOf(chosen)} />
        <DetailDrawer title={t('Purchase')}>
          {(key) => <TransactionDetail key={transactionOf(key)} transactionId={transactionOf(key)} />}
        </DetailDrawer>
      </ScreenPage>
    </RangeZone>
  );
}

/** Columns, with a header that sorts. It is added here because Overview loads the file of the columns. */
const sortedColumns = () =>
  columns().map((column) =>
    column.id === 'date'
      ? {
          ...column,
          sort: sortBy('sort', [
            { value: null, label: t('Newest first'), direction: 'descending' },
            { value: 'oldest', label: t('Oldest first'), direction: 'ascending' },
          ]),
        }
      : column,
  );

const days = { column: 'date', at: ({ transactionDate }: TransactionRow) => transactionDate };

const attributionIdOf = ({ attributionId }: TransactionRow): string => attributionId;

function Total({ count }: { count: TransactionTotal | undefined }) {
  return (
    <Text c="dimmed" size="sm" mih="1.4em">
      {count !== undefined && count.count !== 0 && (
        <>
          {rowsOf(count)}. {t('A purchase split among creators has one transaction for each.')}
        </>
      )}
    </Text>
  );
}

const rowsOf = ({ count, isExact }: TransactionTotal): string =>
  t('{count, plural, one {{total} transaction} other {{total} transactions}}', {
    count,
    total: formatTotal(isExact ? count : { atLeast: count }),
  });
