import { sql } from 'kysely';
import { isPosted } from '../attributions/posted.ts';
import { lockMembers } from '../members/lock-members.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AttributionId, RefundId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { returnMoney, type TakenPart } from './return-money.ts';
import { lockForReversal } from './settlement-lock.ts';

export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/** Part of a row to remove from bounties. */
export interface UncountedPart {
  attributionId: AttributionId;
  /** Part of the subtotal; null for all of it. */
  grossMinor: bigint | null;
  /** True if nothing is left of the row, so that the row no longer counts. */
  isLast: boolean;
}

/**
 * Function that removes a part of a reversed row from bounties. Passed as a parameter, because settlement cannot
 * import the bounties slice.
 */
export type UncountRow = (tx: Tx, publisherId: string, part: UncountedPart) => Promise<void>;

export interface RowReversal {
  publisherId: string;
  attributionId: AttributionId;
  /** True for a row created as Test, which never has a payment. Its member is locked anyway. */
  isTest: boolean;
  /** Reversal to apply; null to only check that the payment isn't in a payout. */
  reversal: Reversal | null;
}

/**
 * Locks a row's member and payment. With a reversal, also inserts a refund record and takes back all that is
 * left of the payment. Once nothing is left, further refund records take back nothing; Fraud also sets the
 * fraud flag. A row that is not posted yet is only marked, and its money is taken back when the row is posted.
 * The caller writes the audit log entry, because the caller knows how the row changed.
 * @returns false, with nothing changed, when the payment is already in a payout
 */
export async function reversePayment(
  { uncountRow }: { uncountRow: UncountRow },
  tx: Tx,
  { publisherId, attributionId, isTest, reversal }: RowReversal,
): Promise<boolean> {
  // The reversal must commit either before or after a payout's cutoff, never across it.
  if (reversal !== null && !isTest) await lockForReversal(tx, publisherId);
  await lockMembership(tx, publisherId, attributionId);
  if (isTest) return true;
  if (reversal !== null) await storePayments(tx, publisherId, [attributionId]);
  const payment = await tx
    .selectFrom('payment')
    .select(['payout_batch_id', 'payout_payment_id', 'reversed_at'])
    .select(['share_minor', 'subtotal_minor', 'refunded_minor', 'reversed_minor'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .forUpdate()
    .executeTakeFirst();
  if (payment !== undefined && (payment.payout_batch_id !== null || payment.payout_payment_id !== null))
    return false;
  if (reversal === null || payment === undefined) return true;

  const isFirst = payment.reversed_at === null;
  const rest = restOf(payment);
  const { taken } = await recordReversal(tx, publisherId, {
    attributionId,
    reversal,
    reversesMoney: isFirst,
    rest,
  });
  if (isFirst && (await isRowPosted(tx, publisherId, attributionId))) {
    await returnMoney(tx, publisherId, [taken], 'refund');
    await uncountRow(tx, publisherId, taken);
  }
  return true;
}

/** Remainder of a payment after parts of it were taken back. */
export interface Rest {
  grossMinor: bigint;
  shareMinor: bigint;
}

/** Returns what is left of a payment; null if it was never taken back in parts or reinstated. */
export function restOf(payment: {
  share_minor: bigint;
  subtotal_minor: bigint | null;
  refunded_minor: bigint | null;
  reversed_minor: bigint | null;
}): Rest | null {
  const { share_minor, subtotal_minor, refunded_minor, reversed_minor } = payment;
  if (subtotal_minor === null || refunded_minor === null || reversed_minor === null) return null;
  return { grossMinor: subtotal_minor - refunded_minor, shareMinor: share_minor - reversed_minor };
}

/**
 * Stores the payments of rows, unless they are already stored. A payment is first stored when the row is
 * reversed or assigned to a payout.
 */
export async function storePayments(
  tx: Tx,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<void> {
  await sql`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor
    from attribution
    where publisher_id = ${publisherId} and attribution_id = any(${[...attributionIds]}::uuid[])
    order by attribution_id
    on conflict (publisher_id, attribution_id) do nothing`.execute(tx);
}

/**
 * Inserts a refund record for all that is left of the locked payment, and marks the payment as reversed.
 * @returns the time of the reversal, its record, and the money to take back
 */
export async function recordReversal(
  tx: Tx,
  publisherId: string,
  { attributionId, reversal, reversesMoney, rest }: ReversalRecord,
): Promise<{ at: Date; refundId: RefundId; taken: TakenPart }> {
  const refundId = newRowId<RefundId>();
  const now = await readMoment(tx);
  const part = reversesMoney ? rest : null;
  await tx
    .insertInto('refund_record')
    .values({
      publisher_id: publisherId,
      refund_id: refundId,
      attribution_id: attributionId,
      action: reversal,
      reverses_money: reversesMoney,
      created_at: now, // a payout's cutoff is compared with it
      ...(part !== null && { gross_minor: part.grossMinor, share_minor: part.shareMinor }),
    })
    .execute();
  const { rows } = await sql<{ reversed_at: Date }>`
    update payment
    set reversed_at = coalesce(reversed_at, ${now}), is_fraud = is_fraud or ${reversal === 'Fraud'}
        ${part === null ? sql`` : sql`, refunded_minor = subtotal_minor, reversed_minor = share_minor, part_at = ${now}`}
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    returning reversed_at`.execute(tx);
  const [payment] = rows;
  if (payment === undefined) throw new Error('a locked payment disappeared');
  return {
    at: payment.reversed_at,
    refundId,
    taken: {
      attributionId,
      subjectId: part === null ? attributionId : refundId,
      grossMinor: part?.grossMinor ?? null,
      shareMinor: part?.shareMinor ?? null,
      isLast: true,
    },
  };
}

interface ReversalRecord {
  attributionId: AttributionId;
  reversal: Reversal;
  /** False if the payment is already reversed, so that the record takes back nothing. */
  reversesMoney: boolean;
  /** Remainder of the payment after parts of it were taken back; null if no part was. */
  rest: Rest | null;
}

/** Locks a row's membership. To prevent deadlocks, memberships are always locked before payments. */
export const lockMembership = (tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`
      select membership_id
      from attribution
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`,
  );

/** The result can't change while the caller holds the lock on the row's member. */
async function isRowPosted(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<boolean> {
  const { rows } = await sql<{ posted: boolean }>`
    select ${isPosted(publisherId, 'a')} as posted
    from attribution a
    where a.publisher_id = ${publisherId} and a.attribution_id = ${attributionId}::uuid`.execute(tx);
  return rows[0]?.posted === true;
}
