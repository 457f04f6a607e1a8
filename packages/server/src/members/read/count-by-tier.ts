import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { stands } from '../standing.ts';

export interface TierCounts {
  byTier: ReadonlyMap<TierId, number>;
  /** False if counting stopped at the limit, in which case the numbers are lower bounds. */
  isWhole: boolean;
}

const maxCounted = 20_000;

/** Counts a group's members by tier, without those who have no tier. */
export async function countByTier(db: Db, publisherId: string, groupId: string): Promise<TierCounts> {
  const { rows } = await sql<{ tier_id: TierId | null; members: bigint }>`
    select tier_id, count(*) as members
    from (
      select m.tier_id
      from membership m
      where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${stands('m')}
      limit ${maxCounted}
    ) counted
    group by tier_id`.execute(db);
  const total = rows.reduce((sum, { members }) => sum + Number(members), 0);
  return {
    byTier: new Map(
      rows.flatMap(({ tier_id, members }) => (tier_id === null ? [] : [[tier_id, Number(members)] as const])),
    ),
    isWhole: total < maxCounted,
  };
}
