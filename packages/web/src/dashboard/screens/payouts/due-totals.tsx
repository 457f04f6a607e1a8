import { Box, Stack, Table, Text } from '@mantine/core';
import type { PreviewSum, PreviewTotals } from '../../../client/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import classes from './payouts.module.css';

/** Totals by currency. Amounts in different currencies are never added together. */
export function DueTotals({ totals }: { totals: readonly PreviewTotals[] }) {
  if (totals.length === 0) return null;
  return (
    <Box className={classes.scroller}>
      <Table withTableBorder aria-label={t('Totals by currency')} className={classes.sums}>
        <DueSumsHead first={t('Currency')} />
        <Table.Tbody>
          {totals.map((each) => (
            <DueSums key={each.currency} totals={each} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

/** @param first header of the first column */
export function DueSumsHead({ first }: { first: string }) {
  const isNarrow = useNarrow();
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">{first}</Table.Th>
        <Table.Th scope="col">{t('Due')}</Table.Th>
        {!isNarrow && (
          <>
            <Table.Th scope="col">{t('Below minimum')}</Table.Th>
            <Table.Th scope="col">{t('Owes you')}</Table.Th>
            <Table.Th scope="col">{t('Later')}</Table.Th>
          </>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}

/**
 * Row with the due and waiting amounts in one currency. On a phone, the waiting amounts are below the due
 * amount.
 */
export function DueSums({
  totals: { currency, due, belowMinimum, repaying, later },
}: {
  totals: PreviewTotals;
}) {
  const isNarrow = useNarrow();
  const others = [
    [t('Below minimum'), belowMinimum],
    [t('Owes you'), repaying],
    [t('Later'), later],
  ] as const;
  if (isNarrow)
    return (
      <Table.Tr>
        <Table.Th scope="row">{currency}</Table.Th>
        <Table.Td>
          <Sum sum={due} currency={currency} isMain />
          {others.map(
            ([name, { totalMinor, memberCount }]) =>
              memberCount > 0 && (
                <Text key={name} size="xs" c="dimmed">
                  {name}: <Money minor={totalMinor} currency={currency} isSigned />
                </Text>
              ),
          )}
        </Table.Td>
      </Table.Tr>
    );
  return (
    <Table.Tr>
      <Table.Th scope="row">{currency}</Table.Th>
      <Table.Td>
        <Sum sum={due} currency={currency} isMain />
      </Table.Td>
      {others.map(([name, sum]) => (
        <Table.Td key={name}>
          <Sum sum={sum} currency={currency} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Sum({
  sum: { totalMinor, memberCount },
  currency,
  isMain = false,
}: {
  sum: PreviewSum;
  currency: string;
  isMain?: boolean;
}) {
  return (
    <Stack gap={0} align="flex-end">
      <Text component="span" size={isMain ? 'lg' : 'sm'} fw={isMain ? 600 : 400}>
        <Money minor={totalMinor} currency={currency} isSigned />
      </Text>
      <Text component="span" size="xs" c="dimmed">
        {t('{count, plural, =0 {no creators} one {# creator} other {# creators}}', { count: memberCount })}
      </Text>
    </Stack>
  );
}
