import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isRole, type Role } from '../roles.ts';

export interface LockedPerson {
  userId: string;
  role: Role;
  version: number;
}

/**
 * Locks all of a publisher's staff, who are few, in one order: two owners who remove each other leave one.
 * @throws Refusal NotFound where the person is not among them
 */
export async function lockStaff(
  tx: Tx,
  publisherId: string,
  userId: string,
): Promise<{ person: LockedPerson; otherOwners: number }> {
  const rows = await tx
    .selectFrom('staff')
    .select(['user_id', 'role', 'version'])
    .where('publisher_id', '=', publisherId)
    .orderBy('user_id')
    .forUpdate()
    .execute();
  const found = rows.find(({ user_id }) => user_id === userId);
  if (found === undefined || !isRole(found.role))
    throw new Refusal('NotFound', 'This person is not of the staff.');
  return {
    person: { userId, role: found.role, version: found.version },
    otherOwners: rows.filter(({ user_id, role }) => role === 'owner' && user_id !== userId).length,
  };
}

/** @throws Refusal Conflict where nobody would be left who gives roles */
export function refuseLastOwner({ role }: LockedPerson, otherOwners: number): void {
  if (role === 'owner' && otherOwners === 0)
    throw new Refusal('Conflict', 'This is the last owner: make somebody else an owner first.');
}
