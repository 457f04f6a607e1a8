import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { versionOf } from '../../platform/version.ts';

export interface VersionedTier {
  tierId: TierId;
  groupId: string;
  name: string;
  revShare: number;
  version: string;
}

export const readTier = async (
  db: Db | Tx,
  publisherId: string,
  tierId: TierId,
): Promise<VersionedTier | null> => (await read(db, publisherId, sql`and tier_id = ${tierId}`))[0] ?? null;

/**
 * Reads tiers in order of group and name.
 * @param after group and name to continue after; null to start at the beginning
 */
export const readTiersAfter = (
  db: Db | Tx,
  { publisherId, groupId }: { publisherId: string; groupId: string | null },
  after: readonly string[] | null,
  limit: number,
): Promise<VersionedTier[]> =>
  read(
    db,
    publisherId,
    sql`
      ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}
      ${after === null ? sql`` : sql`and (group_id, name) > (${after[0]}, ${after[1]}::text)`}
      order by group_id, name
      limit ${limit}`,
  );

async function read(
  db: Db | Tx,
  publisherId: string,
  rest: ReturnType<typeof sql>,
): Promise<VersionedTier[]> {
  const { rows } = await sql<{ tier_id: TierId; group_id: string; name: string; share_millionths: number }>`
    select tier_id, group_id, name, share_millionths
    from tier
    where publisher_id = ${publisherId} ${rest}`.execute(db);
  return rows.map(({ tier_id: tierId, group_id: groupId, name, share_millionths }) => {
    const revShare = millionthsToPercent(share_millionths);
    return { tierId, groupId, name, revShare, version: versionOf([groupId, name, revShare]) };
  });
}
