import { sql } from 'kysely';
import { readMoment } from '../../platform/database/moment.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { decideApplication } from '../applications/decide-application.ts';
import { lockMemberships, type MemberStatus } from '../lock-members.ts';
import { announceNewMember, announceRemovedMember } from './announce-member.ts';

export interface NewStatus {
  publisherId: string;
  membershipId: MembershipId;
  status: MemberStatus;
  /** Reason for the removal, 1 to 255 characters, stored with the membership and sent in the event. */
  reason: string;
}

/**
 * Changes a membership's status, and publishes an event when it becomes Approved or stops being Approved. Only Approved
 * members' codes credit purchases. Also ends the membership's open application. Purchases that were already credited stay credited and are paid.
 */
export async function writeStatus(
  tx: ProgramTx,
  { publisherId, membershipId, status, reason }: NewStatus,
): Promise<MemberStatus | null> {
  const [before] = await lockMemberships(tx, publisherId, [membershipId]);
  if (before === undefined) throw new Error('a membership that was found is gone');
  if (before.status === status) return null;
  const changedAt = await readMoment(tx);
  const { numAffectedRows } = await sql`
    update membership
    set status = ${status},
        removed_at = ${status === 'Removed' ? changedAt : null},
        removal_reason = ${status === 'Removed' ? reason : null}
    where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid`.execute(tx);
  if (numAffectedRows !== 1n) throw new Error('a locked membership is gone');
  await decideApplication(tx, { publisherId, membershipId, status, reason, decidedAt: changedAt });
  if (status === 'Approved') await announceNewMember(tx, publisherId, membershipId);
  else if (before.status === 'Approved')
    await announceRemovedMember(tx, publisherId, membershipId, { removedAt: changedAt, reason });
  return before.status;
}
