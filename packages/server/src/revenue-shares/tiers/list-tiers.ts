import { sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';

export interface Tier {
  tierId: TierId;
  name: string;
  /** Share in millionths, 0 … 1_000_000. */
  shareMillionths: number;
}

export interface ListedTier extends Tier {
  /** Number of members with any status. */
  memberCount: number;
}

/** Lists one page of a group's tiers, in order of creation, and counts all of the group's tiers. */
export async function listTiers(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  { page, size }: { page: number; size: number },
): Promise<{ tiers: ListedTier[]; totalCount: number }> {
  const { rows } = await sql<{
    tier_id: TierId;
    name: string;
    share_millionths: number;
    member_count: bigint;
  }>`
    select t.tier_id, t.name, t.share_millionths,
           (select count(*)
            from membership m
            where m.publisher_id = ${publisherId} and m.tier_id = t.tier_id and ${stands('m')}) as member_count
    from tier t
    where t.publisher_id = ${publisherId} and t.group_id = ${groupId}
    order by t.created_at, t.tier_id
    limit ${size} offset ${(page - 1) * size}`.execute(db);
  const total = await sql<{ total: bigint }>`
    select count(*) as total from tier where publisher_id = ${publisherId} and group_id = ${groupId}`.execute(
    db,
  );
  return {
    tiers: rows.map((row) => ({
      tierId: row.tier_id,
      name: row.name,
      shareMillionths: row.share_millionths,
      memberCount: Number(row.member_count),
    })),
    totalCount: Number(total.rows[0]?.total ?? 0),
  };
}
