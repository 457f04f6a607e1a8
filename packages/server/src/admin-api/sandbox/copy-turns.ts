import { unavailable } from '../../platform/refusal.ts';
import { FairTurns } from '../../platform/work/fair-turns.ts';

/**
 * Maximum concurrent copies and loads of demo data. Each copy holds its members in memory and occupies a connection,
 * and settlement needs connections too.
 */
const maxConcurrentCopies = 1;
const maxWaitingCopies = 20;
const maxWaitMs = 10_000;

export const copyTurns = (): FairTurns =>
  new FairTurns({ maxRunning: maxConcurrentCopies, maxWaiting: maxWaitingCopies });

/** Waits for a turn, which the caller must release. */
export async function takeTurn(turns: FairTurns, publisherId: string): Promise<void> {
  if (!(await turns.take(publisherId, maxWaitMs)))
    throw unavailable('Too many programs are being copied. Try again in a moment.');
}
