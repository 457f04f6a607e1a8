import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { rowIdAt } from '../../platform/ids.ts';
import { stands } from '../standing.ts';
import { maxCounted } from './count-members.ts';

interface JoinedSince {
  publisherId: string;
  groupIds: readonly string[];
  /** Time on the service's clock. */
  since: Date;
}

/** Counts the approved members who joined since a time, up to `maxCounted`. */
export async function countJoined(db: Db, { publisherId, groupIds, since }: JoinedSince): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n
    from (
      select 1
      from membership m
      where m.publisher_id = ${publisherId} and m.group_id = any(${[...groupIds]}::text[])
        and m.membership_id >= ${rowIdAt(since)}::uuid and m.status = 'Approved' and ${stands('m')}
      limit ${maxCounted}
    ) joined`.execute(db);
  return rows[0]?.n ?? 0;
}
