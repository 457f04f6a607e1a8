import { Box, Table, Text } from '@mantine/core';
import type { Payout } from '../../../client/types.gen.ts';
import { Money, unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import classes from './payouts.module.css';

interface PayoutSumsProps {
  payouts: readonly Payout[];
  /** True if the list has more pages, whose payouts are not included. */
  isPart: boolean;
}

/** Sums of the listed payouts by currency, as the list's foot. Canceled payouts pay no money, and are left out. */
export function PayoutSums({ payouts, isPart }: PayoutSumsProps) {
  const counted = payouts.filter(({ status }) => status !== 'Cancelled' && status !== 'Cancelling');
  if (counted.length < 2) return null;
  const sums = [...Map.groupBy(counted, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, all]) => ({
      currency,
      count: all.length,
      toBePaidMinor: totalOf(all.filter(({ status }) => status !== 'Paid')),
      paidMinor: totalOf(all.filter(({ status }) => status === 'Paid')),
    }));
  const label = isPart ? t('Totals for payouts on this page') : t('Totals for these payouts');
  return (
    <Box component="section" className={classes.foot}>
      <Table className={classes.sums} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{label}</Table.Th>
            <Table.Th scope="col">{t('To be paid')}</Table.Th>
            <Table.Th scope="col">{t('Paid')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sums.map(({ currency, count, toBePaidMinor, paidMinor }) => (
            <Table.Tr key={currency}>
              <Table.Th scope="row">
                {currency}{' '}
                <Text span size="xs" c="dimmed" fw={400}>
                  {t('{count, plural, one {# payout} other {# payouts}}', { count })}
                </Text>
              </Table.Th>
              <Table.Td fw={600}>
                <Amount minor={toBePaidMinor} currency={currency} />
              </Table.Td>
              <Table.Td>
                <Amount minor={paidMinor} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

const totalOf = (payouts: readonly Payout[]): string | null =>
  payouts.length === 0 ? null : String(payouts.reduce((sum, { totalMinor }) => sum + BigInt(totalMinor), 0n));

/** Amount, or a dash if there are no such payouts. */
const Amount = ({ minor, currency }: { minor: string | null; currency: string }) =>
  minor === null ? (
    <Text span size="sm" c="dimmed">
      {unknown}
    </Text>
  ) : (
    <Money minor={minor} currency={currency} />
  );
