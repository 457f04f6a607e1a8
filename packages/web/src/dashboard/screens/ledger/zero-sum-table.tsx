import { Box, Stack, Table, Text } from '@mantine/core';
import type { ZeroSum } from '../../../client/types.gen.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import classes from './ledger.module.css';

/** Table with a row for each currency. The terms of each row add up to zero. */
export function ZeroSumTable({ zeroSums, at }: { zeroSums: readonly ZeroSum[]; at: string }) {
  if (zeroSums.length === 0)
    return (
      <EmptyState icon="ledger" title={t('No earnings yet')}>
        {t('The first posted purchase opens the ledger of its currency.')}
      </EmptyState>
    );
  return (
    <Stack gap="xs">
      <Box className={classes.scroller}>
        <Table withTableBorder className={classes.sums} aria-label={t('Totals by currency')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Currency')}</Table.Th>
              <Table.Th scope="col">{t('Earned')}</Table.Th>
              <Table.Th scope="col">{t('− Reversed')}</Table.Th>
              <Table.Th scope="col">{t('+ Bounties')}</Table.Th>
              <Table.Th scope="col">{t('− Paid')}</Table.Th>
              <Table.Th scope="col">{t('− Owed')}</Table.Th>
              <Table.Th scope="col">{t('= 0')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {zeroSums.map((sum) => (
              <Table.Tr key={sum.currency}>
                <Table.Th scope="row">{sum.currency}</Table.Th>
                <Amount minor={sum.earnedMinor} currency={sum.currency} />
                <Amount minor={sum.reversedMinor} currency={sum.currency} />
                <Amount minor={sum.bountiesMinor} currency={sum.currency} />
                <Amount minor={sum.paidMinor} currency={sum.currency} />
                <Amount minor={sum.owedMinor} currency={sum.currency} />
                <Table.Td>
                  {sum.differenceMinor === '0' ? (
                    <StatusBadge tone="good">0</StatusBadge>
                  ) : (
                    <Text component="span" fw={600}>
                      <Money minor={sum.differenceMinor} currency={sum.currency} isSigned />
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Text size="sm" c="dimmed">
        {t('As of')} <When at={at} precision="second" />
      </Text>
    </Stack>
  );
}

const Amount = ({ minor, currency }: { minor: string; currency: string }) => (
  <Table.Td>
    <Money minor={minor} currency={currency} isSigned />
  </Table.Td>
);
