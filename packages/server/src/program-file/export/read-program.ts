import { sql } from 'kysely';
import { readStoredBounties } from '../../bounties/define/stored-bounties.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { type GroupApplications, readApplications } from '../../publishers/applications/read-applications.ts';
import { readGroups } from '../../publishers/read-groups.ts';
import { readSchedulePage } from '../../revenue-shares/schedules/read-schedules.ts';
import type { Plain } from './flow-yaml.ts';

type Facts = { readonly [name: string]: Plain };

/** Entries of a list in the file, and descriptions of those that a file can't express. */
export interface EntryList {
  entries: Facts[];
  inexpressible: string[];
}

interface GroupKey {
  publisherId: string;
  groupId: string;
}

export interface GroupSettings {
  groupId: string;
  settings: Facts;
}

export async function readGroupSettings(tx: Tx, publisherId: string): Promise<GroupSettings[]> {
  const groups = await readGroups(tx, publisherId);
  const applications = await readApplications(tx, publisherId);
  return groups.map((group) => ({
    groupId: group.groupId,
    settings: {
      id: group.groupId,
      name: group.name,
      ...(group.isDefault && { default: true }),
      revShare: group.revShare,
      codeTTLInDays: group.codeTtlDays,
      holdDays: group.holdDays,
      payoutMinimums: Object.fromEntries(
        group.payoutMinimums.map(({ currency, amount }) => [currency, Number(amount)]),
      ),
      disabledCurrencies: group.disabledCurrencies,
      ...(group.payoutCalendar !== null && { payoutCalendar: { ...group.payoutCalendar } }),
      ...withApplications(applications.get(group.groupId)),
    },
  }));
}

const withApplications = (found: GroupApplications | undefined): Facts =>
  found === undefined
    ? {}
    : {
        applications: {
          open: found.isOpen,
          ...(found.terms !== null && { terms: found.terms.text }),
          maxPending: found.maxPending,
          reservedCodes: found.reservedCodes,
        },
      };

/** Reads the valid keys, but not their values. */
export async function readKeys(tx: Tx, publisherId: string): Promise<Facts[]> {
  const { rows } = await sql<{ name: string; kind: string; group_id: string | null }>`
    select distinct on (name) name, kind, group_id
    from api_key
    where publisher_id = ${publisherId} and revoked_at is null and (expires_at is null or expires_at > now())
    order by name, created_at`.execute(tx);
  return rows.map(({ name, kind, group_id }) => ({
    name,
    kind,
    ...(group_id !== null && { group: group_id }),
  }));
}

export async function readTiers(tx: Tx, { publisherId, groupId }: GroupKey): Promise<Facts[]> {
  const { rows } = await sql<{ tier_id: string; name: string; share_millionths: number }>`
    select tier_id, name, share_millionths
    from tier
    where publisher_id = ${publisherId} and group_id = ${groupId}
    order by share_millionths desc, name`.execute(tx);
  return rows.map((row) => ({
    id: row.tier_id,
    name: row.name,
    revShare: millionthsToPercent(row.share_millionths),
  }));
}

export async function readSkuShares(tx: Tx, { publisherId, groupId }: GroupKey): Promise<Facts[]> {
  const { rows } = await sql<{ sku_id: string; share_millionths: number }>`
    select sku_id, share_millionths
    from sku_share
    where publisher_id = ${publisherId} and group_id = ${groupId}
    order by sku_id`.execute(tx);
  return rows.map((row) => ({ skuId: row.sku_id, revShare: millionthsToPercent(row.share_millionths) }));
}

const schedulesAtOnce = 500;

/**
 * Reads schedules, earliest start first. A file can't express a zero-length schedule: the API accepts it, but a program
 * file doesn't.
 */
export async function readScheduleList(tx: Tx, group: GroupKey): Promise<EntryList> {
  const list: EntryList = { entries: [], inexpressible: [] };
  for (let offset = 0; ; offset += schedulesAtOnce) {
    const page = await readSchedulePage(tx, group, { limit: schedulesAtOnce, offset });
    for (const { scheduleId, startsAt, endsAt, shareMillionths, tierShares } of page) {
      if (endsAt <= startsAt) {
        list.inexpressible.push(`schedule ${scheduleId}, which has zero length`);
        continue;
      }
      list.entries.push({
        id: scheduleId,
        startDate: startsAt.toISOString(),
        endDate: endsAt.toISOString(),
        ...(shareMillionths !== null && { revShare: millionthsToPercent(shareMillionths) }),
        ...(tierShares.length > 0 && {
          tiers: tierShares.map((share) => ({
            tier: share.tierName,
            revShare: millionthsToPercent(share.shareMillionths),
          })),
        }),
      });
    }
    if (page.length < schedulesAtOnce) return list;
  }
}

/** Reads bounties without their removed parts. A file can't express a bounty that ended before its start. */
export async function readBountyList(tx: Tx, group: GroupKey): Promise<EntryList> {
  const list: EntryList = { entries: [], inexpressible: [] };
  for (const bounty of await readStoredBounties(tx, group)) {
    const { id, name, limit, startsAt, endsAt, prerequisites } = bounty;
    if (endsAt !== null && endsAt <= startsAt) {
      list.inexpressible.push(`bounty ${id}, which ended before its start`);
      continue;
    }
    list.entries.push({
      id,
      name,
      ...unlessNull({
        description: bounty.description,
        imageSrc: bounty.imageSrc,
        rewardDescription: bounty.rewardDescription,
      }),
      limit,
      startsAt: startsAt.toISOString(),
      ...(endsAt !== null && { endsAt: endsAt.toISOString() }),
      ...(prerequisites.length > 0 && { prerequisites }),
      objectives: bounty.objectives.filter(({ isRemoved }) => !isRemoved).map(objectiveOf),
      rewards: bounty.rewards.filter(({ isRemoved }) => !isRemoved).map(rewardOf),
    });
  }
  return list;
}

type StoredBounty = Awaited<ReturnType<typeof readStoredBounties>>[number];

const objectiveOf = (objective: StoredBounty['objectives'][number]): Facts => {
  const { id, name, type, condition, target, currency, eventCode, skus } = objective;
  return {
    id,
    name,
    type,
    ...(condition !== 'Count' && { condition }),
    count: Number(target),
    ...unlessNull({ currency, eventCode }),
    ...(skus.length > 0 && { skus: skus.map(skuOf) }),
  };
};

const rewardOf = (reward: StoredBounty['rewards'][number]): Facts => {
  const { id, name, type, amountMinor, currency, sku, externalId } = reward;
  return {
    id,
    name,
    type,
    ...(amountMinor !== null && { amount: Number(amountMinor) }),
    ...unlessNull({ currency, sku: sku && skuOf(sku), externalId }),
  };
};

const skuOf = ({ id, name }: { id: string; name: string }) => ({ id, name });

export const unlessNull = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
