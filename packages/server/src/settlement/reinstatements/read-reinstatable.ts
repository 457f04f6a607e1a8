import { sql } from 'kysely';
import { isPosted } from '../../attributions/posted.ts';
import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId, RefundId } from '../../platform/database/tables.generated.ts';
import type { Reversal } from '../reverse-payment.ts';
import type { ReinstatableRow, StandingRecord } from './plan-reinstatement.ts';

export interface LockedRow extends ReinstatableRow {
  groupId: string;
  currency: string;
  isPosted: boolean;
  /** `unpaid` while the row is in a payout that hasn't been marked as paid. */
  payout: 'none' | 'unpaid' | 'paid';
}

/**
 * Reads rows with their refund records that have not been reinstated. The caller must have locked the rows' members, so
 * that nothing else changes their payments.
 */
export async function readReinstatable(
  tx: Tx,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<LockedRow[]> {
  const records = await readStanding(tx, publisherId, attributionIds);
  const { rows } = await sql<{
    attribution_id: AttributionId;
    group_id: string;
    currency: string;
    subtotal_minor: bigint;
    share_minor: bigint;
    refunded_minor: bigint;
    reversed_minor: bigint;
    status: TransactionStatus;
    is_assigned: boolean;
    is_paid: boolean;
    is_posted: boolean;
  }>`
    select a.attribution_id, a.group_id, a.currency, a.subtotal_minor, a.share_minor, a.status,
           case when p.reversed_at is null then coalesce(p.refunded_minor, 0) else a.subtotal_minor end as refunded_minor,
           case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else a.share_minor end as reversed_minor,
           p.payout_batch_id is not null or p.payout_payment_id is not null as is_assigned,
           coalesce(p.paid_at, b.paid_at) is not null as is_paid,
           ${isPosted(publisherId, 'a')} as is_posted
    from attribution a
    join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = p.payout_batch_id
    where a.publisher_id = ${publisherId} and a.attribution_id = any(${[...attributionIds]}::uuid[])
    order by a.attribution_id`.execute(tx);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    groupId: row.group_id,
    currency: row.currency,
    subtotalMinor: row.subtotal_minor,
    shareMinor: row.share_minor,
    refundedMinor: row.refunded_minor,
    reversedMinor: row.reversed_minor,
    status: row.status,
    records: records.get(row.attribution_id) ?? [],
    isPosted: row.is_posted,
    payout: !row.is_assigned ? 'none' : row.is_paid ? 'paid' : 'unpaid',
  }));
}

async function readStanding(
  tx: Tx,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<Map<AttributionId, StandingRecord[]>> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    refund_id: RefundId;
    action: Reversal;
    is_whole: boolean;
    gross_minor: bigint;
  }>`
    select r.attribution_id, r.refund_id, r.action, r.sent_refund_id is null and c.refund_id is null as is_whole,
           case when r.reverses_money then coalesce(r.gross_minor, a.subtotal_minor) else 0 end as gross_minor
    from refund_record r
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = r.attribution_id
    left join clawback c on c.publisher_id = ${publisherId} and c.refund_id = r.refund_id
    left join reinstatement i on i.publisher_id = ${publisherId} and i.refund_id = r.refund_id
    where r.publisher_id = ${publisherId} and r.attribution_id = any(${[...attributionIds]}::uuid[])
      and i.refund_id is null
    order by r.created_at, r.refund_id`.execute(tx);
  const records = new Map<AttributionId, StandingRecord[]>();
  for (const row of rows) {
    const ofRow = records.get(row.attribution_id) ?? [];
    records.set(row.attribution_id, ofRow);
    ofRow.push({
      refundId: row.refund_id,
      action: row.action,
      isWhole: row.is_whole,
      grossMinor: row.gross_minor,
    });
  }
  return records;
}
