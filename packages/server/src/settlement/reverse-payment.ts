import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../attributions/posted.ts';
import { lockMembers } from '../members/lock-members.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { posting } from './ledger.ts';
import { lockForReversal } from './settlement-lock.ts';

export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/**
 * Function that removes a reversed row from bounties. Passed as a parameter, because settlement cannot import
 * the bounties slice.
 */
export type UncountRow = (tx: Tx, publisherId: string, attributionId: AttributionId) => Promise<void>;

export interface RowReversal {
  publisherId: string;
  attributionId: AttributionId;
  /** True for a row created as Test, which never has a payment. The row's member is locked all the same. */
  isTest: boolean;
  /** Reversal to apply; null to only check that the payment is not in a payout. */
  reversal: Reversal | null;
}

/**
 * Locks a row's member and payment. With a reversal, also inserts a refund record and reverses the payment.
 * Only the first refund record reverses money; Fraud also sets the fraud flag. A row that is not posted yet
 * is only marked, and its money is reversed when the row is posted. The caller writes the audit log entry,
 * because the caller knows how the row changed.
 * @returns false, with nothing changed, when the payment is already in a payout
 */
export async function reversePayment(
  { uncountRow }: { uncountRow: UncountRow },
  tx: Tx,
  { publisherId, attributionId, isTest, reversal }: RowReversal,
): Promise<boolean> {
  // The reversal must commit entirely before or entirely after a payout's cutoff.
  if (reversal !== null && !isTest) await lockForReversal(tx, publisherId);
  await lockMembership(tx, publisherId, attributionId);
  if (isTest) return true;
  if (reversal !== null) await storePayment(tx, publisherId, attributionId);
  const payment = await tx
    .selectFrom('payment')
    .select(['payout_batch_id', 'payout_payment_id', 'reversed_at'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .forUpdate()
    .executeTakeFirst();
  if (payment !== undefined && (payment.payout_batch_id !== null || payment.payout_payment_id !== null))
    return false;
  if (reversal === null || payment === undefined) return true;

  const isFirst = payment.reversed_at === null;
  await recordReversal(tx, publisherId, { attributionId, reversal, reversesMoney: isFirst });
  if (isFirst && (await isRowPosted(tx, publisherId, attributionId))) {
    await returnMoney(tx, publisherId, attributionId, 'refund');
    await uncountRow(tx, publisherId, attributionId);
  }
  return true;
}

/**
 * Stores a row's payment, unless it is already stored. A payment is first stored when the row is reversed or
 * assigned to a payout.
 */
async function storePayment(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> {
  await sql`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor
    from attribution
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    on conflict (publisher_id, attribution_id) do nothing`.execute(tx);
}

/**
 * Inserts a refund record, and marks the locked payment as reversed.
 * @param reversesMoney true for the first reversal of a payment; later reversals only add a record
 * @returns the time of the first reversal
 */
export async function recordReversal(
  tx: Tx,
  publisherId: string,
  { attributionId, reversal, reversesMoney }: ReversalRecord,
): Promise<Date> {
  await tx
    .insertInto('refund_record')
    .values({
      publisher_id: publisherId,
      refund_id: newRowId(),
      attribution_id: attributionId,
      action: reversal,
      reverses_money: reversesMoney,
    })
    .execute();
  const now = await readMoment(tx);
  const { rows } = await sql<{ reversed_at: Date }>`
    update payment
    set reversed_at = coalesce(reversed_at, ${now}), is_fraud = is_fraud or ${reversal === 'Fraud'}
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    returning reversed_at`.execute(tx);
  const [payment] = rows;
  if (payment === undefined) throw new Error('a locked payment disappeared');
  return payment.reversed_at;
}

interface ReversalRecord {
  attributionId: AttributionId;
  reversal: Reversal;
  reversesMoney: boolean;
}

/** Locks a row's membership. Memberships are locked before payments everywhere, which prevents deadlocks. */
export const lockMembership = (tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`
      select membership_id
      from attribution
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`,
  );

/** The result cannot change while the caller holds the lock on the row's member. */
async function isRowPosted(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<boolean> {
  const { rows } = await sql<{ posted: boolean }>`
    select ${isPosted(publisherId, 'a')} as posted
    from attribution a
    where a.publisher_id = ${publisherId} and a.attribution_id = ${attributionId}::uuid`.execute(tx);
  return rows[0]?.posted === true;
}

export async function returnMoney(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  kind: 'refund' | 'adjustment',
): Promise<void> {
  await sql`
    with returned as materialized (
      select attribution_id as subject_id, ${kind}::text as kind, group_id, membership_id, code, currency, subtotal_minor,
             -share_minor as amount_minor, (transaction_date at time zone 'UTC')::date as day
      from attribution
      where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    ),
    ${posting(publisherId, 'returned')},
    of_member as (
      update earning_rollup e
      set ${withReversal('e')}
      from returned r
      where e.publisher_id = ${publisherId} and e.membership_id = r.membership_id and e.day = r.day and e.code = r.code
        and e.currency = r.currency
      returning 1
    )
    update group_rollup g
    set ${withReversal('g')}
    from returned r
    where g.publisher_id = ${publisherId} and g.group_id = r.group_id and g.day = r.day and g.currency = r.currency
      and (select count(*) from of_member) >= 0 -- runs after of_member, in the order of posting`.execute(tx);
}

const withReversal = (rollup: string): RawBuilder<unknown> => sql`
  reversed_count = ${sql.ref(`${rollup}.reversed_count`)} + 1,
  reversed_gross_minor = ${sql.ref(`${rollup}.reversed_gross_minor`)} + r.subtotal_minor,
  reversed_share_minor = ${sql.ref(`${rollup}.reversed_share_minor`)} - r.amount_minor`;
