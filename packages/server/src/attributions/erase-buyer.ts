import { sql } from 'kysely';
import { changeByKey } from '../platform/database/change-by-key.ts';
import type { Db } from '../platform/database/database.ts';
import type { CountedCommit, Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { rowIdAt } from '../platform/ids.ts';
import { markBuyerChanges } from './changes/mark-change.ts';

export interface BuyerOfPublisher {
  publisherId: string;
  playerId: string;
  /** Lowest row id that is left alone; null for none. */
  endId: string | null;
}

/**
 * Blanks a buyer's id, name and metrics on all rows of a publisher. No index leads to a buyer, because it would make every
 * purchase more expensive, so all rows are read by key. Rows that were blanked aren't found again.
 * @returns the number of rows changed
 */
export const eraseBuyerRows = (db: Db, commit: CountedCommit, buyer: BuyerOfPublisher): Promise<number> =>
  changeByKey({
    start: rowIdAt(new Date(0)) as AttributionId,
    read: (after, limit) =>
      db
        .selectFrom('attribution')
        .select(['attribution_id', 'player_id'])
        .where('publisher_id', '=', buyer.publisherId)
        .where('attribution_id', '>', after)
        .$if(buyer.endId !== null, (query) =>
          query.where('attribution_id', '<', buyer.endId as AttributionId),
        )
        .orderBy('attribution_id')
        .limit(limit)
        .execute(),
    keyOf: ({ attribution_id }) => attribution_id,
    async change(rows) {
      const theirs = rows.filter(({ player_id }) => player_id === buyer.playerId);
      const ids = theirs.map(({ attribution_id }) => attribution_id);
      return ids.length === 0 ? 0 : commit((tx) => blankRows(tx, buyer, ids));
    },
  });

/** Locks the rows in the order of their ids, and blanks those that still have the buyer. */
async function blankRows(
  tx: Tx,
  { publisherId, playerId }: BuyerOfPublisher,
  ids: readonly AttributionId[],
): Promise<number> {
  const locked = await tx
    .selectFrom('attribution')
    .select('attribution_id')
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', 'in', [...ids])
    .where('player_id', '=', playerId)
    .orderBy('attribution_id')
    .forNoKeyUpdate()
    .execute();
  const lockedIds = locked.map(({ attribution_id }) => attribution_id);
  if (lockedIds.length === 0) return 0;
  await sql`
    update attribution
    set player_id = null, player_name = null, metrics = null
    where publisher_id = ${publisherId} and attribution_id = any(${lockedIds}::uuid[])`.execute(tx);
  await markBuyerChanges(tx, publisherId, lockedIds);
  return lockedIds.length;
}
