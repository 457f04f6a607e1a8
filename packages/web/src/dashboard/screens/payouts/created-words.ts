import type { Payout } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';

/**
 * Names the payouts that were created. Amounts in different currencies are listed, and the amount of a large
 * payout is not known until it is complete.
 */
export function createdWords(payouts: readonly Pick<Payout, 'status' | 'totalMinor' | 'currency'>[]): string {
  const count = payouts.length;
  if (payouts.some(({ status }) => status === 'Preparing'))
    return t('{count, plural, one {Payout is} other {# payouts are}} being created', { count });
  return t('{count, plural, one {Payout} other {# payouts}} created: {totals}', {
    count,
    totals: payouts.map(({ totalMinor, currency }) => formatMoney(totalMinor, currency)).join(', '),
  });
}
