import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { changingProgramme, programmeChanged } from '../publishers/changing-programme.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { changeMemberStatus, type MemberStatus } from './change-status.ts';

/**
 * Approves or removes a member of a group, at the word of a person.
 * @param memberId the account id
 * @param reason 1 … 255 characters; sent with the event RemovedMember
 * @returns false when the member had the status already
 * @throws Refusal when the group has no such member, or another one has its player id now
 */
export async function setMemberStatus(
  db: Db,
  publisherId: string,
  groupId: string,
  memberId: AccountId,
  status: MemberStatus,
  reason: string,
): Promise<boolean> {
  try {
    return await inTransaction(db, async (tx) => {
      await requirePublisher(tx, publisherId);
      return changingProgramme(tx, publisherId, async (tx) => {
        const membership = await tx
          .selectFrom('membership')
          .select('membership_id')
          .where('publisher_id', '=', publisherId)
          .where('group_id', '=', groupId)
          .where('account_id', '=', memberId)
          .where('merged_into', 'is', null)
          .executeTakeFirst();
        if (membership === undefined)
          throw new Refusal(
            'NotFound',
            `The group ${groupId} of publisher ${publisherId} has no member ${memberId}.`,
          );
        const isChanged = await changeMemberStatus(tx, publisherId, membership.membership_id, status, reason);
        if (isChanged) programmeChanged(tx, publisherId);
        return isChanged;
      });
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'membership_one_player') throw error;
    throw new Refusal(
      'Conflict',
      `Another member of the group ${groupId} has the playerId of ${memberId} by now.`,
    );
  }
}
