import type { Db } from '../../platform/database/database.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { readSkuSharesAfter, type VersionedSkuShare } from '../../revenue-shares/read-sku-shares.ts';
import { withProvenance } from '../provenance.ts';

export interface SkuShareList {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  cursor: string | null;
  size: number;
}

export type ShownSkuShare = Awaited<ReturnType<typeof shownSkuShares>>[number];

/** Lists one page of SKU shares, ordered by group and SKU, each with its last change. */
export async function listSkuShares(
  db: Db,
  pages: Pages,
  { publisherId, groupId, cursor, size }: SkuShareList,
): Promise<Page<ShownSkuShare>> {
  const listing = ['admin-sku-shares', publisherId, groupId];
  const after = pages.after(listing, cursor);
  const found = await readSkuSharesAfter(db, { publisherId, groupId }, after, size + 1);
  const page = pages.cut(listing, found, size, (share) => [share.groupId, share.skuId]);
  return { ...page, rows: await shownSkuShares(db, publisherId, page.rows) };
}

export const shownSkuShares = (db: Db, publisherId: string, shares: readonly VersionedSkuShare[]) =>
  withProvenance(db, publisherId, shares, ({ groupId, skuId }) => `sku-share:${groupId}/${skuId}`);
