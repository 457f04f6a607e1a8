import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { permissionsOf, type Role } from '../roles.ts';
import { revokeTokensOf } from '../tokens/revoke-tokens-of.ts';
import { lockStaff, refuseLastOwner } from './lock-staff.ts';

export interface RoleChange {
  publisherId: string;
  userId: string;
  role: Role;
  /** What whoever changes it saw. */
  version: number;
}

/**
 * Gives somebody of the staff another role. Who may make no tokens in it loses those that they made.
 * @returns the version after it
 * @throws Refusal NotFound, Conflict for the last owner, and where somebody else was faster
 */
export const changeRole = (
  db: Db,
  actor: Actor,
  { publisherId, userId, role, version }: RoleChange,
  now: Date,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { person, otherOwners } = await lockStaff(tx, publisherId, userId);
    if (person.version !== version)
      throw new Refusal('Conflict', `Somebody else was faster: the role is ${person.role} now.`);
    if (person.role === role) return version;
    refuseLastOwner(person, otherOwners);
    await tx
      .updateTable('staff')
      .set({ role, version: version + 1 })
      .where('publisher_id', '=', publisherId)
      .where('user_id', '=', userId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'staff.change-role',
      target: `staff:${userId}`,
      before: { role: person.role },
      after: { role },
    });
    if (!permissionsOf[role].has('team')) await revokeTokensOf(tx, actor, { publisherId, userId }, now);
    return version + 1;
  });
