import { Table } from '@mantine/core';
import { Money } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import classes from './payouts.module.css';
import type { CurrencyTotal } from './use-run-preview.ts';

interface TotalTableProps {
  /** Names of the columns of counts. */
  counts: readonly string[];
  rows: readonly { currency: string; totalMinor: string; counts: readonly number[] }[];
}

/** Amounts of a confirmation, one currency a row, with the numbers of what they consist of. */
export const TotalTable = ({ counts, rows }: TotalTableProps) => (
  <Table className={classes.sums} verticalSpacing={4} aria-label={t('Totals to confirm')}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{t('Currency')}</Table.Th>
        {[t('Amount'), ...counts].map((name) => (
          <Table.Th key={name} scope="col">
            {name}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ currency, totalMinor, counts: counted }) => (
        <Table.Tr key={currency}>
          <Table.Th scope="row">{currency}</Table.Th>
          <Table.Td fw={600}>
            <Money minor={totalMinor} currency={currency} isBare />
          </Table.Td>
          {counts.map((name, index) => (
            <Table.Td key={name}>{formatCount(counted[index] ?? 0)}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** Totals of payouts, with the number of payouts in each currency. */
export const PayoutTotals = ({ totals }: { totals: readonly CurrencyTotal[] }) => (
  <TotalTable
    counts={[t('Payouts')]}
    rows={totals.map(({ count, ...total }) => ({ ...total, counts: [count] }))}
  />
);
