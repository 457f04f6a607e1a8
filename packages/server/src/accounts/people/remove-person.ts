import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { revokeTokensOf } from '../tokens/revoke-tokens-of.ts';
import { lockStaff, refuseLastOwner } from './lock-staff.ts';

export interface RemovePersonDeps {
  clock: Clock;
  /** Deletes the person's notification settings at the publisher. */
  forgetChoice(tx: Tx, publisherId: string, userId: string): Promise<void>;
}

/**
 * Removes a person from a publisher's staff, effective on their next request, and revokes the tokens that
 * they created. Their notification settings are deleted, so that they don't return if they are invited again. Their
 * roles at other publishers don't change.
 * @throws Refusal NotFound, Conflict for the last owner
 */
export const removePerson = (
  { clock, forgetChoice }: RemovePersonDeps,
  db: Db,
  actor: Actor,
  { publisherId, userId }: { publisherId: string; userId: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { person, otherOwners } = await lockStaff(tx, publisherId, userId);
    refuseLastOwner(person, otherOwners);
    await tx
      .deleteFrom('staff')
      .where('publisher_id', '=', publisherId)
      .where('user_id', '=', userId)
      .execute();
    await forgetChoice(tx, publisherId, userId);
    await recordChange(tx, actor, {
      publisherId,
      action: 'staff.remove',
      target: `staff:${userId}`,
      before: { role: person.role },
    });
    await revokeTokensOf(tx, actor, { publisherId, userId }, clock.now());
  });
