import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { moment, readMoment } from '../../platform/database/moment.ts';
import { laterBy, readAheadMs, serviceTimeOf } from '../../publishers/publisher-time.ts';
import { boundsOfMonth } from '../payouts/read/read-month.ts';

/** Month that is being closed, and how far its statements are issued. */
export interface ClosingMonth {
  publisherId: string;
  /** UTC month, such as `2026-10`. */
  month: string;
  /** Start and (exclusive) end of the month on the publisher's clock. */
  from: Date;
  until: Date;
  /** Start and (exclusive) end on the service's clock, which ledger entries use. */
  entriesFrom: Date;
  entriesBefore: Date;
  /** Membership up to which statements are issued. */
  doneTo: string;
}

/** Time from a month's end until it is closed, in which the last transactions of the month end. */
const closesAfterMs = 3_600_000;
/** Age from which an open transaction is taken for a forgotten session. No operation lasts this long. */
const forgottenMs = 86_400_000;

/** SQL condition that is true if a publisher has a month to close, or was created since the last look. */
export const hasMonthsToClose = sql`(
  exists (select 1 from statement_progress where closes_at <= ${moment})
  or exists (
    select 1
    from clock_move c
    join statement_progress s on s.publisher_id = c.publisher_id
    where s.closes_at <= ${moment} + c.ahead_ms * interval '1 millisecond')
  or exists (
    select 1
    from publisher p
    where not exists (select 1 from statement_progress s where s.publisher_id = p.publisher_id)))`;

/** Begins the statements of new publishers, and returns the publishers that have a month to close. */
export async function publishersToClose(db: Db): Promise<string[]> {
  await beginStatements(db);
  const { rows } = await sql<{ publisher_id: string }>`
    select s.publisher_id
    from statement_progress s
    where s.closes_at <= ${moment}
       or exists (
         select 1
         from clock_move c
         where c.publisher_id = s.publisher_id and s.closes_at <= ${moment} + c.ahead_ms * interval '1 millisecond')
    order by s.publisher_id`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/** Lets the statements of each new publisher begin with the month in which it was created. */
async function beginStatements(db: Db): Promise<void> {
  const { rows } = await sql<{ publisher_id: string; created_at: Date }>`
    select p.publisher_id, p.created_at
    from publisher p
    where not exists (select 1 from statement_progress s where s.publisher_id = p.publisher_id)`.execute(db);
  for (const { publisher_id, created_at } of rows) {
    const month = monthOf(created_at);
    await db
      .insertInto('statement_progress')
      .values({ publisher_id, month: startOf(month), closes_at: closesAt(month) })
      .onConflict((conflict) => conflict.column('publisher_id').doNothing())
      .execute();
  }
}

/**
 * Returns the next month of a publisher that can be closed. Nothing can be added to its entries: it has been over for an
 * hour, no transaction from before its end is open, and no payout from then is in progress. An entry has the time at which its
 * transaction began.
 * @returns null if there is no such month now
 */
export async function readClosingMonth(db: Db, publisherId: string): Promise<ClosingMonth | null> {
  const progress = await db
    .selectFrom('statement_progress')
    .select(['closes_at', 'done_to'])
    .select(sql<string>`to_char(month, 'YYYY-MM')`.as('month'))
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (progress === undefined) return null;
  const now = await readMoment(db);
  if (laterBy(now, await readAheadMs(db, publisherId)) < progress.closes_at) return null;
  const { month, done_to: doneTo } = progress;
  const { from, until } = boundsOfMonth(month);
  const closing: ClosingMonth = {
    publisherId,
    month,
    from,
    until,
    entriesFrom: await serviceTimeOf(db, publisherId, from),
    entriesBefore: await serviceTimeOf(db, publisherId, until),
    doneTo,
  };
  return (await mayStillChange(db, closing)) ? null : closing;
}

async function mayStillChange(db: Db, { publisherId, entriesBefore }: ClosingMonth): Promise<boolean> {
  const { rows } = await sql<{ is_busy: boolean }>`
    select exists (
             select 1
             from pg_stat_activity s
             where s.datname = current_database() and s.backend_type = 'client backend' and s.pid <> pg_backend_pid()
               and s.xact_start < ${entriesBefore} and s.xact_start > ${laterBy(entriesBefore, -forgottenMs)}
           ) or exists (
             select 1
             from payout_batch b
             where b.publisher_id = ${publisherId} and b.status in ('Preparing', 'Cancelling')
               and b.created_at < ${entriesBefore}
           ) as is_busy`.execute(db);
  return rows[0]?.is_busy ?? true;
}

/** Returns the columns of `statement_progress` once a month is closed. */
export function afterMonth(month: string): { month: RawBuilder<Date>; closesAt: Date } {
  const next = monthOf(boundsOfMonth(month).until);
  return { month: startOf(next), closesAt: closesAt(next) };
}

const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
/** Returns a month's first day as SQL. A `Date` would be sent in the process's time zone. */
export const startOf = (month: string): RawBuilder<Date> => sql<Date>`${`${month}-01`}::date`;
const closesAt = (month: string): Date => laterBy(boundsOfMonth(month).until, closesAfterMs);
