import { sql } from 'kysely';
import { nanoid } from 'nanoid';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { BountyId, ObjectiveId } from '../../platform/database/tables.generated.ts';
import { toBountyId, toObjectiveId, toRewardId } from '../../platform/ids.ts';
import { beginFirstPurchases, recount } from '../count/recount.ts';
import {
  type BountyTerms,
  differences,
  frozenOfObjective,
  frozenOfReward,
  type PlannedBounty,
  type StoredBounty,
  sameTerms,
} from './bounty-terms.ts';
import { DefinitionProblem } from './definition-problem.ts';
import { refuseCircles, writePrerequisites } from './prerequisites.ts';
import { readStoredBounties } from './stored-bounties.ts';
import { writeBounty } from './write-bounty.ts';

/** Whether some bounties of a group are stored exactly as they are defined here: then there is nothing to do. */
export async function areDefined(
  tx: Tx,
  publisherId: string,
  groupId: string,
  defined: readonly BountyTerms[],
): Promise<boolean> {
  if (defined.length === 0) return true;
  const stored = await readStoredBounties(tx, publisherId, groupId);
  return plan(defined, stored).every((planned) => isAsStored(planned, stored));
}

/**
 * Makes or changes bounties of a group, each to say all that is said here and no more. What was settled before is
 * counted by new objectives and windows in the same commit. The caller has locked out settling, then the group.
 * @returns the ids, in the order given
 * @throws DefinitionProblem with the place of what cannot be
 */
export async function defineBounties(
  tx: Tx,
  publisherId: string,
  groupId: string,
  defined: readonly BountyTerms[],
): Promise<BountyId[]> {
  const stored = await readStoredBounties(tx, publisherId, groupId);
  const planned = plan(defined, stored);
  for (const [index, bounty] of planned.entries()) {
    const before = stored.find(({ id }) => id === bounty.id) ?? null;
    if (before !== null && isAsStored(bounty, stored)) continue;
    await refuseForeignIds(tx, publisherId, groupId, bounty, index);
    if (before !== null) refuseFrozen(bounty, before, index);
    if (bounty.endsAt !== null && bounty.startsAt > bounty.endsAt)
      throw new DefinitionProblem(
        [index, 'startsAt'],
        `the bounty ended at ${bounty.endsAt.toISOString()} and cannot begin after that; make another one`,
      );
    if (bounty.objectives.some(({ type }) => type === 'NewPlayers'))
      await beginFirstPurchases(tx, publisherId);
    await writeBounty(tx, publisherId, groupId, bounty);
    await recount(tx, publisherId, groupId, toRecount(bounty, before));
    // Whatever changed, a completion may be due.
    await sql`
      update bounty_progress set needs_check = true
      where publisher_id = ${publisherId} and bounty_id = ${bounty.id}`.execute(tx);
  }
  for (const [index, bounty] of planned.entries())
    await writePrerequisites(tx, publisherId, groupId, bounty.id, bounty.prerequisites, index);
  await refuseCircles(
    tx,
    publisherId,
    planned.map(({ id }) => id),
  );
  return planned.map(({ id }) => id);
}

/** Decides ids: those given, else those of what is stored under the name or at the place, else new ones. */
function plan(defined: readonly BountyTerms[], stored: readonly StoredBounty[]): PlannedBounty[] {
  const named = new Set(defined.flatMap(({ id }) => (id === null ? [] : [id])));
  return defined.map((terms) => {
    const before = stored.find(({ id, name }) =>
      terms.id === null ? name === terms.name && !named.has(id) : id === terms.id,
    );
    return {
      ...terms,
      id: before?.id ?? toBountyId(terms.id ?? nanoid()),
      endsAt: before?.isEnded ? before.endsAt : terms.endsAt,
      objectives: withIds(terms.objectives, before?.objectives ?? [], toObjectiveId),
      rewards: withIds(terms.rewards, before?.rewards ?? [], toRewardId),
    };
  });
}

function withIds<Part extends { id: string | null }, Id extends string>(
  parts: readonly Part[],
  stored: readonly (Part & { id: Id; isRemoved: boolean })[],
  toId: (text: string) => Id,
): (Part & { id: Id })[] {
  const named = new Set(parts.map(({ id }) => id));
  const live = stored.filter(({ isRemoved }) => !isRemoved);
  return parts.map((part, index) => {
    const atPlace = live[index]?.id;
    const its = part.id ?? (atPlace !== undefined && !named.has(atPlace) ? atPlace : nanoid());
    return { ...part, id: toId(its) };
  });
}

