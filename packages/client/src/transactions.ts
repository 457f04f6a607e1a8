import type {
  GetTransactionData,
  ListTransactionsData,
  NewReinstatement,
  NewTransaction,
  Refund,
  RefundOutcome,
  Reinstatement,
  Transaction,
  TransactionUpdate,
  UpdateTransactionsData,
  WrappedTransaction,
} from './api.generated.ts';
import { type Call, callOf, mapRaw } from './call.ts';
import { AlreadyRecorded } from './errors.ts';
import type { Money } from './money.ts';
import {
  createTransactions,
  getTransaction,
  listRefunds,
  listTransactions,
  refundTransaction,
  refundTransactions,
  reinstateRefund,
  updateTransactions,
} from './operations.ts';
import { Pages, type ReadPage } from './pages.ts';
import {
  checkCurrencies,
  hasAmount,
  type PurchaseRefund,
  type RefundOfPurchase,
  refundToWire,
} from './refunds.ts';
import { ApiError } from './request-error.ts';
import { type Options, type OrDates, Resource } from './resource.ts';
import type { CallOptions, Raw } from './send.ts';

/** Purchase to credit to a creator. */
export type Purchase = Omit<
  OrDates<NewTransaction>,
  'subtotal' | 'currency' | 'total' | 'totalCurrency' | 'status'
> & {
  /** Price without tax, at least one minor unit. The creator's share is a percentage of it. */
  readonly subtotal: Money;
  /** Amount that the buyer paid. The default is `subtotal`. */
  readonly total?: Money;
  /** `Test` for a purchase that never earns anything. The default is `Normal`. */
  readonly status?: 'Normal' | 'Test';
};

export interface Recorded {
  /** One row for each purchase, in the same order. */
  readonly rows: Transaction[];
  /** True if an earlier request with the same content had recorded them: a retry, or the same call of another process. */
  readonly replayed: boolean;
}

export interface TransactionPage {
  readonly rows: Transaction[];
  /** Cursor of the next page, which `list({ cursor })` continues with; null on the last page. */
  readonly nextCursor: string | null;
  /** Number of rows on all pages, if the list was started with `page`; otherwise null. */
  readonly totalCount: number | null;
}

type RecordOptions = CallOptions & {
  /** Creator group. The default is the publisher's default group. */
  readonly groupId?: string;
  /** True to make the sent codes the codes of their players, from `transactionDate` on (`playerCodes`). Default: false. */
  readonly attach?: boolean;
};

/** Purchases that are credited to creators. */
export class Transactions extends Resource {
  /**
   * Records a purchase, or a list of 1 to 1,000 purchases, of which either all are saved or none. To split a purchase, send
   * a list with one `transactionId`. When this resolves, the purchases are on disk.
   *
   * Recording is safe to repeat, now or in a year: purchases with the same `transactionId` and the same content are
   * returned as they were saved, with `replayed: true`.
   *
   * ```sh
   * curl $BASE/v1/attributions/transactions?repeat=return -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '{"transactionId":"order-100","code":"ALICE","description":"Battle pass","subtotal":999,"currency":"USD","transactionDate":"2026-05-01T12:00:00Z"}'
   * ```
   * The code `@player` credits the code that the player has entered (`playerCodes`).
   * @throws CodeNotInGroup if a code is not of an approved member of the group, or the player of `@player` had no code
   * @throws AlreadyRecorded if a `transactionId` was used for other content
   * @throws CurrencyDisabled if the group has disabled a currency
   * @throws InvalidInput if a value is missing or invalid
   * @throws InvalidGroup if the group doesn't exist
   */
  record(purchase: Purchase | readonly Purchase[], options: RecordOptions = {}): Call<Recorded> {
    const body = Array.isArray(purchase) ? purchase.map(toWire) : toWire(purchase as Purchase);
    const sent = this.raw<WrappedTransaction | WrappedTransaction[]>(
      createTransactions,
      { ...options, ...{ repeat: 'return' } },
      { body },
    ).catch(async (error) => {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      const { groupId: _, attach: __, ...call } = options;
      throw new AlreadyRecorded(error, await this.#rowsOf([body].flat(), call).catch(() => []));
    });
    return callOf(
      mapRaw(sent, ({ data, headers }) => ({
        rows: [data].flat().map(({ transaction }) => transaction),
        replayed: headers.has('x-idempotent-replay'),
      })),
    );
  }

