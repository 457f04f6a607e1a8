import type { Db } from '../../../platform/database/database.ts';
import { laterBy, readAheadMs } from '../../../publishers/publisher-time.ts';
import { takeCutoff } from '../create/payout-cutoff.ts';

/**
 * Takes a cutoff that works for previews and payouts of all of a publisher's groups.
 * @returns the cutoff on the publisher's clock
 * @throws Refusal when no cutoff could be taken within two minutes
 */
export async function takeRunCutoff(db: Db, publisherId: string): Promise<Date> {
  const cutoff = await takeCutoff(db, publisherId, null);
  return laterBy(cutoff, await readAheadMs(db, publisherId));
}
