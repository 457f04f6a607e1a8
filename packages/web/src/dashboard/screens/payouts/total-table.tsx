import { Table } from '@mantine/core';
import { Money } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { t } from '../../../ui/text.ts';
import classes from './payouts.module.css';
import { type CurrencyTotal, totalsByCurrency } from './use-run-preview.ts';

interface NotInFile {
  /** Amounts that no payment file contains, several of which may have the same currency. */
  notInFile: readonly { currency: string; totalMinor: string }[];
}

interface TotalTableProps extends NotInFile {
  /** Names of the columns of counts. A phone has no room for them if some amounts are in no file. */
  counts: readonly string[];
  rows: readonly { currency: string; totalMinor: string; counts: readonly number[] }[];
}

/** Amounts of a confirmation, one currency a row, with the numbers of what they consist of. */
export function TotalTable({ counts, rows, notInFile }: TotalTableProps) {
  const left = new Map(totalsByCurrency(notInFile).map(({ currency, totalMinor }) => [currency, totalMinor]));
  const countsFrom = left.size > 0 ? 'sm' : undefined;
  return (
    <Scroller label={t('Totals to confirm')}>
      <Table className={classes.sums} verticalSpacing={4} aria-label={t('Totals to confirm')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Currency')}</Table.Th>
            <Table.Th scope="col">{t('Amount')}</Table.Th>
            {left.size > 0 && <Table.Th scope="col">{t('Not in a file')}</Table.Th>}
            {counts.map((name) => (
              <Table.Th key={name} scope="col" visibleFrom={countsFrom}>
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
              {left.size > 0 && (
                <Table.Td>
                  <Money minor={left.get(currency)} currency={currency} isBare />
                </Table.Td>
              )}
              {counts.map((name, index) => (
                <Table.Td key={name} visibleFrom={countsFrom}>
                  {formatCount(counted[index] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

/** Totals of payouts, with the number of payouts in each currency. */
export const PayoutTotals = ({ totals, notInFile }: NotInFile & { totals: readonly CurrencyTotal[] }) => (
  <TotalTable
    counts={[t('Payouts')]}
    rows={totals.map(({ count, ...total }) => ({ ...total, counts: [count] }))}
    notInFile={notInFile}
  />
);
