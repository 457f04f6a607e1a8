import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isRole, type Role } from '../roles.ts';

export interface LockedPerson {
  userId: string;
  role: Role;
}

/**
 * Locks all of a publisher's staff rows in a fixed order; there are only a few. If two owners remove each
 * other at the same time, only one succeeds.
 * @throws Refusal NotFound for a person who isn't on the staff
 */
export async function lockStaff(
  tx: Tx,
  publisherId: string,
  userId: string,
): Promise<{ person: LockedPerson; otherOwners: number }> {
  const rows = await tx
    .selectFrom('staff')
    .select(['user_id', 'role'])
    .where('publisher_id', '=', publisherId)
    .orderBy('user_id')
    .forUpdate()
    .execute();
  const found = rows.find(({ user_id }) => user_id === userId);
  if (found === undefined || !isRole(found.role))
    throw new Refusal('NotFound', "This person isn't on the team.");
  return {
    person: { userId, role: found.role },
    otherOwners: rows.filter(({ user_id, role }) => role === 'owner' && user_id !== userId).length,
  };
}

/** @throws Refusal Conflict for the last owner, because roles can't be changed without an owner */
export function refuseLastOwner({ role }: LockedPerson, otherOwners: number): void {
  if (role === 'owner' && otherOwners === 0)
    throw new Refusal('Conflict', 'This is the last owner. Make another person an owner first.');
}
