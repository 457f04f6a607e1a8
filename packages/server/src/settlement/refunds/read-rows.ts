import { sql } from 'kysely';
import { isPosted } from '../../attributions/posted.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import type { RefundableRow } from './plan-refund.ts';

export interface LockedRow extends RefundableRow {
  groupId: string;
  isPosted: boolean;
}

/** Reads the rows of a purchase, whose members are locked, so that nothing else changes their payments. */
export async function readRows(tx: Tx, publisherId: string, transactionId: string): Promise<LockedRow[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    group_id: string;
    is_test: boolean;
    currency: string;
    subtotal_minor: bigint;
    share_minor: bigint;
    refunded_minor: bigint;
    reversed_minor: bigint;
    is_assigned: boolean;
    is_posted: boolean;
  }>`
    select a.attribution_id, a.group_id, a.is_test, a.currency, a.subtotal_minor, a.share_minor,
           case when p.reversed_at is null then coalesce(p.refunded_minor, 0) else a.subtotal_minor end as refunded_minor,
           case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else a.share_minor end as reversed_minor,
           p.payout_batch_id is not null or p.payout_payment_id is not null as is_assigned,
           ${isPosted(publisherId, 'a')} as is_posted
    from attribution a
    left join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId}
    order by a.attribution_id`.execute(tx);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    groupId: row.group_id,
    isTest: row.is_test,
    currency: row.currency,
    subtotalMinor: row.subtotal_minor,
    shareMinor: row.share_minor,
    refundedMinor: row.refunded_minor,
    reversedMinor: row.reversed_minor,
    isAssigned: row.is_assigned,
    isPosted: row.is_posted,
  }));
}
