import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { dropWithoutBlocking, utcDay } from '../platform/database/days/drop-days.ts';

/**
 * Drops all days of events before a date, along with their deliveries and attempts. Keeps a day with pending deliveries
 * and all days after it.
 * @returns the number of partitions dropped
 */
export const purgeEvents = (db: Db, before: Date, stopping: AbortSignal): Promise<number> =>
  dropWithoutBlocking(db, sql`drop_webhook_days(${utcDay(before)}::date)`, stopping);
