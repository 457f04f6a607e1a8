import type { NewRefund, Transaction } from './api.generated.ts';
import type { Money } from './money.ts';
import type { OrDates } from './resource.ts';

/** Refund of a purchase or of part of it. */
export type PurchaseRefund = Omit<OrDates<NewRefund>, 'amount' | 'rows' | 'reason'> & {
  /** Amount of this refund without tax, in the currency of the purchase. The default is all that is left. */
  readonly amount?: Money;
  /** For a split purchase, the rows to refund. A row without `amount` is refunded completely. */
  readonly rows?: readonly { readonly id: string; readonly amount?: Money }[];
  /** The default is `Refund`. */
  readonly reason?: NewRefund['reason'];
};

/** Refund in a list. */
export type RefundOfPurchase = PurchaseRefund & { readonly transactionId: string };

export const hasAmount = ({ amount, rows }: PurchaseRefund): boolean =>
  amount !== undefined || rows?.some((row) => row.amount !== undefined) === true;

export const refundToWire = ({ amount, rows, reason = 'Refund', ...rest }: PurchaseRefund) => ({
  ...rest,
  reason,
  ...(amount && { amount: amount.amount }),
  ...(rows && { rows: rows.map(({ id, amount: part }) => ({ id, ...(part && { amount: part.amount }) })) }),
});

/**
 * Compares the amounts of a refund with the purchase. The service takes them in its currency, without a name.
 * @param saved rows of the purchase
 * @throws RangeError if the currencies differ
 */
export function checkCurrencies({ amount, rows = [] }: PurchaseRefund, saved: readonly Transaction[]): void {
  for (const { id, currency } of saved)
    for (const each of [amount, ...rows.filter((row) => row.id === id).map((row) => row.amount)])
      if (each !== undefined && each.currency !== currency)
        throw new RangeError(`The refund is in ${each.currency}, but the purchase is in ${currency}.`);
}
