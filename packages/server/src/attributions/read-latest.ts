import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AttributionRow } from './attribution-row.ts';
import { readAttributions } from './read-attributions.ts';

/**
 * Maximum number of the publisher's rows examined per read. For a single group, rows of other groups are
 * examined too and then dropped.
 */
const maxRowsRead = 2_000;

export interface LatestRows {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  /** Lowest row id to read; null for no limit. */
  floor: string | null;
  limit: number;
}

export const readLatest = (
  db: Db,
  { publisherId, groupId, floor, limit }: LatestRows,
): Promise<AttributionRow[]> => {
  const keys = sql`
    select attribution_id, transaction_date
    from (
      select attribution_id, transaction_date, group_id
      from attribution
      where publisher_id = ${publisherId} ${floor === null ? sql`` : sql`and attribution_id >= ${floor}::uuid`}
      order by attribution_id desc
      limit ${maxRowsRead}
    ) latest
    ${groupId === null ? sql`` : sql`where group_id = ${groupId}`}
    order by attribution_id desc
    limit ${limit}`;
  return readAttributions(db, publisherId, keys, sql`a.attribution_id desc`);
};
