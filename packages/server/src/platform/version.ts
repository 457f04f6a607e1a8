import { createHash } from 'node:crypto';
import { Refusal } from './refusal.ts';

/**
 * Returns the version of data that two people may edit at the same time: a hash of its contents. A hash doesn't need a
 * column, changes with any edit regardless of the entry point, and returns to its old value when a change is undone.
 * @param facts all values that an edit may change, in a fixed order, as JSON
 */
export const versionOf = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);

/**
 * Rejects an edit if the version it is based on is no longer current. Must be called under the lock that protects the
 * change.
 * @param what subject of the message, such as 'Tier Gold'
 * @param seen version that the actor saw; null if the target didn't exist; undefined if the entry point doesn't use
 * versions
 * @param current null if the target doesn't exist
 * @throws Refusal Stale if the target was changed, NotFound if it was removed, Conflict if it was created
 */
export function refuseStaleEdit(what: string, seen: string | null | undefined, current: string | null): void {
  if (seen === undefined || seen === current) return;
  if (seen === null) throw new Refusal('Conflict', `${what} already exists. Nothing was saved.`);
  if (current === null)
    throw new Refusal('NotFound', `${what} was removed while you were editing. Nothing was saved.`);
  throw new Refusal(
    'Stale',
    `${what} was changed while you were editing. Nothing was saved. Reload, compare, and save again.`,
  );
}
