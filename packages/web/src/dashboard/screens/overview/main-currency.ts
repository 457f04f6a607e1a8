import type { CurrencyOverview } from '../../../client/types.gen.ts';

export interface OrderedCurrencies {
  main: CurrencyOverview;
  /** Other currencies, starting with the one that has the most purchases. */
  others: readonly CurrencyOverview[];
}

/**
 * Picks the currency to show first: the first of the chosen currencies that has sums, otherwise the one with the
 * most purchases. @returns null if there are no sums
 */
export function orderCurrencies(
  sums: readonly CurrencyOverview[],
  chosen: readonly (string | null | undefined)[],
): OrderedCurrencies | null {
  const bySize = [...sums].sort((a, b) => Number(b.now.rowCount) - Number(a.now.rowCount));
  const wanted = chosen.map((currency) => bySize.find((each) => each.currency === currency));
  const main = wanted.find((each) => each !== undefined) ?? bySize[0];
  return main === undefined ? null : { main, others: bySize.filter((each) => each !== main) };
}
