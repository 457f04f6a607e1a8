import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import {
  countTransactionsOptions,
  listTransactionsOptions,
} from '../../../client/@tanstack/react-query.gen.ts';
import type { TransactionRow } from '../../../client/types.gen.ts';
import { CopyLink } from '../../../ui/copy-link.tsx';
import { CsvButton } from '../../../ui/csv-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { DetailDrawer } from '../../../ui/detail-drawer.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { formatTotal } from '../../../ui/percent.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { FirstPurchase } from '../../first-steps/lazy-first-purchase.ts';
import { usePublisher } from '../../session/session.ts';
import { columns } from './columns.tsx';
import { Filters, filterNames } from './filters.tsx';
import { rowKeyOf, transactionOf } from './row-key.ts';
import { TransactionDetail } from './transaction-detail.tsx';

export function Screen() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const { group, cursor, id, code, creator, status, origin, from, until, currency, sort } = query;
  const filter = {
    group,
    transactionId: id,
    code,
    creator,
    from,
    until,
    currency,
    sort: sort as 'oldest' | undefined,
  };
  const filterQuery = {
    ...filter,
    status: status === undefined ? undefined : [status as 'normal'],
    origin: origin === undefined ? undefined : [origin as 'api'],
  };
  const path = { publisherId };
  const page = usePage(
    listTransactionsOptions({ path, query: { ...filterQuery, cursor, limit: limitOf(query) } }),
  );
  const total = useQuery(countTransactionsOptions({ path, query: filterQuery }));
  const isFiltered = filterNames.some((name) => name !== 'sort' && query[name] !== undefined);
  return (
    <ScreenPage
      title={t('Transactions')}
      about={<Total count={total.data} />}
      actions={
        <>
          <CopyLink names={filterNames} withLabel />
          {may('export') && (
            <CsvButton
              path={`/admin/v1/publishers/${encodeURIComponent(publisherId)}/transactions.csv`}
              query={{ ...filter, status, origin }}
            />
          )}
        </>
      }
    >
      <Filters />
      <DataTable<TransactionRow>
        label={t('Transactions')}
        columns={columns()}
        page={page}
        rowKey={rowKeyOf}
        rowName={({ transactionId, creator: { name } }) => `${transactionId} · ${name}`}
        empty={
          isFiltered ? (
            <EmptyState icon="transactions" title={t('No matching purchases')}>
              {t('Clear a filter, or choose other days. IDs must be complete.')}
            </EmptyState>
          ) : (
            <Suspense>
              <FirstPurchase icon="transactions" title={t('No purchases yet')} />
            </Suspense>
          )
        }
      />
      <DetailDrawer title={t('Transaction')}>
        {(key) => <TransactionDetail key={transactionOf(key)} transactionId={transactionOf(key)} />}
      </DetailDrawer>
    </ScreenPage>
  );
}

function Total({ count }: { count: { count: number; isExact: boolean } | undefined }) {
  return (
    <Text c="dimmed" size="sm" mih="1.4em">
      {count !== undefined &&
        t('{count, plural, one {{total} row} other {{total} rows}}', {
          count: count.count,
          total: formatTotal(count.isExact ? count.count : { atLeast: count.count }),
        })}
    </Text>
  );
}
