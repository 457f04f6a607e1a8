import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockMembers } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { loweringMarks } from '../ledger.ts';
import { lockForReversal } from '../settlement-lock.ts';
import { type Hold, readHolds } from './read-holds.ts';
import { readHoldTimes, requireReason, saveRelease } from './save-holds.ts';

export interface Release {
  publisherId: string;
  holdId: string;
  /** Reason in the actor's own words, 1 to 500 characters. */
  reason: string;
}

/**
 * Ends a hold. Its rows are in the next payout that includes their dates.
 * @throws Refusal InvalidInput, NotFound; Conflict when the hold has already ended
 */
export function releaseHold(db: Db, actor: Actor, { publisherId, holdId, ...typed }: Release): Promise<Hold> {
  const reason = requireReason(typed.reason);
  return inTransaction(db, async (tx) => {
    // The release must commit entirely before or entirely after a payout's cutoff.
    await lockForReversal(tx, publisherId);
    const hold = await readHold(tx, publisherId, holdId);
    if (hold === null) throw new Refusal('NotFound', `Publisher ${publisherId} has no hold ${holdId}.`);
    await lockMembers(tx, publisherId, membershipsOf(publisherId, hold));
    const times = await readHoldTimes(tx, publisherId);
    if (hold.endsAt !== null && hold.endsAt <= times.clockAt)
      throw new Refusal('Conflict', `The hold already ended at ${hold.endsAt.toISOString()}.`);
    if (!(await saveRelease(tx, actor, { publisherId, holdId: hold.holdId, reason }, times)))
      throw new Refusal('Conflict', 'The hold was already released.');
    if (hold.row !== null) await lowerMark(tx, publisherId, hold.row.rowId);
    await recordChange(tx, actor, {
      publisherId,
      ...(hold.row === null
        ? { action: 'member.release', target: `member:${hold.memberId}` }
        : { action: 'transaction.release', target: `transaction:${hold.row.transactionId}` }),
      before: {
        hold: hold.holdId,
        ...(hold.row !== null && { row: hold.row.rowId }),
        ...(hold.row === null && hold.groupId !== null && { group: hold.groupId }),
        reason: hold.reason,
        endsAt: hold.endsAt,
      },
      reason,
    });
    const released = await readHold(tx, publisherId, hold.holdId);
    if (released === null) throw new Error('a hold disappeared');
    return released;
  });
}

async function readHold(tx: Tx, publisherId: string, holdId: string): Promise<Hold | null> {
  if (!isRowId(holdId)) return null;
  const [hold] = await readHolds(tx, publisherId, sql`h.hold_id = ${holdId}::uuid`);
  return hold ?? null;
}

const membershipsOf = (publisherId: string, { row, memberId, groupId }: Hold) =>
  row === null
    ? sql`
        select membership_id
        from membership
        where publisher_id = ${publisherId} and account_id = ${memberId}
          ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}`
    : sql`
        select membership_id
        from attribution
        where publisher_id = ${publisherId} and attribution_id = ${row.rowId}::uuid`;

/**
 * Lowers the member's mark to the row. Payouts leave the mark at held rows, so this changes nothing unless something
 * else raised the mark.
 */
async function lowerMark(tx: Tx, publisherId: string, rowId: string): Promise<void> {
  await sql`
    with released as (
      select a.membership_id, a.currency, a.transaction_date as unpaid_from
      from attribution a
      join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
      where a.publisher_id = ${publisherId} and a.attribution_id = ${rowId}::uuid
        and p.payout_batch_id is null and p.reversed_at is null
    ),
    ${loweringMarks(publisherId, 'released')}
    select 1`.execute(tx);
}
