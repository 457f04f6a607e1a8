import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { CountedCommit } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { markBuyerChanges } from './changes/mark-change.ts';
import type { BuyerOfPublisher } from './erase-buyer.ts';

/** Rows changed in one commit. */
const rowsAtOnce = 1_000;

/** Returns the rows that had a buyer before an update replaced the player id. They still have the buyer's name and metrics. */
export async function readRowsOfFormerBuyer(
  db: Db,
  { publisherId, playerId, endId }: BuyerOfPublisher,
): Promise<AttributionId[]> {
  const rows = await db
    .selectFrom('former_buyer')
    .select('attribution_id')
    .where('publisher_id', '=', publisherId)
    .where('player_id', '=', playerId)
    .$if(endId !== null, (query) => query.where('attribution_id', '<', endId as AttributionId))
    .orderBy('attribution_id')
    .execute();
  return rows.map(({ attribution_id }) => attribution_id);
}

/** Blanks the name and metrics of a former buyer. The present player id stays. @returns the number of rows changed */
export async function blankFormerBuyer(
  commit: CountedCommit,
  publisherId: string,
  rowIds: readonly AttributionId[],
): Promise<number> {
  let changed = 0;
  for (let start = 0; start < rowIds.length; start += rowsAtOnce)
    changed += await commit(async (tx) => {
      const ids = rowIds.slice(start, start + rowsAtOnce);
      await tx
        .selectFrom('attribution')
        .select('attribution_id')
        .where('publisher_id', '=', publisherId)
        .where('attribution_id', 'in', ids)
        .orderBy('attribution_id')
        .forNoKeyUpdate()
        .execute();
      const { rows } = await sql<{ attribution_id: AttributionId }>`
        update attribution
        set player_name = null, metrics = null
        where publisher_id = ${publisherId} and attribution_id = any(${ids}::uuid[])
          and (player_name is not null or metrics is not null)
        returning attribution_id`.execute(tx);
      const blanked = rows.map(({ attribution_id }) => attribution_id);
      if (blanked.length > 0) await markBuyerChanges(tx, publisherId, blanked);
      return blanked.length;
    });
  return changed;
}

/** Deletes the entries by which the rows of a former buyer are found. @returns their number */
export const forgetFormerBuyer = (
  commit: CountedCommit,
  { publisherId, playerId }: BuyerOfPublisher,
  rowIds: readonly AttributionId[],
): Promise<number> =>
  commit(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('former_buyer')
      .where('publisher_id', '=', publisherId)
      .where('player_id', '=', playerId)
      .where('attribution_id', '=', sql<AttributionId>`any(${[...rowIds]}::uuid[])`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
