import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { lockMembers } from '../../members/lock-members.ts';
import { requireCreator } from '../../members/read/require-creator.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { type Hold, readHolds } from './read-holds.ts';
import {
  findHeld,
  type HoldTerms,
  readHoldTimes,
  requireFutureEnd,
  requireReason,
  saveHolds,
} from './save-holds.ts';

export interface CreatorHold extends HoldTerms {
  memberId: AccountId;
  /** Group whose payouts leave the creator out; null for all groups of the publisher. */
  groupId: string | null;
}

/**
 * Keeps everything due to a creator out of payouts: earnings, bounty rewards and clawbacks. For
 * a claimed member, holds the creator who claimed it.
 * @throws Refusal InvalidInput; NotFound when the creator isn't a member; Conflict when there is an open hold
 */
export function holdCreator(db: Db, actor: Actor, hold: CreatorHold): Promise<Hold> {
  const { publisherId, memberId, groupId, endsAt } = hold;
  const reason = requireReason(hold.reason);
  return inTransaction(db, async (tx) => {
    // The hold must commit entirely before or entirely after a payout's cutoff.
    await lockForPosting(tx, publisherId);
    // Holds aren't part of the program, but a claim of the creator must not run at the same time.
    return changingProgram(tx, publisherId, async (tx) => {
      const { accountId } = await requireCreator(tx, { publisherId, memberId });
      await lockMembershipsOf(tx, publisherId, accountId, groupId);
      const times = await readHoldTimes(tx, publisherId);
      requireFutureEnd(endsAt, times);
      const subject = { accountId, groupId };
      if ((await findHeld(tx, publisherId, [subject], times)).size > 0)
        throw new Refusal(
          'Conflict',
          `The payouts of ${accountId}${groupId === null ? '' : ` in group ${groupId}`} are already on hold. Nothing was changed.`,
        );
      const [holdId] = await saveHolds(tx, actor, { ...hold, ...times, reason }, [subject]);
      await recordChange(tx, actor, {
        publisherId,
        action: 'member.hold',
        target: `member:${accountId}`,
        after: { hold: holdId, ...(groupId !== null && { group: groupId }), endsAt },
        reason,
      });
      const [placed] = await readHolds(tx, publisherId, sql`h.hold_id = ${holdId}::uuid`);
      if (placed === undefined) throw new Error("a hold was saved but can't be read");
      return placed;
    });
  });
}

/**
 * Locks a creator's memberships, so that a payout has either already assigned the creator's rows or leaves them out.
 * @throws Refusal NotFound when the creator isn't a member of the group
 */
async function lockMembershipsOf(
  tx: Tx,
  publisherId: string,
  accountId: AccountId,
  groupId: string | null,
): Promise<void> {
  const ofCreator = sql`
    publisher_id = ${publisherId} and account_id = ${accountId} ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}`;
  await lockMembers(tx, publisherId, sql`select membership_id from membership where ${ofCreator}`);
  const { rows } = await sql`select 1 from membership where ${ofCreator} limit 1`.execute(tx);
  if (rows.length === 0)
    throw new Refusal(
      'NotFound',
      `${accountId} isn't a member of ${groupId === null ? `publisher ${publisherId}` : `group ${groupId}`}.`,
    );
}
