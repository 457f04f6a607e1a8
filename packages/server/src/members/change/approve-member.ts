import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { violatedConstraint } from '../../platform/database/database-errors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingMember, type MemberPlace } from './changing-member.ts';
import { writeStatus } from './write-status.ts';

/**
 * Makes a member Approved: its codes credit from now on.
 * @returns false when it was before
 * @throws Refusal NotFound when the group has no such member, Conflict when another one has its player id by now
 */
export async function approveMember(db: Db, actor: Actor, member: MemberPlace): Promise<boolean> {
  const { publisherId, groupId, memberId } = member;
  try {
    return await changingMember(db, member, async (tx, membershipId) => {
      const before = await writeStatus(tx, { publisherId, membershipId, status: 'Approved', reason: '' });
      if (before === null) return false;
      await recordChange(tx, actor, {
        publisherId,
        action: 'member.approve',
        target: `member:${memberId}`,
        before: { group: groupId, status: before },
        after: { group: groupId, status: 'Approved' },
      });
      return true;
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'membership_one_player') throw error;
    throw new Refusal(
      'Conflict',
      `Another member of the group ${groupId} has the playerId of ${memberId} by now.`,
    );
  }
}
