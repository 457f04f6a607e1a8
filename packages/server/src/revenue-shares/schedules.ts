import { sql } from 'kysely';
import { nanoid } from 'nanoid';
import type { Db } from '../platform/database/database.ts';
import { violatedConstraint } from '../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { ScheduleId, TierId } from '../platform/database/tables.generated.ts';
import { toScheduleId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { lockGroup } from '../publishers/lock-group.ts';
import { announceSchedule } from './tell-schedules.ts';

/** What a schedule says; times are half-open, [startsAt, endsAt). */
export interface ScheduleTerms {
  startsAt: Date;
  endsAt: Date;
  /** Group-wide share, 10_000 … 1_000_000 of the whole; null when only tiers have one. */
  shareMillionths: number | null;
  tierShares: readonly { tierId: TierId; shareMillionths: number }[];
}

export interface Schedule extends ScheduleTerms {
  /** 21 characters. */
  scheduleId: ScheduleId;
  tierShares: readonly { tierId: TierId; tierName: string; shareMillionths: number }[];
}

/** @throws Refusal 409 when another schedule covers a moment of the window; 400 for an unknown tier */
export function createSchedule(
  db: Db,
  publisherId: string,
  groupId: string,
  terms: ScheduleTerms,
): Promise<Schedule> {
  return saving(db, async (tx) => {
    await lockGroup(tx, publisherId, groupId);
    return putSchedule(tx, publisherId, groupId, newScheduleId(), terms);
  });
}

/** The terms replace the schedule's own entirely. @throws Refusal 404, 409, and 400 for an unknown tier */
export function replaceSchedule(
  db: Db,
  publisherId: string,
  groupId: string,
  scheduleId: ScheduleId,
  terms: ScheduleTerms,
): Promise<Schedule> {
  return saving(db, async (tx) => {
    await lockGroup(tx, publisherId, groupId);
    await readOne(tx, publisherId, groupId, scheduleId);
    return putSchedule(tx, publisherId, groupId, scheduleId, terms);
  });
}

/** @returns the schedule as it was. @throws Refusal 404 */
export function deleteSchedule(
  db: Db,
  publisherId: string,
  groupId: string,
  scheduleId: ScheduleId,
  now: Date,
): Promise<Schedule> {
  return inTransaction(db, async (tx) => {
    await lockGroup(tx, publisherId, groupId);
    const schedule = await readOne(tx, publisherId, groupId, scheduleId);
    const wasRunning = await isRunning(tx, publisherId, scheduleId);
    await tx
      .updateTable('scheduled_share')
      .set({ deleted_at: now })
      .where('publisher_id', '=', publisherId)
      .where('schedule_id', '=', scheduleId)
      .execute();
    if (wasRunning) await announceSchedule(tx, publisherId, scheduleId, 'RevenueShare/ScheduleEnded');
    return schedule;
  });
}

/** One page of a group's schedules, by start. */
export async function listSchedules(
  db: Db,
  publisherId: string,
  groupId: string,
  page: number,
  pageSize: number,
): Promise<{ schedules: Schedule[]; totalCount: number }> {
  const schedules = await read(
    db,
    publisherId,
    groupId,
    sql`order by s.starts_at, s.schedule_id limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total
    from scheduled_share
    where publisher_id = ${publisherId} and group_id = ${groupId} and deleted_at is null`.execute(db);
  return { schedules, totalCount: Number(rows[0]?.total ?? 0) };
}

/** Those of a group's schedules that have these ids. */
export const readSchedules = (
  tx: Tx,
  publisherId: string,
  groupId: string,
  schedules: readonly { id: ScheduleId }[],
): Promise<Schedule[]> =>
  read(tx, publisherId, groupId, sql`and s.schedule_id = any(${schedules.map(({ id }) => id)}::text[])`);

export const newScheduleId = (): ScheduleId => toScheduleId(nanoid(21));

/**
 * Makes a schedule, or replaces everything it says; a deleted one is there again. The group is locked, and
 * an id that exists is one of its schedules.
 * @throws Refusal 409 when another schedule covers a moment of the window; 400 for an unknown tier
 */
export async function putSchedule(
  tx: Tx,
  publisherId: string,
  groupId: string,
  scheduleId: ScheduleId,
  terms: ScheduleTerms,
): Promise<Schedule> {
  await refuseOverlap(tx, publisherId, groupId, terms, scheduleId);
  const said = {
    starts_at: terms.startsAt,
    ends_at: terms.endsAt,
    share_millionths: terms.shareMillionths,
    deleted_at: null,
  };
  await tx
    .insertInto('scheduled_share')
    .values({ publisher_id: publisherId, schedule_id: scheduleId, group_id: groupId, ...said })
    .onConflict((conflict) =>
      conflict.columns(['publisher_id', 'schedule_id']).doUpdateSet({ ...said, ...stillTold }),
    )
    .execute();
  await tx
    .deleteFrom('scheduled_tier_share')
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .execute();
  await saveTierShares(tx, publisherId, groupId, scheduleId, terms);
  return readOne(tx, publisherId, groupId, scheduleId);
}

/**
 * What was told of a schedule stays told as long as it stays true; what is replaced anew is told anew. One deleted by
 * this very transaction was only set aside, for another of the same file to take its place.
 */
const wasThere = sql<boolean>`(scheduled_share.deleted_at is null or scheduled_share.deleted_at = now())`;
const stillTold = {
  is_start_told: sql<boolean>`scheduled_share.is_start_told and ${wasThere}
    and excluded.starts_at <= now() and not (scheduled_share.is_end_told and excluded.ends_at > now())`,
  is_end_told: sql<boolean>`scheduled_share.is_end_told and ${wasThere}
    and excluded.ends_at <= now()`,
};

/** Whether the publisher was told that a schedule started, and not yet that it ended. */
async function isRunning(tx: Tx, publisherId: string, scheduleId: ScheduleId): Promise<boolean> {
  const told = await tx
    .selectFrom('scheduled_share')
    .select(['is_start_told', 'is_end_told'])
    .where('publisher_id', '=', publisherId)
    .where('schedule_id', '=', scheduleId)
    .forUpdate()
    .executeTakeFirst();
  return told?.is_start_told === true && !told.is_end_told;
}

/**
 * An instant (start = end) is a point of the timeline: seen as a microsecond long, the ordinary rule for
 * half-open windows serves it too.
 */
async function refuseOverlap(
  tx: Tx,
  publisherId: string,
  groupId: string,
  { startsAt, endsAt }: ScheduleTerms,
  except: string,
): Promise<void> {
  const { rows } = await sql`
    select
    from scheduled_share
    where publisher_id = ${publisherId} and group_id = ${groupId} and deleted_at is null
      and schedule_id <> ${except}
      and starts_at < greatest(${endsAt}::timestamptz, ${startsAt}::timestamptz + interval '1 microsecond')
      and ${startsAt}::timestamptz < greatest(ends_at, starts_at + interval '1 microsecond')
    limit 1`.execute(tx);
  if (rows.length > 0) throw overlap();
}

async function saveTierShares(
  tx: Tx,
  publisherId: string,
  groupId: string,
  scheduleId: ScheduleId,
  { tierShares }: ScheduleTerms,
): Promise<void> {
  for (const [position, { tierId, shareMillionths }] of tierShares.entries()) {
    const { rows } = await sql`
      insert into scheduled_tier_share (publisher_id, schedule_id, tier_id, position, share_millionths)
      select ${publisherId}, ${scheduleId}, t.tier_id, ${position}::smallint, ${shareMillionths}::integer
      from tier t
      where t.publisher_id = ${publisherId} and t.group_id = ${groupId} and t.tier_id::text = lower(${tierId})
      on conflict do nothing
      returning tier_id`.execute(tx);
    if (rows.length === 0) {
      throw new Refusal(
        'InvalidInput',
        `tierRevenueShares[${position}].tierId is no tier of the group, or stands there twice`,
      );
    }
  }
}

const idShape = /^[A-Za-z0-9_-]{21}$/;

async function readOne(
  tx: Tx,
  publisherId: string,
  groupId: string,
  scheduleId: ScheduleId,
): Promise<Schedule> {
  const [found] = idShape.test(scheduleId)
    ? await read(tx, publisherId, groupId, sql`and s.schedule_id = ${scheduleId}`)
    : [];
  if (found === undefined)
    throw new Refusal('NotFound', 'The creator group has no scheduled revenue share with this id.');
  return found;
}

async function read(
  db: Db | Tx,
  publisherId: string,
  groupId: string,
  rest: ReturnType<typeof sql>,
): Promise<Schedule[]> {
  const { rows } = await sql<{
    schedule_id: ScheduleId;
    starts_at: Date;
    ends_at: Date;
    share_millionths: number | null;
    tier_shares: { tierId: TierId; tierName: string; shareMillionths: number }[];
  }>`
    select s.schedule_id, s.starts_at, s.ends_at, s.share_millionths,
           (select coalesce(json_agg(json_build_object(
                     'tierId', x.tier_id, 'tierName', t.name, 'shareMillionths', x.share_millionths
                   ) order by x.position), '[]')
            from scheduled_tier_share x
            join tier t on t.publisher_id = x.publisher_id and t.tier_id = x.tier_id
            where x.publisher_id = s.publisher_id and x.schedule_id = s.schedule_id) as tier_shares
    from scheduled_share s
    where s.publisher_id = ${publisherId} and s.group_id = ${groupId} and s.deleted_at is null
    ${rest}`.execute(db);
  return rows.map((row) => ({
    scheduleId: row.schedule_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    shareMillionths: row.share_millionths,
    tierShares: row.tier_shares,
  }));
}

function saving(db: Db, work: (tx: Tx) => Promise<Schedule>): Promise<Schedule> {
  return inTransaction(db, work).catch((error) => {
    throw violatedConstraint(error) === 'scheduled_share_no_overlap' ? overlap() : error;
  });
}

const overlap = (): Refusal =>
  new Refusal(
    'Conflict',
    'The window overlaps another scheduled revenue share of the group; nothing was changed.',
  );
