import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../api-keys/purge-publishers.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

interface PlayerOfPublisher {
  publisherId: string;
  playerId: string;
  /** End of what is erased; null for everything. */
  before: Date | null;
}

/** Deletes a player's codes in all groups of a publisher. @returns the number of rows */
export async function erasePlayerCodes(
  tx: Tx,
  { publisherId, playerId, before }: PlayerOfPublisher,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from player_code
    where publisher_id = ${publisherId} and player_id = ${playerId}
      and (${before}::timestamptz is null or attached_at < ${before})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Time for which a code that has ended is kept, for purchases that arrive late. */
const keptMs = 90 * 86_400_000;

/** Deletes codes that ended long ago, in batches. @returns the number of rows */
export const purgePlayerCodes = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const { numAffectedRows } = await sql`
      delete from player_code
      where publisher_id = ${publisherId} and (group_id, player_id, attached_at) in (
        select group_id, player_id, attached_at
        from player_code
        where publisher_id = ${publisherId} and coalesce(expires_at, attached_at) < ${new Date(now.getTime() - keptMs)}
        limit ${rowsAtOnce})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
