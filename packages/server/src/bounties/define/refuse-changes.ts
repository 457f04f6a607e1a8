import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { type InputPath, Refusal } from '../../platform/refusal.ts';
import {
  changedIn,
  frozenObjectiveFields,
  frozenRewardFields,
  type PlannedBounty,
  type StoredBounty,
} from './bounty-terms.ts';
import type { GroupKey } from './stored-bounties.ts';

/**
 * Rejects ids that belong to another bounty or to a bounty in another group. Ids are unique per publisher.
 * @throws Refusal Conflict
 */
export async function refuseForeignIds(
  tx: Tx,
  { publisherId, groupId }: GroupKey,
  { id, objectives, rewards }: PlannedBounty,
): Promise<void> {
  const { rows } = await sql<{ kind: 'bounty' | 'objectives' | 'rewards'; id: string; owner: string }>`
    select 'bounty' as kind, b.bounty_id as id, 'group ' || b.group_id as owner
    from bounty b
    where b.publisher_id = ${publisherId} and b.bounty_id = ${id} and b.group_id <> ${groupId}
    union all
    select 'objectives', o.objective_id, 'bounty ' || o.bounty_id
    from bounty_objective o
    where o.publisher_id = ${publisherId} and o.objective_id = any(${objectives.map((each) => each.id)}::text[])
      and o.bounty_id <> ${id}
    union all
    select 'rewards', d.reward_id, 'bounty ' || d.bounty_id
    from bounty_reward d
    where d.publisher_id = ${publisherId} and d.reward_id = any(${rewards.map((each) => each.id)}::text[])
      and d.bounty_id <> ${id}`.execute(tx);
  const [first] = rows;
  if (first === undefined) return;
  if (first.kind === 'bounty') throw conflict(['id'], `bounty ${id} belongs to ${first.owner}`);
  const parts = first.kind === 'objectives' ? objectives : rewards;
  const place = parts.findIndex((each) => each.id === first.id);
  throw conflict(
    [first.kind, place, 'id'],
    `the id ${first.id} belongs to ${first.owner}; choose another id`,
  );
}

/**
 * Rejects changes to objectives that have begun and to rewards that were given.
 * @throws Refusal Conflict
 */
export function refuseFrozen(bounty: PlannedBounty, stored: StoredBounty): void {
  if (
    bounty.startsAt.getTime() !== stored.startsAt.getTime() &&
    stored.objectives.some(({ isBegun }) => isBegun)
  )
    throw conflict(['startsAt'], "startsAt of a bounty that has begun can't change");
  for (const [place, objective] of bounty.objectives.entries()) {
    const known = stored.objectives.find(({ id }) => id === objective.id);
    const [changed] = known?.isBegun ? changedIn(frozenObjectiveFields, objective, known) : [];
    if (changed !== undefined)
      throw conflict(
        ['objectives', place, changed],
        `${changed} of an objective that has begun can't change; add a new objective with an id other than ${objective.id}`,
      );
  }
  for (const [place, reward] of bounty.rewards.entries()) {
    const known = stored.rewards.find(({ id }) => id === reward.id);
    const [changed] = known?.isGiven ? changedIn(frozenRewardFields, reward, known) : [];
    if (changed !== undefined)
      throw conflict(
        ['rewards', place, changed],
        `${changed} of a reward that was given can't change; add a new reward with an id other than ${reward.id}`,
      );
  }
}

const conflict = (path: InputPath, message: string): Refusal => new Refusal('Conflict', message, { path });
