import { sql } from 'kysely';
import { listOwnMemberships, type OwnMembership } from '../members/read/list-own-memberships.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId, MembershipId, TierId } from '../platform/database/tables.generated.ts';
import { nowAt } from '../publishers/publisher-time.ts';
import { readSkuSharesAfter, type VersionedSkuShare } from '../revenue-shares/read-sku-shares.ts';
import { type DecidedShare, resolveShare } from '../revenue-shares/resolve-share.ts';
import { readSchedulesWithin } from '../revenue-shares/schedules/read-schedules.ts';
import type { Schedule } from '../revenue-shares/schedules/schedule-terms.ts';

/** Window in which a schedule decides a creator's share. */
export interface RateWindow extends DecidedShare {
  startsAt: Date;
  endsAt: Date;
}

/** Shares of one of a creator's memberships. */
export interface GroupRates {
  membership: OwnMembership;
  asOf: Date;
  tierName: string | null;
  now: DecidedShare;
  /** End of the schedule that applies now; null if none does. */
  until: Date | null;
  /** Share outside of schedules. */
  usual: DecidedShare;
  /** Next windows with another share, earliest first. */
  coming: RateWindow[];
  /** Products with a share of their own, by SKU. It applies instead of the shares above, also during schedules. */
  products: Pick<VersionedSkuShare, 'skuId' | 'revShare'>[];
  hasMoreProducts: boolean;
}

const maxComing = 20;
/** Maximum number of schedules that are read. Those that change nothing for the creator are left out. */
const maxSchedules = 200;
const maxProducts = 100;

/** Reads what a creator's share of a purchase is now and next, for each group. A share sent with a purchase still wins. */
export async function readRates(
  db: Db,
  clock: Clock,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<GroupRates[]> {
  const memberships = await listOwnMemberships(db, publisherId, accountIds);
  const asOf = await nowAt(db, clock, publisherId);
  const terms = await readTerms(db, publisherId, memberships);
  const rates: GroupRates[] = [];
  for (const membership of memberships) {
    const own = terms.get(membership.membershipId);
    if (own !== undefined) rates.push(await ratesOf(db, publisherId, { membership, own, asOf }));
  }
  return rates;
}

interface Terms {
  tier: { tierId: TierId; name: string; shareMillionths: number } | null;
  groupMillionths: number;
}

async function readTerms(
  db: Db,
  publisherId: string,
  memberships: readonly OwnMembership[],
): Promise<ReadonlyMap<MembershipId, Terms>> {
  const { rows } = await sql<{
    membership_id: MembershipId;
    tier_id: TierId | null;
    name: string | null;
    share_millionths: number | null;
    group_share: number;
  }>`
    select m.membership_id, t.tier_id, t.name, t.share_millionths, g.share_millionths as group_share
    from membership m
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    where m.publisher_id = ${publisherId}
      and m.membership_id = any(${memberships.map(({ membershipId }) => membershipId)}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ membership_id, tier_id, name, share_millionths, group_share }) => [
      membership_id,
      {
        groupMillionths: group_share,
        tier:
          tier_id === null || name === null || share_millionths === null
            ? null
            : { tierId: tier_id, name, shareMillionths: share_millionths },
      },
    ]),
  );
}

async function ratesOf(
  db: Db,
  publisherId: string,
  { membership, own, asOf }: { membership: OwnMembership; own: Terms; asOf: Date },
): Promise<GroupRates> {
  const { groupId } = membership;
  const usual = shareIn(own, null);
  const schedules = await readSchedulesWithin(
    db,
    { publisherId, groupId },
    { from: asOf, until: null, after: null, limit: maxSchedules },
  );
  // Without those that have a share only for other tiers.
  const windows = schedules
    .filter(({ startsAt, endsAt }) => startsAt < endsAt)
    .map((schedule) => ({ ...shareIn(own, schedule), startsAt: schedule.startsAt, endsAt: schedule.endsAt }))
    .filter(({ rule }) => rule !== usual.rule);
  const current = windows.find(({ startsAt, endsAt }) => startsAt <= asOf && asOf < endsAt);
  const products = await readSkuSharesAfter(db, { publisherId, groupId }, null, maxProducts + 1);
  return {
    membership,
    asOf,
    tierName: own.tier?.name ?? null,
    now: current === undefined ? usual : { rule: current.rule, shareMillionths: current.shareMillionths },
    until: current?.endsAt ?? null,
    usual,
    coming: windows
      .filter(({ startsAt, shareMillionths }) => startsAt > asOf && shareMillionths !== usual.shareMillionths)
      .slice(0, maxComing),
    products: products.slice(0, maxProducts).map(({ skuId, revShare }) => ({ skuId, revShare })),
    hasMoreProducts: products.length > maxProducts,
  };
}

/** Applies the rules that recording uses, to a purchase without a share or a SKU of its own. */
const shareIn = ({ tier, groupMillionths }: Terms, schedule: Schedule | null): DecidedShare =>
  resolveShare({
    sent: null,
    sku: null,
    'scheduled-tier':
      schedule?.tierShares.find(({ tierId }) => tierId === tier?.tierId)?.shareMillionths ?? null,
    'scheduled-group': schedule?.shareMillionths ?? null,
    tier: tier?.shareMillionths ?? null,
    group: groupMillionths,
  });
