import { Refusal } from '../platform/refusal.ts';

/** Maximum age of a removal at which the note or tag can still be restored. */
export const undoMs = 10 * 60_000;

/** @throws Refusal Conflict if it is too late to restore it */
export function refuseLate(removedAt: Date, now: Date): void {
  if (now.getTime() - removedAt.getTime() > undoMs)
    throw new Refusal('Conflict', "This was removed more than ten minutes ago, and can't be restored.");
}
