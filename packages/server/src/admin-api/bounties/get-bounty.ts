import { sql } from 'kysely';
import { lastChanges } from '../../audit/last-changes.ts';
import {
  frozenObjectiveFields,
  frozenRewardFields,
  type StoredBounty,
  type StoredObjective,
  type StoredReward,
} from '../../bounties/define/bounty-terms.ts';
import { bountyVersion } from '../../bounties/define/plan-bounties.ts';
import { readStoredBounties } from '../../bounties/define/stored-bounties.ts';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { shownProvenance } from '../shares/share-schemas.ts';
import type { BountyDetail } from './bounty-schemas.ts';
import { stateOf } from './bounty-state.ts';

/** Maximum number of members to count. */
const maxCounted = 20_000;

/**
 * Returns a bounty with its terms, its locked fields, and the numbers of members who have begun and completed it.
 * @throws Refusal NotFound
 */
export async function getBounty(
  db: Db,
  { publisherId, bountyId }: { publisherId: string; bountyId: BountyId },
  now: Date,
): Promise<BountyDetail> {
  const found = await db
    .selectFrom('bounty')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('bounty_id', '=', bountyId)
    .executeTakeFirst();
  const groupId = found?.group_id ?? null;
  const [stored] = groupId === null ? [] : await readStoredBounties(db, { publisherId, groupId }, bountyId);
  if (groupId === null || stored === undefined)
    throw new Refusal('NotFound', 'There is no bounty with this id.');
  const target = `bounty:${bountyId}`;
  const [neighbors, begun, changes] = await Promise.all([
    readNeighbors(db, publisherId, bountyId),
    countBegun(db, publisherId, bountyId),
    lastChanges(db, publisherId, [target]),
  ]);
  return {
    bountyId,
    groupId,
    name: stored.name,
    description: stored.description,
    imageSrc: stored.imageSrc,
    rewardDescription: stored.rewardDescription,
    limit: stored.limit,
    startsAt: stored.startsAt,
    endsAt: stored.endsAt,
    isEnded: stored.isEnded,
    state: stateOf(stored, now),
    locked: lockedOf(stored),
    objectives: stored.objectives.filter(({ isRemoved }) => !isRemoved).map(shownObjective),
    rewards: stored.rewards.filter(({ isRemoved }) => !isRemoved).map(shownReward),
    ...neighbors,
    begun,
    version: bountyVersion(groupId, stored),
    provenance: shownProvenance(changes.get(target)),
  };
}

function lockedOf({ objectives, isEnded }: StoredBounty): BountyDetail['locked'] {
  const isBegun = objectives.some((each) => each.isBegun);
  const fields = [...(isBegun ? ['startsAt'] : []), ...(isEnded ? ['endsAt'] : [])];
  if (fields.length === 0) return null;
  const reasons = [
    ...(isBegun ? ["Members have begun this bounty, so its start can't change."] : []),
    ...(isEnded ? ["This bounty was ended, so its end can't change."] : []),
  ];
  return { fields, reason: reasons.join(' ') };
}

const shownObjective = ({ isBegun, isRemoved: _isRemoved, target, skus, ...rest }: StoredObjective) => ({
  ...rest,
  count: String(target),
  skus: [...skus],
  locked: isBegun
    ? {
        fields: Object.keys(frozenObjectiveFields),
        reason:
          "Members have begun this objective, so what it counts can't change. Remove it and add another one.",
      }
    : null,
});

const shownReward = ({ isGiven, isRemoved: _isRemoved, amountMinor, ...rest }: StoredReward) => ({
  ...rest,
  amount: amountMinor === null ? null : String(amountMinor),
  locked: isGiven
    ? {
        fields: Object.keys(frozenRewardFields),
        reason: "Members have received this reward, so it can't change. Remove it and add another one.",
      }
    : null,
});

type Neighbors = Pick<BountyDetail, 'prerequisites' | 'dependants'>;

async function readNeighbors(db: Db, publisherId: string, bountyId: BountyId): Promise<Neighbors> {
  const { rows } = await sql<{ id: BountyId; name: string; is_required: boolean }>`
    select b.bounty_id as id, b.name, q.bounty_id = ${bountyId} as is_required
    from bounty_prerequisite q
    join bounty b
      on b.publisher_id = ${publisherId}
      and b.bounty_id = case when q.bounty_id = ${bountyId} then q.requires_id else q.bounty_id end
    where q.publisher_id = ${publisherId} and (q.bounty_id = ${bountyId} or q.requires_id = ${bountyId})
    order by b.bounty_id`.execute(db);
  const named = (isRequired: boolean) =>
    rows.filter((row) => row.is_required === isRequired).map(({ id, name }) => ({ id, name }));
  return { prerequisites: named(true), dependants: named(false) };
}

async function countBegun(db: Db, publisherId: string, bountyId: BountyId): Promise<BountyDetail['begun']> {
  const { rows } = await sql<{ members: bigint; completions: bigint | null }>`
    select count(*) as members, sum(completion_count) as completions
    from (
      select p.completion_count
      from bounty_progress p
      where p.publisher_id = ${publisherId} and p.bounty_id = ${bountyId}
      limit ${maxCounted}
    ) counted`.execute(db);
  const members = Number(rows[0]?.members ?? 0);
  return { members, completions: Number(rows[0]?.completions ?? 0), isWhole: members < maxCounted };
}