function isAsStored(planned: PlannedBounty, stored: readonly StoredBounty[]): boolean {
  const before = stored.find(({ id }) => id === planned.id);
  if (before === undefined) return false;
  const live = <Part extends { isRemoved: boolean }>(parts: readonly Part[]): Part[] =>
    parts.filter(({ isRemoved }) => !isRemoved);
  return sameTerms(planned, {
    ...before,
    objectives: live(before.objectives),
    rewards: live(before.rewards),
  });
}

/** Ids are the publisher's: one that another bounty has, or a bounty of another group, is not taken over. */
async function refuseForeignIds(
  tx: Tx,
  publisherId: string,
  groupId: string,
  { id, objectives, rewards }: PlannedBounty,
  index: number,
): Promise<void> {
  const { rows } = await sql<{ kind: 'bounty' | 'objectives' | 'rewards'; id: string; owner: string }>`
    select 'bounty' as kind, bounty_id as id, 'group ' || group_id as owner
    from bounty
    where publisher_id = ${publisherId} and bounty_id = ${id} and group_id <> ${groupId}
    union all
    select 'objectives', objective_id, 'bounty ' || bounty_id
    from bounty_objective
    where publisher_id = ${publisherId} and objective_id = any(${objectives.map((each) => each.id)}::text[]) and bounty_id <> ${id}
    union all
    select 'rewards', reward_id, 'bounty ' || bounty_id
    from bounty_reward
    where publisher_id = ${publisherId} and reward_id = any(${rewards.map((each) => each.id)}::text[]) and bounty_id <> ${id}`.execute(
    tx,
  );
  const [first] = rows;
  if (first === undefined) return;
  if (first.kind === 'bounty')
    throw new DefinitionProblem([index, 'id'], `the bounty ${id} belongs to ${first.owner}`);
  const place = (first.kind === 'objectives' ? objectives : rewards).findIndex(
    (each) => each.id === first.id,
  );
  throw new DefinitionProblem(
    [index, first.kind, place, 'id'],
    `the id ${first.id} belongs to ${first.owner}; choose another one`,
  );
}

/** What members have worked for is not changed under them. */
function refuseFrozen(bounty: PlannedBounty, before: StoredBounty, index: number): void {
  if (
    bounty.startsAt.getTime() !== before.startsAt.getTime() &&
    before.objectives.some(({ isBegun }) => isBegun)
  )
    throw new DefinitionProblem([index, 'startsAt'], `startsAt of a bounty that has begun cannot change`);
  for (const [place, objective] of bounty.objectives.entries()) {
    const known = before.objectives.find(({ id }) => id === objective.id);
    const [changed] = known?.isBegun ? differences(frozenOfObjective, objective, known) : [];
    if (changed !== undefined)
      throw new DefinitionProblem(
        [index, 'objectives', place, changed],
        `${changed} of an objective that has begun cannot change; give the new objective another id than ${objective.id}`,
      );
  }
  for (const [place, reward] of bounty.rewards.entries()) {
    const known = before.rewards.find(({ id }) => id === reward.id);
    const [changed] = known?.isGiven ? differences(frozenOfReward, reward, known) : [];
    if (changed !== undefined)
      throw new DefinitionProblem(
        [index, 'rewards', place, changed],
        `${changed} of a reward that was given cannot change; give the new reward another id than ${reward.id}`,
      );
  }
}

/** All objectives when the window is another, else those that are new, back again, or ask for something else. */
function toRecount(bounty: PlannedBounty, before: StoredBounty | null): ObjectiveId[] {
  const isSameWindow =
    before !== null &&
    bounty.startsAt.getTime() === before.startsAt.getTime() &&
    bounty.endsAt?.getTime() === before.endsAt?.getTime();
  return bounty.objectives
    .filter((objective) => {
      const known = before?.objectives.find(({ id }) => id === objective.id);
      return (
        !isSameWindow ||
        known === undefined ||
        known.isRemoved ||
        differences(frozenOfObjective, objective, known).length > 0
      );
    })
    .map(({ id }) => id);
}
