import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import type { Reversal } from '../reverse-payment.ts';

/** Refund of a purchase or of a part of it. */
export interface PurchaseRefund {
  transactionId: string;
  /** The publisher's id; null for a status change and for a clawback, which concern one row each. */
  refundId: string | null;
  reversal: Reversal;
  occurredAt: Date;
  createdAt: Date;
  rows: RefundedRow[];
}

export interface RefundedRow {
  attributionId: AttributionId;
  currency: string;
  /** Part of the subtotal that was refunded. */
  amountMinor: bigint;
  /** Part of the share that was taken back. */
  shareMinor: bigint;
}

/** Maximum number of records read: a hundred refunds of a purchase with a thousand rows, and a status change each. */
const maxRecords = 101_000;

/**
 * Reads what was taken back from a purchase, oldest first.
 * @param refundId the publisher's id of one refund; null for all
 */
export async function readRefunds(
  db: Db | Tx,
  publisherId: string,
  transactionId: string,
  refundId: string | null = null,
): Promise<PurchaseRefund[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    currency: string;
    sent_refund_id: string | null;
    action: Reversal;
    occurred_at: Date;
    created_at: Date;
    gross_minor: bigint;
    share_minor: bigint;
  }>`
    select a.attribution_id, a.currency, r.sent_refund_id, r.action, coalesce(h.occurred_at, r.created_at) as occurred_at,
           coalesce(h.created_at, r.created_at) as created_at, coalesce(r.gross_minor, a.subtotal_minor) as gross_minor,
           coalesce(r.share_minor, a.share_minor) as share_minor
    from attribution a
    join refund_record r on r.publisher_id = ${publisherId} and r.attribution_id = a.attribution_id
    left join purchase_refund h
      on h.publisher_id = ${publisherId} and h.transaction_id = a.transaction_id and h.sent_refund_id = r.sent_refund_id
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId} and r.reverses_money
      ${refundId === null ? sql`` : sql`and r.sent_refund_id = ${refundId}`}
    order by r.created_at, r.sent_refund_id, r.attribution_id
    limit ${maxRecords}`.execute(db);
  const refunds = new Map<string, PurchaseRefund>();
  for (const row of rows) {
    const key = row.sent_refund_id === null ? `row ${row.attribution_id}` : `refund ${row.sent_refund_id}`;
    const refund = refunds.get(key) ?? {
      transactionId,
      refundId: row.sent_refund_id,
      reversal: row.action,
      occurredAt: row.occurred_at,
      createdAt: row.created_at,
      rows: [],
    };
    refunds.set(key, refund);
    refund.rows.push({
      attributionId: row.attribution_id,
      currency: row.currency,
      amountMinor: row.gross_minor,
      shareMinor: row.share_minor,
    });
  }
  return [...refunds.values()];
}
