import { Text } from '@mantine/core';
import type { ListedCreator } from '../../../client/types.gen.ts';
import { formatMoney, Money, unknown } from '../../../ui/money.tsx';
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

/** Creator's balances: the first, and beside it, or below it on a phone, the second or the number of others. */
export function Balances({ balances, first: firstCurrency }: BalancesProps) {
  const [first, ...others] = balances.toSorted(
    (one, other) =>
      Number(other.currency === firstCurrency) - Number(one.currency === firstCurrency) ||
      sizeOf(other) - sizeOf(one),
  );
  if (first === undefined) return unknown;
  return (
    <span className={classes.balances}>
      <Money minor={first.balanceMinor} currency={first.currency} isSigned />
      {others.length > 0 && (
        <Text
          span
          size="xs"
          c="dimmed"
          fw={400}
          title={others.map(({ balanceMinor, currency }) => formatMoney(balanceMinor, currency)).join(', ')}
        >
          {others.length === 1 && others[0] !== undefined
            ? formatMoney(others[0].balanceMinor, others[0].currency)
            : t('+{more, plural, one {# currency} other {# currencies}}', { more: others.length })}
        </Text>
      )}
    </span>
  );
}