  /**
   * Returns the rows of a purchase in the order in which they were recorded, from any group.
   *
   * ```sh
   * curl $BASE/v1/attributions/transactions/order-100 -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws NotFound if no such purchase was recorded
   */
  get(transactionId: string, options: Options<GetTransactionData> = {}): Call<Transaction[]> {
    const path = { transactionId };
    return callOf(mapRaw(this.raw<WrappedTransaction[]>(getTransaction, options, { path }), unwrapped));
  }

  /**
   * Lists purchases, by default the newest first. `for await` reads one page after another, 500 rows each unless
   * `pageSize` (1 to 1,000) says otherwise; `.pages()` returns the pages. With `updatedSince`, the rows are in the order of
   * their last change, and none is missed.
   *
   * ```sh
   * curl "$BASE/v1/attributions/transactions?status=refund&status=chargeback" -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws MemberNotFound while reading, if the filter by `playerId`, `memberId`, `providerId` or `code` matches no member
   * @throws InvalidCursor while reading, if `cursor` belongs to a list with other filters
   */
  list(options: Options<ListTransactionsData> = {}): Pages<TransactionPage, Transaction> {
    const read = async (
      at: Options<ListTransactionsData>,
    ): Promise<ReadPage<TransactionPage, Transaction>> => {
      const raw = await this.raw<WrappedTransaction[]>(listTransactions, at);
      const rows = unwrapped(raw);
      const nextCursor = raw.headers.get('x-next-cursor');
      const count = raw.headers.get('x-total-count');
      const totalCount = count === null ? null : Number(count);
      const next = nextOf(at, nextCursor, totalCount);
      return { page: { rows, nextCursor, totalCount }, items: rows, next: next && (() => read(next)) };
    };
    return new Pages(() => read(options));
  }

  /**
   * Changes the status of a purchase to `Refund`, `Fraud` or `Chargeback`, overwrites the buyer's `playerId`, or both. The
   * first status change takes back what is left of the creator's share. To refund a part, use `refund`.
   *
   * ```sh
   * curl -X PATCH $BASE/v1/attributions/transactions/order-100 -H "X-SHARED-SECRET: $KEY" -d action=Refund
   * ```
   * @throws Conflict if a row was already paid out; the rows before it were updated
   * @throws NotFound if no such purchase was recorded
   */
  update(
    transactionId: string,
    update: TransactionUpdate,
    options: Options<UpdateTransactionsData> = {},
  ): Call<Transaction[]> {
    const parts = { path: { transactionId }, body: update };
    return callOf(mapRaw(this.raw<WrappedTransaction[]>(updateTransactions, options, parts), unwrapped));
  }

  /**
   * Refunds a purchase or a part of it. The same `refundId` is refunded once, so use the payment provider's id. With an
   * amount, the purchase is read first, because the service takes the amount in the currency of the purchase.
   *
   * ```sh
   * curl $BASE/v1/attributions/transactions/order-100/refunds -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '{"refundId":"re_2001","amount":200,"reason":"Refund"}'
   * ```
   * @throws RangeError if an amount is not in the currency of the purchase; nothing was refunded
   * @throws InvalidInput if the amount is greater than what is left
   * @throws Conflict if the `refundId` was used for another amount or reason, or if a row is a test or was paid out
   * @throws NotFound if no such purchase was recorded
   */
  refund(transactionId: string, refund: PurchaseRefund, options: CallOptions = {}): Call<Refund> {
    return callOf(this.#refund(transactionId, refund, options));
  }

  async #refund(transactionId: string, refund: PurchaseRefund, options: CallOptions): Promise<Raw<Refund>> {
    if (hasAmount(refund)) checkCurrencies(refund, await this.get(transactionId, options));
    return this.raw<Refund>(refundTransaction, options, {
      path: { transactionId },
      body: refundToWire(refund),
    });
  }

