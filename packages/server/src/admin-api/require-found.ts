import { Refusal } from '../platform/refusal.ts';

/**
 * Returns a record that was read after a change was committed.
 * @param name name for the message, such as `The tier`
 * @throws Refusal NotFound if another caller has removed the record
 */
export function requireFound<Found>(found: Found | null | undefined, name: string): Found {
  if (found === null || found === undefined)
    throw new Refusal(
      'NotFound',
      `${name} no longer exists. Another change may have removed it. Reload to see the current state.`,
    );
  return found;
}
