import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { listClawbacksOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Clawback } from '../../../client/types.gen.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ExportButton } from '../../../ui/export-button.tsx';
import { ExportChosen } from '../../../ui/export-chosen.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { Money } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { ShortId } from '../../../ui/short-id.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useChosen } from '../../../ui/use-chosen.ts';
import { usePage } from '../../../ui/use-page.ts';
import { When } from '../../../ui/when.tsx';
import { ClawBackDialog } from '../../claw-back/claw-back-dialog.tsx';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { PartsPage } from './parts-page.tsx';
import { PayoutLink } from './payout-link.tsx';

export function ClawbacksView() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const isWaiting = query.waiting === 'true';
  const page = usePage(
    listClawbacksOptions({
      path: { publisherId },
      query: {
        group: query.group,
        ...(isWaiting && { waiting: true }),
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
  );
  const shownColumns = useMemo(columns, []);
  const { ids, onSelect } = useChosen(page.data?.rows ?? [], refundIdOf);
  const csvPath = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/clawbacks.csv`;
  const { group } = query;
  const waiting = isWaiting ? 'true' : undefined;
  return (
    <PartsPage
      here="taken-back"
      tools={<ViewsMenu list="clawbacks" />}
      exports={
        may('export') && (
          <ExportButton
            path={csvPath}
            query={{ group, waiting }}
            label={t('Export CSV')}
            amount={undefined}
            filters={describeFilters({
              ...(group !== undefined && { group }),
              ...(waiting !== undefined && { waiting }),
            })}
            columns={t(
              'All columns: time, group, creator, currency, amount, purchase, status, and the payout that deducted it.',
            )}
          />
        )
      }
      about={t('Amounts reversed after they were paid. The creator’s next payout deducts them.')}
    >
      <Stack>
        {may('payouts') && <PurchaseForm />}
        <FilterBar
          fieldNames={['waiting']}
          fields={
            <FilterSelect
              name="waiting"
              label={t('Clawbacks')}
              all={t('All')}
              choices={[['true', t('Not deducted yet')]]}
            />
          }
        />
        <DataTable
          label={t('Clawbacks')}
          list="clawbacks"
          columns={shownColumns}
          page={page}
          rowKey={refundIdOf}
          selectionName={({ transactionId, name }) => `${transactionId} · ${name}`}
          {...(may('export') && { onSelect })}
          empty={
            <EmptyState icon="check" title={t('No clawbacks')}>
              {t('When a paid-out purchase is refunded, claw back the creator’s share here.')}
            </EmptyState>
          }
        />
      </Stack>
      <ExportChosen path={csvPath} ids={ids} />
    </PartsPage>
  );
}

const refundIdOf = ({ refundId }: Clawback): string => refundId;

function PurchaseForm() {
  const { query, setQuery } = useUrlState();
  const [typed, setTyped] = useState('');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') setQuery({ transaction: typed.trim() });
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('Purchase')}
          placeholder={t('For example {example}', { example: 'order-100' })}
          value={typed}
          maxLength={255}
          data-filter
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Button type="submit" variant="default" disabled={typed.trim() === ''}>
          {t('Claw back')}
        </Button>
      </Group>
      <ClawBackDialog
        transactionId={query.transaction ?? null}
        onClose={() => setQuery({ transaction: null }, 'replace')}
      />
    </form>
  );
}

const columns = (): Column<Clawback>[] => [
  {
    id: 'at',
    header: t('Date'),
    tone: 'quiet',
    isUnderName: 'first',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  {
    id: 'transaction',
    header: t('Purchase'),
    noWrap: true,
    cell: ({ transactionId }) => (
      <ScreenLink screen="transactions" query={{ open: transactionId }}>
        <ShortId id={transactionId} />
      </ScreenLink>
    ),
  },
  { id: 'name', header: t('Creator'), tone: 'strong', cell: ({ name }) => name },
  {
    id: 'status',
    header: t('Reason'),
    tone: 'quiet',
    hiddenBelow: 'sm',
    cell: ({ status, isReinstated }) =>
      isReinstated ? (
        <>
          {status}
          <Text size="xs" c="dimmed">
            {t('reinstated')}
          </Text>
        </>
      ) : (
        status
      ),
  },
  {
    id: 'amount',
    header: t('Amount'),
    tone: 'strong',
    align: 'end',
    cell: ({ amountMinor, currency }) => <Money minor={`-${amountMinor}`} currency={currency} isSigned />,
  },
  {
    id: 'payout',
    header: t('Deducted from'),
    hiddenBelow: 'md',
    cell: ({ payoutId }) =>
      payoutId === null ? (
        <Text size="sm" c="dimmed">
          {t('next payout')}
        </Text>
      ) : (
        <PayoutLink to={payoutId}>{t('View payout')}</PayoutLink>
      ),
  },
];
