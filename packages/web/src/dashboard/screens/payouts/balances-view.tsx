import { Group, Stack, Table, Text } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { listBalancesOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { BalanceOfMember, BalanceTotals } from '../../../client/types.gen.ts';
import { ClearFilters } from '../../../ui/clear-filters.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ExportButton } from '../../../ui/export-button.tsx';
import { ExportChosen } from '../../../ui/export-chosen.tsx';
import { FilterBar, FilterSelect } from '../../../ui/filter-bar.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { formatMoney, Money, unknown } from '../../../ui/money.tsx';
import { limitOf } from '../../../ui/pager.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useChosen } from '../../../ui/use-chosen.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { usePage } from '../../../ui/use-page.ts';
import { CreatorCell } from '../../creator-cell.tsx';
import { FigureLink } from '../../figure-link.tsx';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { GroupName } from '../../group-name.tsx';
import { usePublisher } from '../../session/session.ts';
import { describeFilters } from '../../views/describe-view.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { PartsPage } from './parts-page.tsx';
import classes from './payouts.module.css';

/** Creators' balances, negative balances first. */
export function BalancesView() {
  const { publisherId, may } = usePublisher();
  const { query } = useUrlState();
  const isNegativeOnly = query.owing === 'true';
  const isPositiveOnly = query.owing === 'false';
  const q = query.q !== undefined && query.q.length > 1 ? query.q : undefined;
  const columns = useMemo(balanceColumns, []);
  const page = usePage(
    listBalancesOptions({
      path: { publisherId },
      query: {
        group: query.group,
        currency: query.currency,
        q,
        ...((isNegativeOnly || isPositiveOnly) && { owing: isNegativeOnly }),
        cursor: query.cursor,
        limit: limitOf(query),
      },
    }),
  );
  const { ids, onSelect } = useChosen(page.data?.rows ?? [], keyOf);
  const csvPath = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/balances.csv`;
  const { group, currency } = query;
  const owing = isNegativeOnly || isPositiveOnly ? query.owing : undefined;
  return (
    <PartsPage
      here="owed"
      tools={<ViewsMenu list="balances" />}
      exports={
        may('export') && (
          <ExportButton
            path={csvPath}
            query={{ group, currency, q, owing }}
            label={t('Export CSV')}
            amount={page.data && countOf(page.data.totals, owing)}
            filters={describeFilters({
              ...(group !== undefined && { group }),
              ...(currency !== undefined && { currency }),
              ...(q !== undefined && { q }),
              ...(owing !== undefined && { owing }),
            })}
            columns={t('All columns: group, creator, currency, and balance.')}
          />
        )
      }
      about={t('All earnings, even on hold, minus reversals and payouts. Negative balances come first.')}
    >
      <Stack>
        <Totals totals={page.data?.totals ?? []} />
        <FilterBar
          search={{
            name: 'q',
            label: t('Name, code, or ID'),
            placeholder: t('For example {example}', { example: 'alice' }),
          }}
          fieldNames={['owing']}
          fields={
            <FilterSelect
              name="owing"
              isMain
              label={t('Balances')}
              all={t('All')}
              choices={[
                ['true', t('They owe you')],
                ['false', t('You owe them')],
              ]}
            />
          }
        />
        <DataTable
          label={t('Balances')}
          list="balances"
          columns={columns}
          page={page}
          rowKey={keyOf}
          selectionName={({ name, currency }) => `${name} · ${currency}`}
          sections={(page.data?.totals.length ?? 0) < 2 ? undefined : sectionsOf(page.data?.totals ?? [])}
          {...(may('export') && { onSelect })}
          empty={
            q !== undefined ? (
              <EmptyState
                icon="payouts"
                title={t('No matching balances')}
                action={<ClearFilters names={['q', 'owing']} />}
              >
                {t('No creator with a balance has this name, code, or ID.')}
              </EmptyState>
            ) : isNegativeOnly ? (
              <EmptyState icon="check" title={t('No negative balances')}>
                {t('A balance is negative when more was clawed back than the creator has earned since.')}
              </EmptyState>
            ) : (
              <Suspense>
                <BeforeMoney icon="check" title={t('No balances')}>
                  {t('Balances appear seconds after purchases are recorded.')}
                </BeforeMoney>
              </Suspense>
            )
          }
        />
      </Stack>
      <ExportChosen path={csvPath} ids={ids} max={100} />
    </PartsPage>
  );
}

const isOwing = ({ balanceMinor }: BalanceOfMember): boolean => balanceMinor.startsWith('-');

const keyOf = ({ groupId, memberId, currency }: BalanceOfMember): string =>
  `${groupId}/${memberId}/${currency}`;

/** Headings of the list: what is owed in each currency, on all pages. Negative balances come first. */
const sectionsOf = (totals: readonly BalanceTotals[]) => ({
  key: (balance: BalanceOfMember) => `${isOwing(balance) ? '-' : ''}${balance.currency}`,
  head: (key: string) => {
    const currency = key.replace('-', '');
    const found = totals.find((each) => each.currency === currency);
    if (found === undefined) return currency;
    return key.startsWith('-')
      ? t('{currency}: {count, plural, one {# creator owes} other {# creators owe}} you {amount}', {
          currency,
          count: found.owingCount,
          amount: formatMoney(found.owingMinor.replace('-', ''), currency),
        })
      : t('{currency}: you owe {amount} to {count, plural, one {# creator} other {# creators}}', {
          currency,
          count: found.owedCount,
          amount: formatMoney(found.owedMinor, currency),
        });
  },
});

/** Returns the number of balances in words. A creator has a balance in each currency. */
function countOf(totals: readonly BalanceTotals[], owing: string | undefined): string {
  const count = totals.reduce(
    (sum, { owingCount, owedCount }) =>
      sum + (owing === 'false' ? 0 : owingCount) + (owing === 'true' ? 0 : owedCount),
    0,
  );
  return t('{count, plural, one {# balance} other {# balances}}', { count });
}

const balanceColumns = (): Column<BalanceOfMember>[] => [
  {
    id: 'name',
    header: t('Creator'),
    tone: 'strong',
    isCut: true,
    cell: (balance) => <CreatorCell creator={balance} groupId={balance.groupId} />,
  },
  {
    id: 'group',
    header: t('Group'),
    noWrap: true,
    tone: 'quiet',
    isUnderName: true,
    cell: ({ groupId }) => <GroupName groupId={groupId} />,
  },
  {
    id: 'state',
    header: t('Status'),
    isUnderName: true,
    cell: (balance) => isOwing(balance) && <StatusBadge tone="bad">{t('Owes you')}</StatusBadge>,
    isBlank: (balance) => !isOwing(balance),
  },
  {
    id: 'balance',
    header: t('Balance'),
    tone: 'strong',
    align: 'end',
    cell: ({ balanceMinor, currency }) => <Money minor={balanceMinor} currency={currency} isSigned />,
  },
];

function Totals({ totals }: { totals: readonly BalanceTotals[] }) {
  const isNarrow = useNarrow();
  if (totals.length === 0) return null;
  return (
    <Scroller label={t('Totals by currency')}>
      <Table aria-label={t('Totals by currency')} className={classes.sums}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Currency')}</Table.Th>
            {!isNarrow && (
              <>
                <Table.Th scope="col">{t('You owe them')}</Table.Th>
                <Table.Th scope="col">{t('They owe you')}</Table.Th>
              </>
            )}
            <Table.Th scope="col">
              {t('Net owed')}
              <Hint about={t('Net owed')}>
                <div>
                  {t('What you owe creators minus what they owe you. Due now and the ledger show the same.')}
                </div>
                {totals.some(({ owingCount }) => owingCount > 0) && (
                  <div>
                    {t(
                      'Due now can show a larger overpayment, because balances include earnings that aren’t due yet.',
                    )}
                  </div>
                )}
              </Hint>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map(({ currency, owingMinor, owingCount, owedMinor, owedCount }) => (
            <Table.Tr key={currency}>
              <Table.Th scope="row">{currency}</Table.Th>
              {!isNarrow && (
                <>
                  <Table.Td>
                    <Sum currency={currency} owing="false" count={owedCount} minor={owedMinor} />
                  </Table.Td>
                  <Table.Td>
                    <Sum currency={currency} owing="true" count={owingCount} minor={owingMinor} />
                  </Table.Td>
                </>
              )}
              <Table.Td>
                <Money minor={String(BigInt(owedMinor) + BigInt(owingMinor))} currency={currency} isSigned />
                {isNarrow && owingCount > 0 && (
                  <Text component="div" size="xs" c="dimmed">
                    {owedCount > 0 && (
                      <div>
                        {t('You owe them:')} <Amount currency={currency} owing="false" minor={owedMinor} />
                      </div>
                    )}
                    <div>
                      {t('They owe you:')} <Amount currency={currency} owing="true" minor={owingMinor} />
                    </div>
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

interface AmountProps {
  currency: string;
  owing: 'true' | 'false';
  minor: string;
}

/** Sum of balances, linked to these balances. */
function Amount({ currency, owing, minor }: AmountProps) {
  const { group, q } = useUrlState().query;
  return (
    <FigureLink screen="payouts/owed" query={{ group, q, currency, owing }}>
      <Money minor={minor} currency={currency} isSigned={owing === 'true'} />
    </FigureLink>
  );
}

/** Sum of balances with its number of creators, or a dash if there are none. */
function Sum({ count, ...amount }: AmountProps & { count: number }) {
  if (count === 0)
    return (
      <Text span c="dimmed" size="sm">
        {unknown}
      </Text>
    );
  return (
    <Group component="span" className={classes.sum} gap="0 0.625rem" justify="flex-end">
      <Amount {...amount} />
      <Text size="xs" c="dimmed" span>
        {t('{count, plural, one {# creator} other {# creators}}', { count })}
      </Text>
    </Group>
  );
}
