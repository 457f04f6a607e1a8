import { sql } from 'kysely';
import { changeByKey } from '../../platform/database/change-by-key.ts';
import type { Db } from '../../platform/database/database.ts';
import type { CountedCommit } from '../../platform/database/in-transaction.ts';

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
  if (theirs.size === 0) return 0;
  return changeByKey({
    start: '00000000-0000-0000-0000-000000000000',
    read: (after, limit) =>
      db
        .selectFrom('bounty_event')
        .select(['record_id', 'player_id'])
        .where('publisher_id', '=', publisherId)
        .where('record_id', '>', after)
        .$if(endId !== null, (query) => query.where('record_id', '<', endId ?? ''))
        .orderBy('record_id')
        .limit(limit)
        .execute(),
    keyOf: ({ record_id }) => record_id,
    async change(rows) {
      const ids = rows.filter(({ player_id }) => theirs.has(player_id)).map(({ record_id }) => record_id);
      if (ids.length === 0) return 0;
      return commit(async (tx) => {
        const { numAffectedRows } = await sql`
          update bounty_event
          set player_id = ''
          where publisher_id = ${publisherId} and record_id = any(${ids}::uuid[])
            and player_id = any(${[...playerIds]}::text[])`.execute(tx);
        return Number(numAffectedRows ?? 0);
      });
    },
  });
}
