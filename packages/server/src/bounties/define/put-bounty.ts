import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChanges } from '../../audit/record-change.ts';
import { CollectedRefusals } from '../../platform/collect-refusals.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { BountyId, ObjectiveId } from '../../platform/database/tables.generated.ts';
import { type InputPath, Refusal } from '../../platform/refusal.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { lockGroup } from '../../publishers/lock-group.ts';
import { lockOutPosting } from '../../settlement/settlement-lock.ts';
import { backfillFirstPurchases, recount } from '../count/recount.ts';
import type { BountyInput } from './bounty-input.ts';
import {
  type BountyTerms,
  changedIn,
  frozenObjectiveFields,
  type PlannedBounty,
  type StoredBounty,
} from './bounty-terms.ts';
import { type BountyPlan, bountyVersion, planBounties } from './plan-bounties.ts';
import { bountiesInCircles, writePrerequisites } from './prerequisites.ts';
import { readTerms } from './read-terms.ts';
import { refuseForeignIds, refuseFrozen } from './refuse-changes.ts';
import { rejectDuplicates } from './reject-duplicates.ts';
import { type GroupKey, readStoredBounties } from './stored-bounties.ts';
import { writeBounty } from './write-bounty.ts';

export interface BountyOutcome {
  bountyId: BountyId;
  isChanged: boolean;
}

/**
 * Creates a bounty or replaces its definition. Rows that are already posted are counted for new objectives
 * and windows in the same commit.
 * @param version version that the actor saw (`bountyVersion`), or null for a new bounty; if absent, stale
 *   edits aren't detected
 * @throws Refusal that lists every problem: InvalidInput, InvalidDate, BountyNotFound for a prerequisite,
 *   Conflict with objectives that have begun, rewards that were given or other bounties' ids; Stale; NotFound
 *   when the group doesn't exist
 */
export async function putBounty(
  db: Db,
  actor: Actor,
  { publisherId, groupId, version, ...bounty }: GroupKey & BountyInput & { version?: string | null },
): Promise<BountyOutcome> {
  const [put] = await inTransaction(db, (tx) =>
    putEach(tx, actor, { publisherId, groupId }, [{ bounty, path: [], version }]),
  );
  if (put === undefined) throw new Error('putting a bounty returned no outcome');
  return put;
}

/**
 * Creates or replaces a group's bounties, which may be prerequisites of each other. An operation that also
 * takes other locks on the publisher must call `lockForBounties` first.
 */
export async function putBounties(
  tx: Tx,
  actor: Actor,
  { publisherId, groupId, bounties }: GroupKey & { bounties: readonly BountyInput[] },
): Promise<BountyOutcome[]> {
  if (bounties.length === 0) return [];
  const refusals = new CollectedRefusals();
  const ids = bounties.map(({ id }) => id);
  // Without an id, the name identifies the bounty.
  const names = bounties.map(({ id, name }) => (id === undefined ? name : undefined));
  for (const each of [ids, names]) rejectDuplicates(refusals, 'bounty', each, ['bounties']);
  refusals.throwAny();
  const parts = bounties.map((bounty, index) => ({ bounty, path: ['bounties', index] }));
  return putEach(tx, actor, { publisherId, groupId }, parts);
}

interface Part {
  bounty: BountyInput;
  path: InputPath;
  version?: string | null | undefined;
}

async function putEach(
  tx: Tx,
  actor: Actor,
  group: GroupKey,
  parts: readonly Part[],
): Promise<BountyOutcome[]> {
  const { publisherId, groupId } = group;
  const refusals = new CollectedRefusals();
  const terms: BountyTerms[] = [];
  for (const { bounty, path } of parts) {
    const read = await refusals.at(path, async () => readTerms(bounty));
    if (read !== undefined) terms.push(read);
  }
  refusals.throwAny();
  const known = planBounties(groupId, terms, await readStoredBounties(tx, group));
  if (known.every(({ change }) => change === null)) return known.map(outcome);

  await findGroup(tx, publisherId, groupId);
  await lockOutPosting(tx, publisherId);
  await lockGroup(tx, publisherId, groupId);
  const plans = planBounties(groupId, terms, await readStoredBounties(tx, group));
  for (const [index, { bounty, stored, change }] of plans.entries()) {
    const current = stored && bountyVersion(groupId, stored);
    if (change !== null) refuseStaleEdit(`Bounty ${bounty.name}`, parts[index]?.version, current);
  }
  const changed = plans.flatMap((plan, index) =>
    plan.change === null ? [] : [{ ...plan, path: parts[index]?.path ?? [] }],
  );
  for (const { bounty, stored, path } of changed)
    await refusals.at(path, () => saveAndCount(tx, group, bounty, stored));
  refusals.throwAny();
  // Prerequisites are saved last, because bounties may require each other.
  for (const { bounty, path } of changed)
    await refusals.at(path, () => writePrerequisites(tx, group, bounty));
  refusals.throwAny();
  const circular = await bountiesInCircles(
    tx,
    publisherId,
    changed.map(({ bounty }) => bounty.id),
  );
  for (const { bounty, path } of changed)
    if (circular.has(bounty.id))
      throw new Refusal('InvalidInput', `bounty ${bounty.id} requires itself through others`, {
        path: [...path, 'prerequisites'],
      });
  await recordChanges(
    tx,
    actor,
    changed.map(({ bounty, change }) => ({
      publisherId,
      action: 'bounty.put',
      target: `bounty:${bounty.id}`,
      ...change,
    })),
  );
  return plans.map(outcome);
}

const outcome = ({ bounty, change }: BountyPlan): BountyOutcome => ({
  bountyId: bounty.id,
  isChanged: change !== null,
});

async function saveAndCount(
  tx: Tx,
  group: GroupKey,
  bounty: PlannedBounty,
  stored: StoredBounty | null,
): Promise<void> {
  const { publisherId, groupId } = group;
  await refuseForeignIds(tx, group, bounty);
  if (stored !== null) refuseFrozen(bounty, stored);
  if (bounty.endsAt !== null && bounty.startsAt > bounty.endsAt)
    throw new Refusal(
      'Conflict',
      `the bounty ended at ${bounty.endsAt.toISOString()} and can't start after that; create another bounty`,
      { path: ['startsAt'] },
    );
  if (bounty.objectives.some(({ type }) => type === 'NewPlayers'))
    await backfillFirstPurchases(tx, publisherId);
  await writeBounty(tx, group, bounty);
  await recount(tx, publisherId, groupId, toRecount(bounty, stored));
  // Any change may allow a completion.
  await sql`
    update bounty_progress p
    set needs_check = true
    where p.publisher_id = ${publisherId} and p.bounty_id = ${bounty.id}`.execute(tx);
}

/**
 * Returns the objectives to recount: all objectives if the window changed, otherwise the new, restored and
 * changed objectives.
 */
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
        changedIn(frozenObjectiveFields, objective, known).length > 0
      );
    })
    .map(({ id }) => id);
}
