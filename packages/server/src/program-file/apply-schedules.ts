import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { ScheduleId } from '../platform/database/tables.generated.ts';
import { toScheduleId } from '../platform/ids.ts';
import { percentToMillionths } from '../platform/percent.ts';
import { Refusal, refusingAt } from '../platform/refusal.ts';
import { parseTimestamp } from '../platform/timestamps.ts';
import { lockGroup } from '../publishers/lock-group.ts';
import { tierNamed } from '../publishers/tier-named.ts';
import {
  newScheduleId,
  putSchedule,
  readSchedules,
  type ScheduleTerms,
} from '../revenue-shares/schedules.ts';
import type { ProgramSchedule } from './program-schema.ts';
import type { ProgramFile } from './read-program.ts';

interface Planned {
  id: ScheduleId;
  terms: ScheduleTerms;
}

/**
 * Makes or replaces the schedules that a group of the file names, after its tiers. Those that are as the file says
 * are not touched.
 */
export async function applySchedules(tx: Tx, file: ProgramFile, groupIndex: number): Promise<void> {
  const { publisher, groups = [] } = file.program;
  const group = groups[groupIndex];
  if (group === undefined) throw new Error('no such group in the file');
  const { schedules = [] } = group;
  if (schedules.length === 0) return;
  await lockGroup(tx, publisher.id, group.id);
  const placeOf = (index: number) => ['groups', groupIndex, 'schedules', index];
  const named = schedules.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const planned: Planned[] = [];
  for (const [index, schedule] of schedules.entries()) {
    const path = placeOf(index);
    const terms = await readTerms(tx, file, groupIndex, schedule, path);
    const namedId = schedule.id === undefined ? undefined : toScheduleId(schedule.id);
    const id = namedId ?? (await ofWindow(tx, publisher.id, group.id, terms, named)) ?? newScheduleId();
    if (planned.some((other) => other.id === id))
      throw file.errorAt(path, `the schedule ${id}, which has this window, stands here twice`);
    if (namedId !== undefined) await refuseOtherGroup(tx, file, group.id, namedId, path);
    planned.push({ id, terms });
  }
  const known = await readSchedules(tx, publisher.id, group.id, planned);
  const isChanged = ({ id, terms }: Planned): boolean =>
    !known.some((each) => each.scheduleId === id && saysTheSame(each, terms));
  await setAside(tx, publisher.id, planned.filter(isChanged));
  for (const [index, plan] of planned.entries()) {
    if (!isChanged(plan)) continue;
    const { id, terms } = plan;
    await putSchedule(tx, publisher.id, group.id, id, terms).catch((error) => {
      if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
      throw file.errorAt(placeOf(index), `its window overlaps another schedule of group ${group.id}`);
    });
  }
}

async function readTerms(
  tx: Tx,
  file: ProgramFile,
  groupIndex: number,
  { startDate, endDate, revShare, tiers = [] }: ProgramSchedule,
  path: readonly (string | number)[],
): Promise<ScheduleTerms> {
  const { publisher, groups = [] } = file.program;
  const groupId = groups[groupIndex]?.id ?? '';
  if (revShare === undefined && tiers.length === 0)
    throw file.errorAt(path, 'a schedule needs revShare, tiers or both');
  const startsAt = readTime(startDate);
  const endsAt = readTime(endDate);
  if (endsAt <= startsAt) throw file.errorAt([...path, 'endDate'], 'endDate must be after startDate');
  const tierShares: ScheduleTerms['tierShares'][number][] = [];
  for (const [index, { tier, revShare }] of tiers.entries()) {
    const place = ['tiers', index, 'tier'];
    const tierId = await refusingAt([...path.slice(3), ...place], () =>
      tierNamed(tx, publisher.id, groupId, tier),
    );
    tierShares.push({ tierId, shareMillionths: percentToMillionths(revShare) });
  }
  return {
    startsAt,
    endsAt,
    shareMillionths: revShare === undefined ? null : percentToMillionths(revShare),
    tierShares,
  };
}

/** The schedule that has exactly this window, unless the file names it by its id elsewhere. */
async function ofWindow(
  tx: Tx,
  publisherId: string,
  groupId: string,
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
  file: ProgramFile,
  groupId: string,
  scheduleId: ScheduleId,
  path: readonly (string | number)[],
): Promise<void> {
  const known = await tx
    .selectFrom('scheduled_share')
    .select('group_id')
    .where('publisher_id', '=', file.program.publisher.id)
    .where('schedule_id', '=', scheduleId)
    .executeTakeFirst();
  if (known !== undefined && known.group_id !== groupId)
    throw file.errorAt([...path, 'id'], `the schedule ${scheduleId} belongs to group ${known.group_id}`);
}

function saysTheSame(one: ScheduleTerms, other: ScheduleTerms): boolean {
  return (
    +one.startsAt === +other.startsAt &&
    +one.endsAt === +other.endsAt &&
    one.shareMillionths === other.shareMillionths &&
    one.tierShares.length === other.tierShares.length &&
    one.tierShares.every(({ tierId, shareMillionths }, position) => {
      const share = other.tierShares[position];
      return tierId === share?.tierId && shareMillionths === share.shareMillionths;
    })
  );
}

/** Until each is put, none of them is in the way of another: two may change places in one file. */
async function setAside(tx: Tx, publisherId: string, planned: readonly Planned[]): Promise<void> {
  await tx
    .updateTable('scheduled_share')
    .set({ deleted_at: sql<Date>`now()` })
    .where('publisher_id', '=', publisherId)
    .where('deleted_at', 'is', null)
    .where('schedule_id', '=', sql<ScheduleId>`any(${planned.map(({ id }) => id)}::text[])`)
    .execute();
}

function readTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new Error('a timestamp passed its schema and cannot be read');
  return new Date(ms);
}
