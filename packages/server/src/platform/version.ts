import { createHash } from 'node:crypto';
import { Refusal } from './refusal.ts';

/**
 * Returns the version of something that two people may edit: a hash of its contents. It needs no column, changes through
 * whichever entry point the edit came, and returns to the old value when a change is undone.
 * @param facts everything that an edit may change, in a fixed order, as JSON
 */
export const versionOf = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);

/** Fact by which the dashboard distinguishes a stale edit from other conflicts. */
export const staleEdit = { facts: { isStale: true } };

/**
 * Rejects an edit of an old version. Must be called under the lock that protects the change.
 * @param what subject of the message, such as 'The tier Gold'
 * @param expected version that the caller has seen; null when the caller saw none
 * @param current null when there is none
 * @throws Refusal Conflict when the versions differ
 */
export function refuseStaleEdit(what: string, expected: string | null, current: string | null): void {
  if (expected === current) return;
  if (expected === null) throw new Refusal('Conflict', `${what} already exists. Nothing was saved.`);
  throw new Refusal(
    'Conflict',
    current === null
      ? `${what} has been removed in the meantime. Nothing was saved.`
      : `${what} has been changed in the meantime. Nothing was saved. Reload, compare, and save again.`,
    staleEdit,
  );
}
