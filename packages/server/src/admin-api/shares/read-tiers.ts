import { sql } from 'kysely';
import { lastChanges } from '../../audit/last-changes.ts';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { versionOf } from '../../platform/version.ts';
import { shownProvenance } from './share-schemas.ts';

/** Tier as the dashboard shows it, with the version for edits. */
export interface VersionedTier {
  tierId: TierId;
  groupId: string;
  name: string;
  revShare: number;
  version: string;
}

interface TierRow {
  tier_id: TierId;
  group_id: string;
  name: string;
  share_millionths: number;
}

/** Maximum number of a group's members to count. In a larger group, the counts of its tiers are lower bounds. */
const maxCounted = 20_000;

export async function readTier(
  db: Db | Tx,
  publisherId: string,
  tierId: TierId,
): Promise<VersionedTier | null> {
  const { rows } = await sql<TierRow>`
    select tier_id, group_id, name, share_millionths
    from tier
    where publisher_id = ${publisherId} and tier_id = ${tierId}`.execute(db);
  return rows.map(toTier)[0] ?? null;
}

export interface TierList {
  publisherId: string;
  /** Null for all groups. */
  groupId: string | null;
  cursor: string | null;
  size: number;
}

/** Lists one page of tiers by group and name, each with its number of members and its last change. */
export async function listTierPage(db: Db, pages: Pages, list: TierList): Promise<Page<ShownTier>> {
  const { publisherId, groupId, cursor, size } = list;
  const listing = ['admin-tiers', publisherId, groupId];
  const [afterGroup, afterName] = pages.after(listing, cursor) ?? [];
  const rest =
    afterGroup === undefined ? sql`` : sql`and (group_id, name) > (${afterGroup}, ${afterName}::text)`;
  const { rows } = await sql<TierRow>`
    select tier_id, group_id, name, share_millionths
    from tier
    where publisher_id = ${publisherId} and (${groupId}::text is null or group_id = ${groupId}) ${rest}
    order by group_id, name
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, ({ group_id, name }) => [group_id, name]);
  return { ...page, rows: await shownTiers(db, publisherId, page.rows.map(toTier)) };
}

export type ShownTier = Awaited<ReturnType<typeof shownTiers>>[number];

export async function shownTiers(db: Db, publisherId: string, tiers: readonly VersionedTier[]) {
  const target = ({ tierId }: VersionedTier): string => `tier:${tierId}`;
  const changes = await lastChanges(db, publisherId, tiers.map(target));
  const counts = new Map<string, GroupCounts>();
  for (const groupId of new Set(tiers.map((tier) => tier.groupId)))
    counts.set(groupId, await countMembers(db, publisherId, groupId));
  return tiers.map((tier) => {
    const { byTier, isWhole } = counts.get(tier.groupId) ?? {
      byTier: new Map<string, number>(),
      isWhole: true,
    };
    return {
      ...tier,
      memberCount: byTier.get(tier.tierId) ?? 0,
      isCountWhole: isWhole,
      provenance: shownProvenance(changes.get(target(tier))),
    };
  });
}

interface GroupCounts {
  byTier: ReadonlyMap<string, number>;
  /** False if the count stopped at the limit. */
  isWhole: boolean;
}

async function countMembers(db: Db, publisherId: string, groupId: string): Promise<GroupCounts> {
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
    byTier: new Map(rows.map(({ tier_id, members }) => [tier_id ?? '', Number(members)])),
    isWhole: total < maxCounted,
  };
}

function toTier({ tier_id: tierId, group_id: groupId, name, share_millionths }: TierRow): VersionedTier {
  const revShare = millionthsToPercent(share_millionths);
  return { tierId, groupId, name, revShare, version: versionOf([groupId, name, revShare]) };
}
