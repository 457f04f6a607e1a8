import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { CountedCommit } from '../../platform/database/in-transaction.ts';

/** Events read in one step, and changed in at most one commit. */
const eventsAtOnce = 1_000;

interface PlayersToErase {
  publisherId: string;
  playerIds: readonly string[];
  /** Lowest id of recorded events that is left alone; null for none. */
  endId: string | null;
}

/**
 * Blanks players in a publisher's stored custom events. The events still count. @returns the number of events
 */
export async function erasePlayers(
  db: Db,
  commit: CountedCommit,
  { publisherId, playerIds, endId }: PlayersToErase,
): Promise<number> {
  const theirs = new Set(playerIds);
  let after = '00000000-0000-0000-0000-000000000000';
  let changed = 0;
  for (let hasMore = theirs.size > 0; hasMore; ) {
    const rows = await db
      .selectFrom('bounty_event')
      .select(['record_id', 'player_id'])
      .where('publisher_id', '=', publisherId)
      .where('record_id', '>', after)
      .$if(endId !== null, (query) => query.where('record_id', '<', endId ?? ''))
      .orderBy('record_id')
      .limit(eventsAtOnce)
      .execute();
    const ids = rows.filter(({ player_id }) => theirs.has(player_id)).map(({ record_id }) => record_id);
    if (ids.length > 0)
      changed += await commit(async (tx) => {
        const { numAffectedRows } = await sql`
          update bounty_event
          set player_id = ''
          where publisher_id = ${publisherId} and record_id = any(${ids}::uuid[])
            and player_id = any(${[...playerIds]}::text[])`.execute(tx);
        return Number(numAffectedRows ?? 0);
      });
    after = rows.at(-1)?.record_id ?? after;
    hasMore = rows.length === eventsAtOnce;
  }
  return changed;
}
