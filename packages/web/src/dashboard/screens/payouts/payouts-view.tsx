import { Button, Stack } from '@mantine/core';
import { Suspense, useCallback, useState } from 'react';
import { listPayoutsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { MarkedPayout, Payout } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { currencies } from '../../../ui/currencies.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { formatMoney } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePage } from '../../../ui/use-page.ts';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { useGroupNames } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { PartsPage } from './parts-page.tsx';
import { NotMarked, PayManyDialog } from './pay-many-dialog.tsx';
import { notCanceled, notPaidYet } from './payout-choices.ts';
import { payoutColumns } from './payout-columns.tsx';
import { PayoutLink } from './payout-link.tsx';
import { isUnderWay, payoutWord } from './payout-status.tsx';
import { PayoutSums } from './payout-sums.tsx';
import { SelectedFilesMenu } from './selected-files-menu.tsx';

const statuses = ['Created', 'Paid', 'Cancelled', 'Preparing', 'Cancelling'] as const;

export function PayoutsView() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const nameOf = useGroupNames();
  const [selected, setSelected] = useState<readonly Payout[]>([]);
  const [marked, setMarked] = useState<readonly MarkedPayout[]>([]);
  // The selection is part of the table's state, so a new table starts without a selection.
  const [generation, setGeneration] = useState(0);
  const onSelect = useCallback((rows: readonly Payout[]) => setSelected(rows), []);
  const page = usePage({
    ...listPayoutsOptions({
      path: { publisherId },
      query: {
        group: query.group,
        status: statuses.filter((each) => query.status?.split(',').includes(each)),
        currency: query.currency,
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? 1_000 : false),
  });
  // An empty list doesn't report its selection, so rows that aren't shown are removed here.
  const shown = new Set(page.data?.rows.map(keyOf));
  const chosen = selected.filter((each) => shown.has(keyOf(each)));
  return (
    <PartsPage here="made" tools={<ViewsMenu list="payouts" />}>
      <FilterBar
        fieldNames={['status', 'currency']}
        fields={
          <>
            <FilterSelect
              name="status"
              isMain
              label={t('Status')}
              all={t('All payouts')}
              choices={[
                ...statuses.map((status) => [status, payoutWord(status)] as const),
                [notPaidYet, t('Not paid yet')],
                [notCanceled, t('Not canceled')],
              ]}
            />
            <FilterSelect
              name="currency"
              label={t('Currency')}
              all={t('All currencies')}
              choices={currencies.map((code) => [code, code])}
            />
          </>
        }
      />
      <Stack>
        <NotMarked marked={marked} onClose={() => setMarked([])} />
        <DataTable
          key={generation}
          label={t('Payouts')}
          list="payouts"
          columns={payoutColumns({ payoutIds: page.data?.rows.map(keyOf) ?? [], query })}
          page={page}
          rowKey={keyOf}
          isLinked
          selectionName={({ groupId, totalMinor, currency }) =>
            `${nameOf(groupId)}, ${formatMoney(totalMinor, currency)}`
          }
          onSelect={may('payouts') || may('export') ? onSelect : undefined}
          empty={
            query.status !== undefined || query.currency !== undefined ? (
              <EmptyState
                icon="payouts"
                title={t('No matching payouts')}
                action={<ClearFilters names={['status', 'currency']} />}
              >
                {t('Clear a filter, or choose another status or currency.')}
              </EmptyState>
            ) : (
              <Suspense>
                <BeforeMoney icon="payouts" title={t('No payouts yet')}>
                  <PayoutLink to="">{t('View amounts due now')}</PayoutLink>
                </BeforeMoney>
              </Suspense>
            )
          }
        />
        {page.data !== undefined && (
          <PayoutSums
            payouts={page.data.rows}
            isPart={query.cursor !== undefined || page.data.nextCursor !== null}
          />
        )}
        {chosen.length > 0 && (
          <ForSelected
            selected={chosen}
            onMarked={(result) => {
              setMarked(result);
              setSelected([]);
              setGeneration(generation + 1);
            }}
          />
        )}
      </Stack>
    </PartsPage>
  );
}

// Defined once, because a new function on each render would report the selection again.
const keyOf = ({ payoutId }: Payout): string => payoutId;

interface ForSelectedProps {
  selected: readonly Payout[];
  onMarked(marked: readonly MarkedPayout[]): void;
}

function ForSelected({ selected, onMarked }: ForSelectedProps) {
  const { publisherId, may } = usePublisher();
  const [isPaying, setPaying] = useState(false);
  const isFile = selected.every(({ status }) => status === 'Created' || status === 'Paid');
  const isPayable = selected.every(({ status }) => status === 'Created');
  const count = selected.length;
  return (
    <>
      <SelectionBar
        label={t('Selected payouts')}
        count={t('{count, plural, one {# payout} other {# payouts}} selected', { count })}
        note={
          isPayable
            ? null
            : isFile
              ? t('To mark payouts as paid, select only payouts that aren’t paid yet.')
              : t('Select only payouts that are To be paid or Paid.')
        }
        actions={
          may('export') &&
          isFile && (
            <DownloadButton
              size="xs"
              path={`/admin/v1/publishers/${encodeURIComponent(publisherId)}/payouts/items.csv`}
              query={{ payouts: selected.map(({ payoutId }) => payoutId).join(',') }}
            />
          )
        }
        mainAction={
          (may('payees') || may('payouts')) && (
            <>
              {may('payees') && isFile && <SelectedFilesMenu payouts={selected} />}
              {may('payouts') && (
                <Button size="xs" disabled={!isPayable} onClick={() => setPaying(true)}>
                  {t('Mark as paid')}
                </Button>
              )}
            </>
          )
        }
      />
      <PayManyDialog
        opened={isPaying}
        onClose={() => setPaying(false)}
        payouts={selected}
        onDone={onMarked}
      />
    </>
  );
}
