import { Box, Stack, Table, Text } from '@mantine/core';
import { Suspense } from 'react';
import type { ZeroSum } from '../../../client/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { FigureLink } from '../../figure-link.tsx';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { notCanceled } from '../payouts/payout-choices.ts';
import classes from './ledger.module.css';

/** Table with a row for each currency. The terms of each row add up to zero. */
export function ZeroSumTable({ zeroSums, at }: { zeroSums: readonly ZeroSum[]; at: string }) {
  if (zeroSums.length === 0)
    return (
      <Suspense>
        <BeforeMoney icon="ledger" title={t('No earnings yet')}>
          {t('The first posted purchase opens its currency’s ledger.')}
        </BeforeMoney>
      </Suspense>
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
                <Amount
                  minor={sum.paidMinor}
                  currency={sum.currency}
                  screen="payouts/made"
                  query={{ currency: sum.currency, status: notCanceled }}
                />
                <Amount
                  minor={sum.owedMinor}
                  currency={sum.currency}
                  screen="payouts/owed"
                  query={{ currency: sum.currency }}
                />
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

interface AmountProps {
  minor: string;
  currency: string;
  /** Screen and filters that list the sum's rows; absent if there are none. */
  screen?: string;
  query?: Readonly<Record<string, string>>;
}

const Amount = ({ minor, currency, screen = '', query }: AmountProps) => (
  <Table.Td>
    <FigureLink screen={screen} query={minor === '0' ? null : (query ?? null)}>
      <Money minor={minor} currency={currency} isSigned />
    </FigureLink>
  </Table.Td>
);
