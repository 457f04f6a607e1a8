import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { StoredBounty } from '../define/bounty-terms.ts';
import { bountyVersion } from '../define/plan-bounties.ts';
import { readStoredBounties } from '../define/stored-bounties.ts';

interface BountyName {
  id: BountyId;
  name: string;
}

export interface BountyToEdit {
  groupId: string;
  stored: StoredBounty;
  version: string;
  prerequisites: BountyName[];
  /** Bounties that have this bounty as a prerequisite. */
  dependants: BountyName[];
  /**
   * Number of members who have begun the bounty, and number of completions. Both are lower bounds if
   * `isWhole` is false.
   */
  begun: { members: number; completions: number; isWhole: boolean };
}

/**
 * Returns a bounty with its terms, its prerequisites, the bounties that require it, the number of members who
 * have begun it, and the number of completions.
 * @throws Refusal NotFound
 */
export async function getBountyToEdit(
  db: Db,
  { publisherId, bountyId }: { publisherId: string; bountyId: BountyId },
): Promise<BountyToEdit> {
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
  const [neighbors, begun] = await Promise.all([
    readNeighbors(db, publisherId, bountyId),
    countBegun(db, publisherId, bountyId),
  ]);
  return { groupId, stored, version: bountyVersion(groupId, stored), ...neighbors, begun };
}

type Neighbors = Pick<BountyToEdit, 'prerequisites' | 'dependants'>;

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

/** Maximum number of members to count. */
const maxCounted = 20_000;

async function countBegun(db: Db, publisherId: string, bountyId: BountyId): Promise<BountyToEdit['begun']> {
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
