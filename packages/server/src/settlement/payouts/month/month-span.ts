import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { laterBy, readAheadMs, serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { boundsOfMonth } from '../read/read-month.ts';

/** Part of a month to report. Its ledger entries no longer change. */
export interface MonthSpan {
  publisherId: string;
  /** UTC month, such as `2026-10`. */
  month: string;
  /** Start and (exclusive) end of the span on the publisher's clock. */
  from: Date;
  asOf: Date;
  /** Start and end on the service's clock, which ledger entries use. */
  entriesFrom: Date;
  entriesBefore: Date;
  /** True if the span is the whole month. */
  isClosed: boolean;
}

/** Minimum distance from the current time, to allow for corrections of the database's clock. */
const lagMs = 1_000;
/**
 * Age from which a transaction, such as a backup, is assumed not to write entries. Transactions that do take a second
 * or two.
 */
const longMs = 60_000;

/**
 * Returns the part of a month whose entries are all visible: the whole month once it is over; until then, everything up
 * to a second ago.
 * @throws Refusal InvalidInput for a month that has not begun
 */
export async function readMonthSpan(db: Db, publisherId: string, month: string): Promise<MonthSpan> {
  const { from, until } = boundsOfMonth(month);
  const visibleBefore = await readVisibleBefore(db);
  const entriesFrom = await serviceTimeOf(db, publisherId, from);
  const entriesUntil = await serviceTimeOf(db, publisherId, until);
  if (visibleBefore <= entriesFrom)
    throw new Refusal(
      'InvalidInput',
      `The month ${month} (UTC) has not begun. Choose this month or an earlier one.`,
      { path: ['month'] },
    );
  const isClosed = entriesUntil <= visibleBefore;
  return {
    publisherId,
    month,
    from,
    asOf: isClosed ? until : laterBy(visibleBefore, await readAheadMs(db, publisherId)),
    entriesFrom,
    entriesBefore: isClosed ? entriesUntil : visibleBefore,
    isClosed,
  };
}

/**
 * Returns the time before which all entries are visible. An entry has its transaction's start time, so this time is
 * earlier than the start of any running transaction.
 */
async function readVisibleBefore(db: Db): Promise<Date> {
  const now = await readMoment(db); // read first, so that any transaction that starts afterward has a later time
  const { rows } = await sql<{ oldest: Date | null }>`
    select date_trunc('milliseconds', min(s.xact_start)) as oldest
    from pg_stat_activity s
    where s.datname = current_database() and s.pid <> pg_backend_pid()
      and s.xact_start > ${laterBy(now, -longMs)}`.execute(db);
  const oldest = rows[0]?.oldest ?? now;
  return new Date(Math.min(oldest.getTime(), now.getTime() - lagMs));
}
