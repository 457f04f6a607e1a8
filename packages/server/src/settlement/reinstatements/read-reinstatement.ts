import { sql } from 'kysely';
import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';

/** Reinstatement of a refund. */
export interface PurchaseReinstatement {
  transactionId: string;
  /** Id of the refund. */
  refundId: string;
  reason: string;
  occurredAt: Date;
  createdAt: Date;
  rows: ReinstatedRow[];
}

export interface ReinstatedRow {
  attributionId: AttributionId;
  currency: string;
  /** Part of the subtotal that was given back; 0 if another reversal of the row is still in effect. */
  amountMinor: bigint;
  /** Part of the share that was given back. */
  shareMinor: bigint;
  /** Current status of the row. */
  status: TransactionStatus;
}

/** Reads a reinstatement, which must exist. */
export async function readReinstatement(
  tx: Tx,
  publisherId: string,
  transactionId: string,
  refundId: string,
): Promise<PurchaseReinstatement> {
  const head = await tx
    .selectFrom('purchase_reinstatement')
    .select(['reason', 'occurred_at', 'created_at'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', transactionId)
    .where('refund_key', '=', refundId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{
    attribution_id: AttributionId;
    currency: string;
    amount_minor: bigint;
    share_minor: bigint;
    status: TransactionStatus;
  }>`
    select a.attribution_id, a.currency, sum(i.gross_minor)::bigint as amount_minor, sum(i.share_minor)::bigint as share_minor,
           a.status
    from attribution a
    join reinstatement i
      on i.publisher_id = ${publisherId} and i.attribution_id = a.attribution_id and i.refund_key = ${refundId}
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId}
    group by a.publisher_id, a.attribution_id
    order by a.attribution_id`.execute(tx);
  return {
    transactionId,
    refundId,
    reason: head.reason,
    occurredAt: head.occurred_at,
    createdAt: head.created_at,
    rows: rows.map((row) => ({
      attributionId: row.attribution_id,
      currency: row.currency,
      amountMinor: row.amount_minor,
      shareMinor: row.share_minor,
      status: row.status,
    })),
  };
}
