import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';
import { announceNewMember, announceRemovedMember } from './announce-member.ts';

export type MemberStatus = 'Approved' | 'Pending' | 'Removed';

/**
 * Gives a membership another status and tells the publisher when the member joins or leaves by it. Codes of a
 * member that is not Approved credit nobody; what was credited before stays and is paid.
 * @param reason why the member leaves, 1 … 255 characters; kept with the membership and sent with the event
 * @returns false when it had the status already
 */
export async function changeMemberStatus(
  tx: Tx,
  publisherId: string,
  membershipId: MembershipId,
  status: MemberStatus,
  reason: string,
): Promise<boolean> {
  const membership = await tx
    .selectFrom('membership')
    .select('status')
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', membershipId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (membership.status === status) return false;
  const { rows } = await sql<{ changed_at: Date }>`
    update membership
    set status = ${status},
        removed_at = case when ${status} = 'Removed' then date_trunc('milliseconds', now()) end,
        removal_reason = case when ${status} = 'Removed' then ${reason} end
    where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid
    returning date_trunc('milliseconds', now()) as changed_at`.execute(tx);
  const [changed] = rows;
  if (changed === undefined) throw new Error('a locked membership is gone');
  if (status === 'Approved') await announceNewMember(tx, publisherId, membershipId);
  else if (membership.status === 'Approved')
    await announceRemovedMember(tx, publisherId, membershipId, changed.changed_at, reason);
  return true;
}
