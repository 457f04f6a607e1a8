import { Stack, Table, Text } from '@mantine/core';
import { Suspense } from 'react';
import type { ZeroSum } from '../../../client/types.gen.ts';
import { Money, negated } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { When } from '../../../ui/when.tsx';
import { FigureLink } from '../../figure-link.tsx';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { notPaidYet } from '../payouts/payout-choices.ts';
import classes from './ledger.module.css';

/** Sums of each currency. Their terms add up to zero. */
export function ZeroSumTable({ zeroSums, at }: { zeroSums: readonly ZeroSum[]; at: string }) {
  const isNarrow = useNarrow();
  if (zeroSums.length === 0)
    return (
      <Suspense>
        <BeforeMoney icon="ledger" title={t('No earnings yet')}>
          {t('A currency appears here once its first purchase is posted.')}
        </BeforeMoney>
      </Suspense>
    );
  return (
    <Stack gap="xs">
      {isNarrow ? <StackedSums zeroSums={zeroSums} /> : <WideSums zeroSums={zeroSums} />}
      <Text size="sm" c="dimmed">
        {t('As of')} <When at={at} precision="second" />
      </Text>
    </Stack>
  );
}

interface Sums {
  zeroSums: readonly ZeroSum[];
}

/**
 * Terms of a currency's equation, in order, each with the screen that lists its rows. Amounts have the same signs as on
 * Month: what was reversed is negative, and the net is the sum before it. The others add up to the net.
 */
const termsOf = (sum: ZeroSum): readonly (AmountProps & { name: string })[] => {
  const { currency } = sum;
  const made = (minor: string, status: string) => ({
    minor,
    currency,
    screen: 'payouts/made',
    query: { currency, status },
  });
  const paidMinor = String(BigInt(sum.paidMinor) - BigInt(sum.toBePaidMinor));
  const reversedMinor = negated(sum.reversedMinor);
  const netMinor = String(BigInt(sum.earnedMinor) + BigInt(reversedMinor) + BigInt(sum.bountiesMinor));
  return [
    { name: t('Earned'), minor: sum.earnedMinor, currency },
    { name: t('Reversed'), minor: reversedMinor, currency },
    { name: t('Bounties'), minor: sum.bountiesMinor, currency },
    { name: t('Net'), minor: netMinor, currency, isMain: true },
    { name: t('Paid'), ...made(paidMinor, 'Paid') },
    { name: t('To be paid'), ...made(sum.toBePaidMinor, notPaidYet) },
    { name: t('Net owed'), minor: sum.owedMinor, currency, screen: 'payouts/owed', query: { currency } },
  ];
};

function WideSums({ zeroSums }: Sums) {
  const [first] = zeroSums;
  return (
    <Scroller label={t('Totals by currency')}>
      <Table className={classes.sums} aria-label={t('Totals by currency')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Currency')}</Table.Th>
            {first !== undefined &&
              termsOf(first).map(({ name }) => (
                <Table.Th key={name} scope="col">
                  {name}
                </Table.Th>
              ))}
            <Table.Th scope="col">{t('Difference')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {zeroSums.map((sum) => (
            <Table.Tr key={sum.currency}>
              <Table.Th scope="row">{sum.currency}</Table.Th>
              {termsOf(sum).map(({ name, ...amount }) => (
                <Table.Td key={name} className={classes.amount}>
                  <Amount {...amount} />
                </Table.Td>
              ))}
              <Table.Td>
                <Difference sum={sum} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

/** On a phone, each currency has a table of its own, with a row for each term. */
const StackedSums = ({ zeroSums }: Sums) =>
  zeroSums.map((sum) => (
    <Table key={sum.currency} className={classes.sums} aria-label={t('Totals in {currency}', sum)}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="colgroup" colSpan={2} c="var(--mantine-color-text)" fw={600}>
            {sum.currency}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {termsOf(sum).map(({ name, ...amount }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              <Amount {...amount} />
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row">{t('Difference')}</Table.Th>
          <Table.Td>
            <Difference sum={sum} />
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  ));

const Difference = ({ sum: { differenceMinor, currency } }: { sum: ZeroSum }) =>
  differenceMinor === '0' ? (
    <StatusBadge tone="good">0</StatusBadge>
  ) : (
    <Text component="span" fw={600}>
      <Money minor={differenceMinor} currency={currency} isSigned />
    </Text>
  );

interface AmountProps {
  minor: string;
  currency: string;
  /** Screen and filters that list the sum's rows; absent if there are none. */
  screen?: string;
  query?: Readonly<Record<string, string>>;
  /** True for the net, which the amounts after it add up to. */
  isMain?: boolean;
}

const Amount = ({ minor, currency, screen = '', query, isMain = false }: AmountProps) =>
  minor === '0' ? (
    <Text span c="dimmed" size="sm">
      <Money minor={minor} currency={currency} />
    </Text>
  ) : (
    <Text span size="sm" fw={isMain ? 600 : 400}>
      <FigureLink screen={screen} query={query ?? null}>
        <Money minor={minor} currency={currency} isSigned />
      </FigureLink>
    </Text>
  );