  /**
   * Makes 1 to 100 refunds, one after another, and returns the outcome of each in the same order: a `refund`, or an `error`. One
   * that fails doesn't stop the others. Amounts are checked against the purchases as in `refund`, before anything is refunded.
   *
   * ```sh
   * curl $BASE/v1/attributions/refunds -H "X-SHARED-SECRET: $KEY" -H 'Content-Type: application/json' \
   *   -d '[{"transactionId":"order-100","refundId":"re_2001","amount":200,"reason":"Refund"}]'
   * ```
   * @throws RangeError if an amount is not in the currency of its purchase
   * @throws InvalidInput if the list is invalid
   */
  refundAll(refunds: readonly RefundOfPurchase[], options: CallOptions = {}): Call<RefundOutcome[]> {
    return callOf(this.#refundAll(refunds, options));
  }

  async #refundAll(
    refunds: readonly RefundOfPurchase[],
    options: CallOptions,
  ): Promise<Raw<RefundOutcome[]>> {
    const saved = await this.#rowsOf(refunds.filter(hasAmount), options);
    for (const refund of refunds)
      checkCurrencies(
        refund,
        saved.filter(({ transactionId }) => transactionId === refund.transactionId),
      );
    const body = refunds.map(({ transactionId, ...refund }) => ({ transactionId, ...refundToWire(refund) }));
    return this.raw<RefundOutcome[]>(refundTransactions, options, { body });
  }

  /**
   * Returns everything that was taken back from a purchase, oldest first: refunds, status changes and clawbacks.
   *
   * ```sh
   * curl $BASE/v1/attributions/transactions/order-100/refunds -H "X-SHARED-SECRET: $KEY"
   * ```
   * @throws NotFound if no such purchase was recorded
   */
  refunds(transactionId: string, options: CallOptions = {}): Call<Refund[]> {
    return this.call<Refund[]>(listRefunds, options, { path: { transactionId } });
  }

  /**
   * Gives back what a refund took, for example after a won chargeback. Each refund is reinstated once.
   *
   * ```sh
   * curl $BASE/v1/attributions/transactions/order-100/refunds/re_2001/reinstate -H "X-SHARED-SECRET: $KEY" \
   *   -H 'Content-Type: application/json' -d '{"reason":"The bank rejected the refund."}'
   * ```
   * @throws Conflict if a row is in a payout that isn't marked as paid
   * @throws NotFound if there is no such purchase or refund
   */
  reinstate(
    transactionId: string,
    refundId: string,
    reinstatement: OrDates<NewReinstatement>,
    options: CallOptions = {},
  ): Call<Reinstatement> {
    return this.call<Reinstatement>(reinstateRefund, options, {
      path: { transactionId, refundId },
      body: reinstatement,
    });
  }

  /** Returns the saved rows of purchases. */
  async #rowsOf(
    purchases: readonly { transactionId: string }[],
    options: CallOptions,
  ): Promise<Transaction[]> {
    const ids = [...new Set(purchases.map(({ transactionId }) => transactionId))];
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return this.get(only, options);
    const rows: Transaction[] = [];
    for (let start = 0; start < ids.length; start += idsPerList) {
      const transactionId = ids.slice(start, start + idsPerList);
      for await (const row of this.list({ ...options, groupId: '*', transactionId })) rows.push(row);
    }
    return rows;
  }
}

/** Maximum number of transactionIds in a filter. */
const idsPerList = 100;

const unwrapped = ({ data }: Raw<WrappedTransaction[]>): Transaction[] =>
  data.map(({ transaction }) => transaction);

const toWire = ({ subtotal, total, ...rest }: Purchase) => ({
  ...rest,
  subtotal: subtotal.amount,
  currency: subtotal.currency,
  ...(total && { total: total.amount, totalCurrency: total.currency }),
});

/** Returns the options of the next page: by cursor, or by number if the list was started with `page`. */
function nextOf(
  at: Options<ListTransactionsData>,
  nextCursor: string | null,
  totalCount: number | null,
): Options<ListTransactionsData> | null {
  if (nextCursor !== null) return { ...at, cursor: nextCursor };
  const { page, pageSize = 500 } = at;
  if (page === undefined || totalCount === null || page * pageSize >= totalCount) return null;
  return { ...at, page: page + 1 };
}
