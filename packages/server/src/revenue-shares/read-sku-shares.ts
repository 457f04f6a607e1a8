import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import { versionOf } from '../platform/version.ts';

export interface VersionedSkuShare {
  groupId: string;
  skuId: string;
  revShare: number;
  version: string;
}

export interface SkuShareKey {
  publisherId: string;
  groupId: string;
  skuId: string;
}

export const readSkuShare = async (
  db: Db | Tx,
  { publisherId, groupId, skuId }: SkuShareKey,
): Promise<VersionedSkuShare | null> =>
  (await read(db, publisherId, sql`and group_id = ${groupId} and sku_id = ${skuId}`))[0] ?? null;

/**
 * Reads shares in order of group and SKU.
 * @param after group and SKU to continue after; null to start at the beginning
 */
export const readSkuSharesAfter = (
  db: Db | Tx,
  { publisherId, groupId }: { publisherId: string; groupId: string | null },
  after: readonly string[] | null,
  limit: number,
): Promise<VersionedSkuShare[]> =>
  read(
    db,
    publisherId,
    sql`
      ${groupId === null ? sql`` : sql`and group_id = ${groupId}`}
      ${after === null ? sql`` : sql`and (group_id, sku_id) > (${after[0]}, ${after[1]})`}
      order by group_id, sku_id
      limit ${limit}`,
  );

async function read(
  db: Db | Tx,
  publisherId: string,
  rest: ReturnType<typeof sql>,
): Promise<VersionedSkuShare[]> {
  const { rows } = await sql<{ group_id: string; sku_id: string; share_millionths: number }>`
    select group_id, sku_id, share_millionths
    from sku_share
    where publisher_id = ${publisherId} ${rest}`.execute(db);
  return rows.map(({ group_id: groupId, sku_id: skuId, share_millionths }) => {
    const revShare = millionthsToPercent(share_millionths);
    return { groupId, skuId, revShare, version: versionOf([groupId, skuId, revShare]) };
  });
}
