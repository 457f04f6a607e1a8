import { formatExact } from './exact.ts';
import { formatAmount, formatMoney } from './money.tsx';
import { formatPercent } from './percent.tsx';
import { t } from './text.ts';

/** The rule for rounding, in plain words. docs/money.md calls it half-even. */
export const roundingRule = (): string =>
  t('Rounded to the nearest amount. Exact halves go to the even amount, so rounding favors neither side.');

interface Calculation {
  subtotalMinor: string;
  percent: number;
  /** Share before rounding, in minor units with decimals. */
  exact: string;
  shareMinor: string;
  currency: string;
}

/**
 * Formats the calculation of a share: `9.99 × 50% = 4.995 → 5.00 USD, rounded`. Creators and support compare
 * these lines, so the portal and the dashboard use the same one.
 */
export function arithmetic({ subtotalMinor, percent, exact, shareMinor, currency }: Calculation): string {
  const parts = {
    subtotal: formatAmount(subtotalMinor, currency),
    percent: formatPercent(percent),
    share: formatMoney(shareMinor, currency),
  };
  return exact === shareMinor
    ? t('{subtotal} × {percent} = {share}', parts)
    : t('{subtotal} × {percent} = {exact} → {share}, rounded', {
        ...parts,
        exact: formatExact(exact, currency),
      });
}
