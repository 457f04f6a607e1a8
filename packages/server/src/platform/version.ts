import { createHash } from 'node:crypto';
import { Refusal } from './refusal.ts';

/**
 * The version of something that two people may edit: what it says, in short. It needs no column, moves whichever door
 * changed the thing, and is the same again when a change was taken back.
 * @param facts all that an edit may change, in one order, as JSON can say it
 */
export const versionOf = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);

/**
 * Called under the lock that the change is made under.
 * @param expected what whoever edits has seen; null: that there is none yet
 * @param current null: there is none
 * @throws Refusal Conflict when it is another one by now
 */
export function refuseLostRace(what: string, expected: string | null, current: string | null): void {
  if (expected === current) return;
  if (current === null)
    throw new Refusal('Conflict', `${what} is gone: somebody removed it meanwhile. Nothing was saved.`);
  throw new Refusal(
    'Conflict',
    expected === null
      ? `${what} is there already. Nothing was saved.`
      : `${what} was changed by somebody else meanwhile. Nothing was saved: look at both, and save again.`,
  );
}
