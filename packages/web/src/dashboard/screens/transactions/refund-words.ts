import type { TransactionDetail } from '../../../client/types.gen.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { actionName } from './names.ts';

export type Refund = TransactionDetail['refunds'][number];

export function refundTitle(refund: Refund): string {
  const values = { status: actionName(refund.action), amount: amountsOf(refund, 'amountMinor') };
  switch (refund.source) {
    case 'Refund':
      return t('{status} of {amount}', values);
    case 'Clawback':
      return t('Clawed back ({status})', values);
    default:
      return t('Reversed ({status})', values);
  }
}

type Amount = 'amountMinor' | 'shareMinor';

/** Formats the sums of a refund's rows by currency. */
export const amountsOf = (refund: Refund, amount: Amount): string =>
  sumsOf(refund, amount)
    .map(([currency, minor]) => formatMoney(String(minor), currency))
    .join(' + ');

/** Returns the sums of a refund's rows by currency, in minor units. */
export function sumsOf({ rows }: Refund, amount: Amount): [currency: string, minor: bigint][] {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0n) + BigInt(row[amount]));
  return [...sums];
}
