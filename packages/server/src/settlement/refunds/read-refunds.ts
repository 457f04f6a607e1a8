import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId, RefundId } from '../../platform/database/tables.generated.ts';
import type { Reversal } from '../reverse-payment.ts';

/** Action that took money back: a refund with an id, a status change, or a clawback. */
export type RefundSource = 'Refund' | 'StatusChange' | 'Clawback';

/** Refund of a purchase or of a part of it. */
export interface PurchaseRefund {
  transactionId: string;
  /** The publisher's id; for a status change or a clawback, the id of its first record. */
  refundId: string;
  source: RefundSource;
  reversal: Reversal;
  occurredAt: Date;
  createdAt: Date;
  rows: RefundedRow[];
  /** Null while the refund is in effect. */
  reinstated: { reason: string; occurredAt: Date; at: Date } | null;
}

export interface RefundedRow {
  attributionId: AttributionId;
  currency: string;
  /** Part of the subtotal that was refunded; 0 if an earlier refund had taken everything. */
  amountMinor: bigint;
  /** Part of the share that was taken back. */
  shareMinor: bigint;
  /** Records of the refund, which a reinstatement undoes. */
  recordIds: RefundId[];
}

/**
 * Maximum number of records read: a hundred refunds of a purchase with a thousand rows, and a status change of each
 * row.
 */
const maxRecords = 101_000;

interface RecordRow {
  transaction_id: string;
  attribution_id: AttributionId;
  currency: string;
  refund_id: RefundId;
  sent_refund_id: string | null;
  is_clawback: boolean;
  refund_key: string | null;
  action: Reversal;
  occurred_at: Date;
  created_at: Date;
  gross_minor: bigint;
  share_minor: bigint;
  reinstated_for: string | null;
  reinstated_as_of: Date | null;
  reinstated_at: Date | null;
}

/**
 * Reads what was taken back from a purchase, oldest first. A status change is one refund, even if it was repeated,
 * because each row of the purchase is changed in its own commit. After a reinstatement, the same status is a new
 * refund.
 * @param refundId the id of one refund; null for all
 */
export async function readRefunds(
  db: Db | Tx,
  publisherId: string,
  transactionId: string,
  refundId: string | null = null,
): Promise<PurchaseRefund[]> {
  const all = await read(db, publisherId, sql`a.transaction_id = ${transactionId}`);
  return refundId === null ? all : all.filter((refund) => refund === findRefund(all, refundId));
}

/** Reads what was taken back from one row of a purchase, oldest first. */
export const readRefundsOfRow = (
  db: Db | Tx,
  publisherId: string,
  attributionId: AttributionId,
): Promise<PurchaseRefund[]> => read(db, publisherId, sql`a.attribution_id = ${attributionId}::uuid`);

async function read(
  db: Db | Tx,
  publisherId: string,
  condition: RawBuilder<unknown>,
): Promise<PurchaseRefund[]> {
  const { rows } = await sql<RecordRow>`
    select a.transaction_id, a.attribution_id, a.currency, r.refund_id, r.sent_refund_id, c.refund_id is not null as is_clawback,
           i.refund_key, r.action, coalesce(h.occurred_at, r.created_at) as occurred_at,
           coalesce(h.created_at, r.created_at) as created_at,
           case when r.reverses_money then coalesce(r.gross_minor, a.subtotal_minor) else 0 end as gross_minor,
           case when r.reverses_money then coalesce(r.share_minor, a.share_minor) else 0 end as share_minor,
           t.reason as reinstated_for, t.occurred_at as reinstated_as_of, t.created_at as reinstated_at
    from attribution a
    join refund_record r on r.publisher_id = ${publisherId} and r.attribution_id = a.attribution_id
    left join purchase_refund h
      on h.publisher_id = ${publisherId} and h.transaction_id = a.transaction_id and h.sent_refund_id = r.sent_refund_id
    left join clawback c on c.publisher_id = ${publisherId} and c.refund_id = r.refund_id
    left join reinstatement i on i.publisher_id = ${publisherId} and i.refund_id = r.refund_id
    left join purchase_reinstatement t
      on t.publisher_id = ${publisherId} and t.transaction_id = a.transaction_id and t.refund_key = i.refund_key
    where a.publisher_id = ${publisherId} and ${condition}
    order by r.created_at, r.sent_refund_id, r.attribution_id, r.refund_id
    limit ${maxRecords}`.execute(db);
  const refunds = new Map<string, PurchaseRefund>();
  for (const row of rows) addRecord(refunds, row);
  return [...refunds.values()];
}

/**
 * Returns the refund with an id. An id that the publisher chose takes precedence over one that the service assigned.
 */
export function findRefund(refunds: readonly PurchaseRefund[], refundId: string): PurchaseRefund | undefined {
  return (
    refunds.find((refund) => refund.source === 'Refund' && refund.refundId === refundId) ??
    refunds.find((refund) => refund.source !== 'Refund' && refund.refundId === refundId.toLowerCase())
  );
}

function addRecord(refunds: Map<string, PurchaseRefund>, row: RecordRow): void {
  const source = row.sent_refund_id !== null ? 'Refund' : row.is_clawback ? 'Clawback' : 'StatusChange';
  const id = row.sent_refund_id ?? row.refund_key ?? row.refund_id;
  const key = source === 'StatusChange' ? `${row.action} ${row.refund_key ?? ''}` : `${source} ${id}`;
  const refund = refunds.get(key) ?? {
    transactionId: row.transaction_id,
    refundId: id,
    source,
    reversal: row.action,
    occurredAt: row.occurred_at,
    createdAt: row.created_at,
    rows: [],
    reinstated:
      row.reinstated_for === null || row.reinstated_at === null
        ? null
        : {
            reason: row.reinstated_for,
            occurredAt: row.reinstated_as_of ?? row.reinstated_at,
            at: row.reinstated_at,
          },
  };
  refunds.set(key, refund);
  const known = refund.rows.find(({ attributionId }) => attributionId === row.attribution_id);
  if (known === undefined)
    refund.rows.push({
      attributionId: row.attribution_id,
      currency: row.currency,
      amountMinor: row.gross_minor,
      shareMinor: row.share_minor,
      recordIds: [row.refund_id],
    });
  else {
    known.amountMinor += row.gross_minor;
    known.shareMinor += row.share_minor;
    known.recordIds.push(row.refund_id);
  }
}
