import { Refusal } from '../platform/refusal.ts';

/**
 * Returns what a change wrote, as it was read back after the commit.
 * @param name in the message, such as `The tier`
 * @throws Refusal NotFound when another caller removed it in between
 */
export function requireFound<Found>(found: Found | null | undefined, name: string): Found {
  if (found === null || found === undefined)
    throw new Refusal(
      'NotFound',
      `${name} was saved, and then removed by another change. Reload to see what is left.`,
    );
  return found;
}
