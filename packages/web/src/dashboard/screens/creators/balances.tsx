import { Text } from '@mantine/core';
import type { ListedCreator } from '../../../client/types.gen.ts';
import { formatCompact, formatMoney, Money, unknown } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import classes from './creators.module.css';

type Balance = ListedCreator['balances'][number];

/**
 * Returns an amount's size regardless of its sign, to sort by. Minor units of different currencies are worth more
 * nearly the same than major units: 100 cents, but one yen.
 */
const sizeOf = ({ balanceMinor }: Balance): number => Math.abs(Number(balanceMinor));

interface BalancesProps extends Pick<ListedCreator, 'balances'> {
  /** Currency to show first; the one of the largest balance if absent. */
  first?: string | undefined;
}

/** Creator's balances: the first in full, and the second rounded beside it, or below it on a phone. */
export function Balances({ balances, first: firstCurrency }: BalancesProps) {
  const [first, ...others] = balances.toSorted(
    (one, other) =>
      Number(other.currency === firstCurrency) - Number(one.currency === firstCurrency) ||
      sizeOf(other) - sizeOf(one),
  );
  if (first === undefined) return unknown;
  const [second] = others;
  return (
    <span className={classes.balances}>
      <Money minor={first.balanceMinor} currency={first.currency} isSigned />
      {second !== undefined && (
        <Text
          span
          size="xs"
          c="dimmed"
          title={others.map(({ balanceMinor, currency }) => formatMoney(balanceMinor, currency)).join(', ')}
        >
          {formatCompact(second.balanceMinor, second.currency)}
          {others.length > 1 && ` ${t('+{more} more', { more: others.length - 1 })}`}
        </Text>
      )}
    </span>
  );
}
