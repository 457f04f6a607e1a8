import { sql } from 'kysely';
import { lastChanges } from '../../audit/last-changes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { versionOf } from '../../platform/version.ts';
import { shownProvenance } from './share-schemas.ts';

/** Share of a SKU, with the version for edits. */
export interface VersionedSkuShare {
  groupId: string;
  skuId: string;
  revShare: number;
  version: string;
}

interface SkuShareRow {
  group_id: string;
  sku_id: string;
  share_millionths: number;
}

export interface SkuShareKey {
  publisherId: string;
  groupId: string;
  skuId: string;
}

export async function readSkuShare(
  db: Db | Tx,
  { publisherId, groupId, skuId }: SkuShareKey,
): Promise<VersionedSkuShare | null> {
  const { rows } = await sql<SkuShareRow>`
    select group_id, sku_id, share_millionths
    from sku_share
    where publisher_id = ${publisherId} and group_id = ${groupId} and sku_id = ${skuId}`.execute(db);
  return rows.map(toSkuShare)[0] ?? null;
}

export interface SkuShareList {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  cursor: string | null;
  size: number;
}

export type ShownSkuShare = Awaited<ReturnType<typeof shownSkuShares>>[number];

/** Lists one page of SKU shares by group and SKU, each with its last change. */
export async function listSkuShares(
  db: Db,
  pages: Pages,
  { publisherId, groupId, cursor, size }: SkuShareList,
): Promise<Page<ShownSkuShare>> {
  const listing = ['admin-sku-shares', publisherId, groupId];
  const [afterGroup, afterSku] = pages.after(listing, cursor) ?? [];
  const rest = afterGroup === undefined ? sql`` : sql`and (group_id, sku_id) > (${afterGroup}, ${afterSku})`;
  const { rows } = await sql<SkuShareRow>`
    select group_id, sku_id, share_millionths
    from sku_share
    where publisher_id = ${publisherId} and (${groupId}::text is null or group_id = ${groupId}) ${rest}
    order by group_id, sku_id
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, ({ group_id, sku_id }) => [group_id, sku_id]);
  return { ...page, rows: await shownSkuShares(db, publisherId, page.rows.map(toSkuShare)) };
}

export async function shownSkuShares(db: Db, publisherId: string, shares: readonly VersionedSkuShare[]) {
  const target = ({ groupId, skuId }: VersionedSkuShare): string => `sku-share:${groupId}/${skuId}`;
  const changes = await lastChanges(db, publisherId, shares.map(target));
  return shares.map((share) => ({ ...share, provenance: shownProvenance(changes.get(target(share))) }));
}

function toSkuShare({ group_id: groupId, sku_id: skuId, share_millionths }: SkuShareRow): VersionedSkuShare {
  const revShare = millionthsToPercent(share_millionths);
  return { groupId, skuId, revShare, version: versionOf([groupId, skuId, revShare]) };
}
