import { Refusal } from '../../platform/refusal.ts';
import type { ManagedMember } from '../read/read-managed.ts';

/**
 * What an account has in common everywhere is said by whose it is.
 * @throws Refusal Forbidden for an account that its creator has, or another publisher
 */
export function requireOurs({ isOurs, name }: ManagedMember, what: string): void {
  if (!isOurs)
    throw new Refusal(
      'Forbidden',
      `${name} has an account of their own: ${what} are theirs to change, or the publisher's who made it.`,
    );
}
