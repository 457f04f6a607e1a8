import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { revokeTokensOf } from '../tokens/revoke-tokens-of.ts';
import { lockStaff, refuseLastOwner } from './lock-staff.ts';

/**
 * Removes a person from a publisher's staff, effective on their next request, and revokes the tokens that
 * they created. Their roles at other publishers don't change.
 * @throws Refusal NotFound, Conflict for the last owner
 */
export const removePerson = (
  db: Db,
  actor: Actor,
  { publisherId, userId }: { publisherId: string; userId: string },
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { person, otherOwners } = await lockStaff(tx, publisherId, userId);
    refuseLastOwner(person, otherOwners);
    await tx
      .deleteFrom('staff')
      .where('publisher_id', '=', publisherId)
      .where('user_id', '=', userId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'staff.remove',
      target: `staff:${userId}`,
      before: { role: person.role },
    });
    await revokeTokensOf(tx, actor, { publisherId, userId }, now);
  });
