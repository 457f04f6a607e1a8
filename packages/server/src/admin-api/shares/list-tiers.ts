import { countByTier, type TierCounts } from '../../members/read/count-by-tier.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { readTiersAfter, type VersionedTier } from '../../revenue-shares/tiers/read-tiers.ts';
import { withProvenance } from '../provenance.ts';

export interface TierList {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  cursor: string | null;
  size: number;
}

export type ShownTier = Awaited<ReturnType<typeof shownTiers>>[number];

/**
 * Lists one page of tiers, ordered by group and name, each with its number of members and its last change.
 */
export async function listTiers(
  db: Db,
  pages: Pages,
  { publisherId, groupId, cursor, size }: TierList,
): Promise<Page<ShownTier>> {
  const listing = ['admin-tiers', publisherId, groupId];
  const after = pages.after(listing, cursor);
  const found = await readTiersAfter(db, { publisherId, groupId }, after, size + 1);
  const page = pages.cut(listing, found, size, (tier) => [tier.groupId, tier.name]);
  return { ...page, rows: await shownTiers(db, publisherId, page.rows) };
}

export async function shownTiers(db: Db, publisherId: string, tiers: readonly VersionedTier[]) {
  const countsOf = new Map<string, TierCounts>();
  for (const { groupId } of tiers)
    if (!countsOf.has(groupId)) countsOf.set(groupId, await countByTier(db, publisherId, groupId));
  const counted = tiers.map((tier) => {
    const counts = countsOf.get(tier.groupId);
    return {
      ...tier,
      memberCount: counts?.byTier.get(tier.tierId) ?? 0,
      isCountWhole: counts?.isWhole ?? true,
    };
  });
  return withProvenance(db, publisherId, counted, ({ tierId }) => `tier:${tierId}`);
}
