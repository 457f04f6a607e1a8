import { Refusal } from '../../platform/refusal.ts';
import type { ManagedMember } from '../read/read-managed.ts';

/**
 * Requires the publisher to own the account, for changes that apply at every publisher.
 * @param subject name of the fields to change, for the message
 * @throws Refusal Forbidden for an account that its creator or another publisher owns
 */
export function requireOurs({ isOurs, name }: ManagedMember, subject: string): void {
  if (!isOurs)
    throw new Refusal(
      'Forbidden',
      `Only the owner of ${name}'s account can change its ${subject}: the creator, or the publisher that created it.`,
    );
}
