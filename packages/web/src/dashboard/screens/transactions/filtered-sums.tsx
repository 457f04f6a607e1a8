import { Box, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sumTransactionsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { SumTransactionsData, TransactionSum } from '../../../client/types.gen.ts';
import { Money, negated } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import classes from './filtered-sums.module.css';

interface FilteredSumsProps {
  publisherId: string;
  /** Filters of the list. */
  query: NonNullable<SumTransactionsData['query']>;
}

/**
 * Sums of the purchases that the filters list, by currency, unless there are too many to add up. A failure leaves only the sums
 * out, because the list shows its own.
 */
export function FilteredSums({ publisherId, query }: FilteredSumsProps) {
  const isNarrow = useNarrow();
  const { data } = useQuery(sumTransactionsOptions({ path: { publisherId }, query }));
  if (data?.currencies.length === 0) return null;
  const { currencies = [], isExact = true, maxRows = 0 } = data ?? {};
  const ByCurrency = isNarrow ? NarrowSumsTable : SumsTable;
  // A line is kept free, so that the list doesn't move when the sums arrive.
  return (
    <Box component="section" mih="1.4rem" mb="xs" aria-label={t('Totals for the listed purchases')}>
      {!isExact ? (
        <Text size="sm" c="dimmed">
          {t('Totals are shown for up to {rows} transactions. Filter further to see them.', {
            rows: formatCount(maxRows),
          })}
        </Text>
      ) : currencies.length > (isNarrow ? 0 : 1) ? (
        <ByCurrency sums={currencies} />
      ) : (
        currencies.map((sum) => <SumsLine key={sum.currency} sum={sum} />)
      )}
    </Box>
  );
}

/** Sums of one currency in a line. */
const SumsLine = ({ sum }: { sum: TransactionSum }) => (
  <Group gap="0 16px">
    {amountsOf(sum).map(([name, minor]) => (
      <Text key={name} size="sm" span>
        {name} <Money minor={minor} currency={sum.currency} isSigned />
      </Text>
    ))}
    <Text size="sm" c="dimmed" span>
      {countOf(sum)}
    </Text>
  </Group>
);

/** Sums of several currencies below each other, so that amounts line up. */
const SumsTable = ({ sums }: { sums: readonly TransactionSum[] }) => (
  <Table
    className={classes.sums}
    aria-label={t('Totals by currency')}
    withRowBorders={false}
    verticalSpacing={2}
  >
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{t('Currency')}</Table.Th>
        <Table.Th scope="col">{t('Transactions')}</Table.Th>
        <Table.Th scope="col">{t('Sales')}</Table.Th>
        <Table.Th scope="col">{t('Earned')}</Table.Th>
        <Table.Th scope="col">{t('Reversed')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {sums.map((sum) => (
        <Table.Tr key={sum.currency}>
          <Table.Th scope="row">{sum.currency}</Table.Th>
          <Table.Td>{formatCount(sum.rowCount)}</Table.Td>
          {[sum.grossMinor, sum.shareMinor, negated(sum.reversedShareMinor)].map((minor, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns don't change
            <Table.Td key={index}>
              <Money minor={minor} currency={sum.currency} isSigned />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** Sums on a phone, which has room for two columns of amounts. Sales are below what was earned from them. */
function NarrowSumsTable({ sums }: { sums: readonly TransactionSum[] }) {
  const hasReversed = sums.some(({ reversedShareMinor }) => reversedShareMinor !== '0');
  return (
    <Table className={classes.narrow} aria-label={t('Totals by currency')} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('Currency')}</Table.Th>
          <Table.Th scope="col">{t('Earned')}</Table.Th>
          {hasReversed && <Table.Th scope="col">{t('Reversed')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sums.map((sum) => (
          <Table.Tr key={sum.currency}>
            <Table.Th scope="row">
              {sum.currency}
              <Text size="xs" c="dimmed">
                {countOf(sum)}
              </Text>
            </Table.Th>
            <Table.Td>
              <Money minor={sum.shareMinor} currency={sum.currency} isSigned isBare />
              <Text size="xs" c="dimmed">
                {t('Sales')} <Money minor={sum.grossMinor} currency={sum.currency} isBare />
              </Text>
            </Table.Td>
            {hasReversed && (
              <Table.Td>
                <Money minor={negated(sum.reversedShareMinor)} currency={sum.currency} isSigned isBare />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const amountsOf = (sum: TransactionSum): readonly (readonly [string, string])[] => [
  [t('Sales'), sum.grossMinor],
  [t('Earned'), sum.shareMinor],
  ...(sum.reversedShareMinor === '0' ? [] : [[t('Reversed'), negated(sum.reversedShareMinor)] as const]),
];

const countOf = ({ rowCount }: TransactionSum): string =>
  t('{count, plural, one {{rows} transaction} other {{rows} transactions}}', {
    count: rowCount,
    rows: formatCount(rowCount),
  });
