import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Actor } from '../../audit/actor.ts';
import { type Differences, differences } from '../../audit/differences.ts';
import { type Facts, recordChange } from '../../audit/record-change.ts';
import { CollectedRefusals } from '../../platform/collect-refusals.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { ScheduleId } from '../../platform/database/tables.generated.ts';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { toScheduleId } from '../../platform/ids.ts';
import { closed, inputPercent, inputReference } from '../../platform/inputs.ts';
import { percentToMillionths } from '../../platform/percent.ts';
import { Refusal, refusingAt } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { lockGroup } from '../../publishers/lock-group.ts';
import { tierNamed } from '../../publishers/tier-named.ts';
import { type GroupKey, readSchedules } from './read-schedules.ts';
import { maxTiers, refuseEmptyTerms, type ScheduleTerms, scheduleFacts } from './schedule-terms.ts';
import { newScheduleId, writeSchedule } from './write-schedule.ts';

export const scheduleInput = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{21}$',
        description:
          '21 letters, digits, _ and -. If absent, an id is generated, and the window identifies the schedule in later updates.',
      }),
    ),
    startDate: timestamp('Start of the window.'),
    endDate: timestamp('End of the window (exclusive).'),
    revShare: Type.Optional(
      inputPercent('Percentage for all members of the group during the window. 1 is one percent.', 1),
    ),
    tiers: Type.Optional(
      Type.Array(
        Type.Object(
          { tier: inputReference, revShare: inputPercent('Percentage for the members of the tier.', 1) },
          closed,
        ),
        { maxItems: maxTiers },
      ),
    ),
  },
  {
    ...closed,
    description: 'A schedule. revShare or tiers is required. The entry replaces the whole stored schedule.',
  },
);

export type ScheduleInput = Static<typeof scheduleInput>;

export interface SchedulesInput extends GroupKey {
  schedules: readonly ScheduleInput[];
}

interface Planned {
  id: ScheduleId;
  terms: ScheduleTerms;
  /** Null if nothing changes. */
  change: Differences<Facts> | { before: null; after: Facts } | null;
}

/**
 * Creates or replaces schedules of a group. The input identifies tiers by name. The schedules are saved together,
 * because two of them may swap windows. Unchanged schedules aren't touched.
 * @returns whether anything changed
 * @throws Refusal with all problems: InvalidInput, InvalidDate, Conflict
 */
export async function putSchedules(
  tx: ProgramTx,
  actor: Actor,
  { schedules, ...group }: SchedulesInput,
): Promise<boolean> {
  if (schedules.length === 0) return false;
  const { publisherId, groupId } = group;
  await lockGroup(tx, publisherId, groupId);
  const planned = await planSchedules(tx, group, schedules);
  const changed = [...planned].filter(([, { change }]) => change !== null);
  await setAside(
    tx,
    publisherId,
    changed.map(([, { id }]) => id),
  );
  const refusals = new CollectedRefusals();
  for (const [index, { id, terms, change }] of changed) {
    await refusals.at(['schedules', index], async () => {
      await saveSchedule(tx, group, id, terms);
      await recordChange(tx, actor, {
        publisherId,
        action: 'schedule.put',
        target: `schedule:${id}`,
        ...change,
      });
    });
  }
  refusals.throwAny();
  if (changed.length > 0) programChanged(tx, publisherId);
  return changed.length > 0;
}

/**
 * Matches the input to stored schedules and computes the changes. Returns the plans by position in the input.
 */
async function planSchedules(
  tx: Tx,
  group: GroupKey,
  schedules: readonly ScheduleInput[],
): Promise<Map<number, Planned>> {
  const named = schedules.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const refusals = new CollectedRefusals();
  const planned = new Map<number, Planned>();
  for (const [index, schedule] of schedules.entries()) {
    await refusals.at(['schedules', index], async () => {
      const terms = await termsOfInput(tx, group, schedule);
      const namedId = schedule.id === undefined ? undefined : toScheduleId(schedule.id);
      const id = namedId ?? (await findByWindow(tx, group, terms, named)) ?? newScheduleId();
      if ([...planned.values()].some((other) => other.id === id))
        throw new Refusal('InvalidInput', `schedule ${id} with this window is listed twice`);
      if (namedId !== undefined) await refuseOtherGroup(tx, group, namedId);
      planned.set(index, { id, terms, change: await changeOf(tx, group, id, terms) });
    });
  }
  refusals.throwAny();
  return planned;
}

async function termsOfInput(
  tx: Tx,
  { publisherId, groupId }: GroupKey,
  { startDate, endDate, revShare, tiers = [] }: ScheduleInput,
): Promise<ScheduleTerms> {
  const tierShares: ScheduleTerms['tierShares'][number][] = [];
  for (const [index, { tier, revShare }] of tiers.entries()) {
    const tierId = await refusingAt(['tiers', index, 'tier'], () =>
      tierNamed(tx, publisherId, groupId, tier),
    );
    tierShares.push({ tierId, shareMillionths: percentToMillionths(revShare) });
  }
  const terms = {
    startsAt: readTimestamp(startDate),
    endsAt: readTimestamp(endDate),
    shareMillionths: revShare === undefined ? null : percentToMillionths(revShare),
    tierShares,
  };
  refuseEmptyTerms(terms);
  return terms;
}

async function changeOf(
  tx: Tx,
  group: GroupKey,
  id: ScheduleId,
  terms: ScheduleTerms,
): Promise<Planned['change']> {
  const [known] = await readSchedules(tx, group, [id]);
  const after = scheduleFacts(group.groupId, terms);
  return known === undefined
    ? { before: null, after }
    : differences(scheduleFacts(group.groupId, known), after);
}

/** Finds the schedule with exactly this window, unless another entry in the input refers to it by id. */
async function findByWindow(
  tx: Tx,
  { publisherId, groupId }: GroupKey,
  { startsAt, endsAt }: ScheduleTerms,
  named: readonly string[],
): Promise<ScheduleId | undefined> {
  const known = await tx
    .selectFrom('scheduled_share')
    .select('schedule_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('starts_at', '=', startsAt)
    .where('ends_at', '=', endsAt)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return known === undefined || named.includes(known.schedule_id) ? undefined : known.schedule_id;
}

async function refuseOtherGroup(
  tx: Tx,
  { publisherId, groupId }: GroupKey,
  scheduleId: ScheduleId,
): Promise<void> {
  const known = await tx
    .selectFrom('scheduled_share')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .executeTakeFirst();
  if (known !== undefined && known.group_id !== groupId)
    throw new Refusal('Conflict', `schedule ${scheduleId} belongs to group ${known.group_id}`, {
      path: ['id'],
    });
}

/**
 * Marks schedules as deleted until they are saved again, so that they don't overlap each other in the
 * meantime.
 */
async function setAside(tx: ProgramTx, publisherId: string, ids: readonly ScheduleId[]): Promise<void> {
  await tx
    .updateTable('scheduled_share')
    .set({ deleted_at: sql<Date>`now()` })
    .where('publisher_id', '=', publisherId)
    .where('deleted_at', 'is', null)
    .where('schedule_id', '=', sql<ScheduleId>`any(${ids}::text[])`)
    .execute();
}

async function saveSchedule(
  tx: ProgramTx,
  group: GroupKey,
  id: ScheduleId,
  terms: ScheduleTerms,
): Promise<void> {
  await writeSchedule(tx, group, id, terms).catch((error) => {
    if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
    throw new Refusal(error.code, `its window overlaps another schedule of group ${group.groupId}`);
  });
}
