import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { permissionsOf, type Role, roleVersion } from '../roles.ts';
import { revokeTokensOf } from '../tokens/revoke-tokens-of.ts';
import { lockStaff, refuseLastOwner } from './lock-staff.ts';

export interface RoleChange {
  publisherId: string;
  userId: string;
  role: Role;
  /** Version that the actor's edit is based on. */
  version: string;
}

/**
 * Changes a staff member's role. If the new role can't create tokens, also revokes the tokens that the person
 * created.
 * @returns the new version
 * @throws Refusal NotFound, Stale, Conflict for the last owner
 */
export const changeRole = (
  db: Db,
  actor: Actor,
  { publisherId, userId, role, version }: RoleChange,
  now: Date,
): Promise<string> =>
  inTransaction(db, async (tx) => {
    const { person, otherOwners } = await lockStaff(tx, publisherId, userId);
    refuseStaleEdit('The role', version, roleVersion(person.role));
    if (person.role === role) return version;
    refuseLastOwner(person, otherOwners);
    await tx
      .updateTable('staff')
      .set({ role })
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
    return roleVersion(role);
  });
