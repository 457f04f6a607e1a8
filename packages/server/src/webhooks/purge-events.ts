import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { dropWithoutBlocking, utcDay } from '../platform/database/days/drop-days.ts';

/**
 * Drops the days of events before a moment's, with their deliveries and attempts. A day of which an event is still on its
 * way to somebody stays, with all after it.
 * @returns how many partitions were dropped
 */
export const purgeEvents = (db: Db, before: Date, stopping: AbortSignal): Promise<number> =>
  dropWithoutBlocking(db, sql`drop_webhook_days(${utcDay(before)}::date)`, stopping);
