import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { changingMember, type MemberKey } from './changing-member.ts';
import { tellOfStatus } from './tell-of-status.ts';
import { writeStatus } from './write-status.ts';

interface MemberToRemove extends MemberKey {
  /** Reason of 1 to 255 characters, stored with the member and sent in the RemovedMember event. */
  reason: string;
}

/**
 * Removes a member. The member's codes stop crediting the member, but existing earnings are still paid.
 * @returns false if the member was already Removed
 * @throws Refusal NotFound for an unknown member; InvalidInput for an invalid reason
 */
export async function removeMember(
  db: Db,
  actor: Actor,
  { reason, ...member }: MemberToRemove,
): Promise<boolean> {
  checkReason(reason);
  return changingMember(db, member, (tx, membershipId) =>
    removeFound(tx, actor, { ...member, reason }, membershipId),
  );
}

/** Checks the reason for a removal. @throws Refusal InvalidInput */
export function checkReason(reason: string): void {
  if (reason.length < 1 || reason.length > 255 || reason.includes('\0') || !reason.isWellFormed())
    throw new Refusal('InvalidInput', 'The reason must have 1 to 255 characters.', { path: ['reason'] });
}

/** Removes a member in the caller's transaction. The caller has checked the reason. */
export async function removeFound(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, groupId, memberId, reason }: MemberToRemove,
  membershipId: MembershipId,
): Promise<boolean> {
  const before = await writeStatus(tx, { publisherId, membershipId, status: 'Removed', reason });
  if (before === null) return false;
  await tellOfStatus(tx, { publisherId, membershipId, before, status: 'Removed' });
  await recordChange(tx, actor, {
    publisherId,
    action: 'member.remove',
    target: `member:${memberId}`,
    before: { group: groupId, status: before },
    after: { group: groupId, status: 'Removed' },
    reason,
  });
  return true;
}
