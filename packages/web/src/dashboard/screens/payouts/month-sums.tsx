import { Table, Text } from '@mantine/core';
import type { MonthSum } from '../../../client/types.gen.ts';
import { Hint } from '../../../ui/hint.tsx';
import { HintLine } from '../../../ui/hint-line.tsx';
import { Money, negated, unknown } from '../../../ui/money.tsx';
import { Scroller } from '../../../ui/scroller.tsx';
import { t } from '../../../ui/text.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { FigureLink } from '../../figure-link.tsx';
import { useGroupNames } from '../../group-name.tsx';
import { countedStatuses, purchasesOf, reversedStatuses } from '../../purchases-of.ts';
import { monthFrom } from './months.ts';
import classes from './payouts.module.css';

/** Sums of a month by currency and group. If several groups use a currency, its total comes first. */
export function MonthSums({ sums: read, month }: { sums: readonly MonthSum[]; month: string }) {
  const isNarrow = useNarrow();
  const groupName = useGroupNames();
  const sums = withNet(read);
  const purchases = (sum: MonthSum, status: string) =>
    purchasesOf({
      group: sum.groupId,
      from: `${month}-01`,
      until: `${monthFrom(month, 1)}-01`,
      status,
      currency: sum.currency,
      isOnlyCurrency: sums.every(
        (each) => each.groupId !== sum.groupId || each.currency === sum.currency || each.earnedCount === 0,
      ),
    });
  const shown = shownAmounts(sums);
  const byCurrency = [...Map.groupBy(sums, ({ currency }) => currency)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return (
    <Scroller label={t('Totals by group and currency')}>
      <Table className={classes.sums} aria-label={t('Totals by group and currency')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Group')}</Table.Th>
            <Table.Th scope="col">{isNarrow && shown.includes('netMinor') ? t('Net') : t('Earned')}</Table.Th>
            {!isNarrow &&
              shown.map((amount) => (
                <Table.Th key={amount} scope="col">
                  {nameOf(amount)}
                  {amount === 'paidMinor' && <Hint about={nameOf(amount)}>{paidDefinition()}</Hint>}
                </Table.Th>
              ))}
          </Table.Tr>
        </Table.Thead>
        {byCurrency.map(([currency, some]) => (
          <Table.Tbody key={currency}>
            {some.length > 1 && (
              <SumsRow name={currency} sum={totalOf(some)} currency={currency} shown={shown} isTotal />
            )}
            {some.map((sum) => (
              <SumsRow
                key={sum.groupId}
                name={groupName(sum.groupId)}
                isOfTotal={some.length > 1}
                sum={sum}
                currency={currency}
                shown={shown}
                earned={sum.earnedCount === 0 ? null : purchases(sum, countedStatuses)}
                reversed={sum.reversedCount === 0 ? null : purchases(sum, reversedStatuses)}
              />
            ))}
          </Table.Tbody>
        ))}
      </Table>
      {isNarrow && shown.includes('paidMinor') && (
        <Text size="sm" component="div">
          <HintLine about={nameOf('paidMinor')} text={t('Paid also includes purchases from earlier months.')}>
            {paidDefinition()}
          </HintLine>
        </Text>
      )}
    </Scroller>
  );
}

/** Returns the definition of the paid amount. */
const paidDefinition = (): string =>
  t(
    'Payouts marked as paid this month. They include amounts from earlier months, so Paid can exceed Net. Failed and returned payments are included.',
  );

type Amounts = Record<'earnedMinor' | OtherAmount, string>;
type Filters = ReturnType<typeof purchasesOf>;

/** Amounts beside the earned amount. */
const otherAmounts = ['reversedMinor', 'bountiesMinor', 'netMinor', 'paidMinor'] as const;
type OtherAmount = (typeof otherAmounts)[number];

const nameOf = (amount: OtherAmount): string =>
  ({
    reversedMinor: t('Reversed'),
    bountiesMinor: t('Bounties'),
    netMinor: t('Net'),
    paidMinor: t('Paid'),
  })[amount];

const withNet = (sums: readonly MonthSum[]) => sums.map((sum) => ({ ...sum, netMinor: netOf(sum) }));

/** Returns the amounts to show. One that is always zero is left out, and so is a net that equals what was earned. */
const shownAmounts = (sums: readonly Amounts[]): readonly OtherAmount[] =>
  otherAmounts.filter((amount) =>
    sums.some((sum) => sum[amount] !== (amount === 'netMinor' ? sum.earnedMinor : '0')),
  );

/** Returns the sentence that defines the net by the amounts that are shown; null if no net is shown. */
export function netText(sums: readonly MonthSum[]): string | null {
  const shown = shownAmounts(withNet(sums));
  if (!shown.includes('netMinor')) return null;
  if (!shown.includes('bountiesMinor')) return t('Net = Earned + Reversed.');
  return shown.includes('reversedMinor')
    ? t('Net = Earned + Reversed + Bounties.')
    : t('Net = Earned + Bounties.');
}

const netOf = ({ earnedMinor, reversedMinor, bountiesMinor }: MonthSum): string =>
  String(BigInt(earnedMinor) - BigInt(reversedMinor) + BigInt(bountiesMinor));

function totalOf(sums: readonly Amounts[]): Amounts {
  const total = (name: keyof Amounts): string =>
    String(sums.reduce((sum, each) => sum + BigInt(each[name]), 0n));
  return {
    earnedMinor: total('earnedMinor'),
    reversedMinor: total('reversedMinor'),
    bountiesMinor: total('bountiesMinor'),
    netMinor: total('netMinor'),
    paidMinor: total('paidMinor'),
  };
}

/** Row of a group's amounts, or of their total. On a phone, the other amounts are below the net. */
function SumsRow({
  name,
  sum,
  currency,
  shown,
  earned = null,
  reversed = null,
  isTotal = false,
  isOfTotal = false,
}: {
  name: string;
  sum: Amounts;
  currency: string;
  shown: readonly OtherAmount[];
  /** Filters that list the purchases of the amounts; null if no filters list exactly these. */
  earned?: Filters;
  reversed?: Filters;
  isTotal?: boolean;
  /** True for a group whose currency is in the row of the total above. */
  isOfTotal?: boolean;
}) {
  const isNarrow = useNarrow();
  const weight = isTotal ? 600 : 400;
  const others = shown.map(
    (amount) =>
      [
        nameOf(amount),
        amount === 'reversedMinor' ? negated(sum[amount]) : sum[amount],
        amount === 'reversedMinor' ? reversed : null,
      ] as const,
  );
  const head = (
    <>
      <Table.Th scope="row" fw={weight} {...(isOfTotal && { className: classes.ofTotal })}>
        {name}
        {!isTotal && !isOfTotal && (
          <Text span c="dimmed" size="sm">
            {' '}
            {currency}
          </Text>
        )}
      </Table.Th>
    </>
  );
  if (isNarrow) {
    const isNetEarned = sum.netMinor === sum.earnedMinor;
    const below = [[t('Earned'), sum.earnedMinor, earned] as const, ...others].filter(
      ([label, minor]) =>
        minor !== '0' && label !== nameOf('netMinor') && (label !== t('Earned') || !isNetEarned),
    );
    return (
      <Table.Tr>
        {head}
        <Table.Td fw={weight}>
          <FigureLink screen="transactions" query={isNetEarned ? earned : null}>
            <Money minor={sum.netMinor} currency={currency} isSigned={!isNetEarned} />
          </FigureLink>
          {below.map(([label, minor, query]) => (
            <Text key={label} size="xs" c="dimmed">
              {label}:{' '}
              <FigureLink screen="transactions" query={query}>
                <Money minor={minor} currency={currency} isSigned />
              </FigureLink>
            </Text>
          ))}
        </Table.Td>
      </Table.Tr>
    );
  }
  return (
    <Table.Tr>
      {head}
      <Table.Td fw={weight}>
        <FigureLink screen="transactions" query={earned}>
          <Money minor={sum.earnedMinor} currency={currency} />
        </FigureLink>
      </Table.Td>
      {others.map(([label, minor, query]) => (
        <Table.Td key={label} fw={weight}>
          {minor === '0' ? (
            <Text span c="dimmed" size="sm">
              {unknown}
            </Text>
          ) : (
            <FigureLink screen="transactions" query={query}>
              <Money minor={minor} currency={currency} isSigned />
            </FigureLink>
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
