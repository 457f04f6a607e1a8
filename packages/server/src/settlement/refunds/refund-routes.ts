import { type Static, Type } from 'typebox';
import { getTransaction } from '../../attributions/get-transaction.ts';
import { transactionId, transactionTags } from '../../attributions/transaction-schema.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { operation } from '../../platform/http/operation.ts';
import { bodyErrors, errorBody, secretErrors } from '../../platform/http/schemas/schemas.ts';
import { parseTimestamp } from '../../platform/timestamps.ts';
import type { Reversal } from '../reverse-payment.ts';
import { type PurchaseRefund, readRefunds } from './read-refunds.ts';
import type { RefundRequest } from './refund-purchase.ts';
import { newRefund, refund, toRefund } from './refund-schema.ts';

export interface RefundDeps {
  db: Db;
  refundPurchase: (db: Db, actor: Actor, request: RefundRequest) => Promise<PurchaseRefund>;
}

const path = { transactionId };
const url = '/v1/attributions/transactions/:transactionId/refunds';

/** Registers the operations for partial refunds (D51). */
export function refundRoutes(app: App, { db, refundPurchase }: RefundDeps): void {
  operation(
    app,
    ['post', url, 'refundTransaction'],
    {
      config: { key: 'secret' },
      summary: 'Refund a transaction or part of it',
      description:
        'Refunds an amount of a transaction in one commit, and takes back the shares in the same proportion. A record keeps the status `Normal` until it is fully refunded. Repeating the request returns the first refund and changes nothing, so retries are safe.',
      tags: transactionTags,
      path,
      body: newRefund,
      answer: refund,
      errors: {
        400: errorBody(
          'InvalidInput: the body is invalid, or the amount is more than what is left of the transaction.',
        ),
        404: errorBody('NotFound: no transaction has this transactionId.'),
        409: errorBody(
          'Conflict: a record was already paid out or has the status Test, or the refundId was used for another refund of the transaction.',
        ),
        ...bodyErrors,
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const { transactionId } = request.params;
      const made = await refundPurchase(
        db,
        request.actor,
        toRequest({ publisherId, transactionId }, request.body),
      );
      return toRefund(made);
    },
  );
  operation(
    app,
    ['get', url, 'listRefunds'],
    {
      config: { key: 'secret' },
      summary: 'List the refunds of a transaction',
      description:
        'Lists everything that was taken back from a transaction, oldest first: refunds, status changes and clawbacks.',
      tags: transactionTags,
      path,
      answer: Type.Array(refund),
      errors: {
        400: errorBody('InvalidInput: the transactionId is invalid.'),
        404: errorBody('NotFound: no transaction has this transactionId.'),
        ...secretErrors,
      },
    },
    async (request) => {
      const { publisherId } = request.principal;
      const { transactionId: id } = request.params;
      const refunds = await readRefunds(db, publisherId, id);
      if (refunds.length === 0) await getTransaction(db, publisherId, id);
      return refunds.map(toRefund);
    },
  );
}

/** Converts a body that has passed its schema. */
export function toRequest(
  of: Pick<RefundRequest, 'publisherId' | 'transactionId'>,
  { refundId, amount, rows, reason, occurredAt }: Static<typeof newRefund>,
): RefundRequest {
  const occurredMs = occurredAt === undefined ? null : parseTimestamp(occurredAt);
  return {
    ...of,
    refundId,
    amountMinor: amount === undefined ? null : BigInt(amount),
    rows:
      rows?.map((row) => ({
        id: row.id.toLowerCase(),
        amountMinor: row.amount === undefined ? null : BigInt(row.amount),
      })) ?? null,
    reversal: reason as Reversal,
    occurredAt: occurredMs === null ? null : new Date(occurredMs),
  };
}
