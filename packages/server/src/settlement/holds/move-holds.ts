import { sql } from 'kysely';
import { serviceActor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, HoldId } from '../../platform/database/tables.generated.ts';
import { isOpenAt, joinRelease } from './held.ts';
import { findHeld, readHoldTimes, saveHolds, saveRelease } from './save-holds.ts';

/**
 * Replaces the open holds on an account with holds on the creator who claimed it, so that a claim doesn't end a hold.
 * The caller has locked both accounts' members and posting.
 */
export async function moveHolds(
  tx: Tx,
  publisherId: string,
  { from, to }: { from: AccountId; to: AccountId },
): Promise<void> {
  const times = await readHoldTimes(tx, publisherId);
  const { rows } = await sql<{
    hold_id: HoldId;
    group_id: string | null;
    reason: string;
    ends_at: Date | null;
  }>`
    select h.hold_id, h.group_id, h.reason, h.ends_at
    from payment_hold h
    ${joinRelease(publisherId)}
    where h.publisher_id = ${publisherId} and h.account_id = ${from} and ${isOpenAt(times.clockAt)}
    order by h.hold_id`.execute(tx);
  for (const { hold_id: replaced, group_id: groupId, reason, ends_at: endsAt } of rows) {
    const subject = { accountId: to, groupId };
    if ((await findHeld(tx, publisherId, [subject], times)).size === 0) {
      const [holdId] = await saveHolds(tx, serviceActor, { publisherId, reason, endsAt, ...times }, [
        subject,
      ]);
      await recordChange(tx, serviceActor, {
        publisherId,
        action: 'member.hold',
        target: `member:${to}`,
        after: { hold: holdId, ...(groupId !== null && { group: groupId }), endsAt, claimed: from },
        reason,
      });
    }
    const release = { publisherId, holdId: replaced, reason: `Claimed by ${to}` };
    await saveRelease(tx, serviceActor, release, times);
  }
}
