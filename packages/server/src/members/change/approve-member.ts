import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { violatedConstraint } from '../../platform/database/database-errors.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { approveWantedCode } from '../applications/decide-application.ts';
import { changingMember, type MemberKey } from './changing-member.ts';
import { tellOfStatus } from './tell-of-status.ts';
import { writeStatus } from './write-status.ts';

/**
 * Approves a member, and the code that an applicant wants. From then on, purchases with the member's codes are credited to
 * the member.
 * @returns false if the member was already Approved
 * @throws Refusal NotFound for an unknown member; Conflict if another member has the same player id, or if
 * another creator got the applicant's code
 */
export const approveMember = (db: Db, actor: Actor, member: MemberKey): Promise<boolean> =>
  changingMember(db, member, (tx, membershipId) => approveFound(tx, actor, member, membershipId));

/** Approves a member in the caller's transaction. */
export async function approveFound(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, groupId, memberId }: MemberKey,
  membershipId: MembershipId,
): Promise<boolean> {
  await approveWantedCode(tx, { publisherId, membershipId });
  const before = await rejectingTakenPlayer(groupId, memberId, () =>
    writeStatus(tx, { publisherId, membershipId, status: 'Approved', reason: '' }),
  );
  if (before === null) return false;
  await tellOfStatus(tx, { publisherId, membershipId, before, status: 'Approved' });
  await recordChange(tx, actor, {
    publisherId,
    action: 'member.approve',
    target: `member:${memberId}`,
    before: { group: groupId, status: before },
    after: { group: groupId, status: 'Approved' },
  });
  return true;
}

async function rejectingTakenPlayer<Result>(
  groupId: string,
  memberId: AccountId,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'membership_one_player') throw error;
    throw new Refusal(
      'Conflict',
      `Another member of group ${groupId} now has the playerId of ${memberId}. Change one of the two playerIds.`,
    );
  }
}
