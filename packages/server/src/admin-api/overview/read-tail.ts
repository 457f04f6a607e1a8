import { sql } from 'kysely';
import { readAttributions } from '../../attributions/read-attributions.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { rowIdAt, timeOfRowId } from '../../platform/ids.ts';
import { type Credited, withCreators } from '../transactions/credited.ts';

/** Rows become visible when they are committed, which may be after later ones: each look goes back so far. */
const lookBackMs = 10_000;
/** Of a publisher's rows, and of those the ones of a group: a look never reads more. */
const rowsLookedAt = 2_000;
/** As many as a screen keeps of them: whoever asks often does not get the same hundred again and again. */
const mostShown = 30;

export interface TailAsked {
  publisherId: string;
  /** Null: of all. */
  groupId: string | null;
  /** The last row that is known, null at the beginning. */
  after: AttributionId | null;
}

/**
 * The rows that were recorded last, the newest first; with `after` also some that are known already, which whoever asks
 * drops by their ids.
 */
export async function readTail(db: Db, { publisherId, groupId, after }: TailAsked): Promise<Credited[]> {
  const floor = after === null ? null : rowIdAt(new Date(timeOfRowId(after).getTime() - lookBackMs));
  const keys = sql`
    select attribution_id, transaction_date
    from (
      select attribution_id, transaction_date, group_id
      from attribution
      where publisher_id = ${publisherId} ${floor === null ? sql`` : sql`and attribution_id >= ${floor}::uuid`}
      order by attribution_id desc
      limit ${rowsLookedAt}
    ) latest
    ${groupId === null ? sql`` : sql`where group_id = ${groupId}`}
    order by attribution_id desc
    limit ${after === null ? 20 : mostShown}`;
  const rows = await readAttributions(db, publisherId, keys, sql`a.attribution_id desc`);
  return withCreators(db, publisherId, rows);
}
