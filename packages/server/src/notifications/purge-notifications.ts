import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../api-keys/purge-publishers.ts';
import type { Db } from '../platform/database/database.ts';

const dayMs = 86_400_000;
/** Retention period for sent notifications and past incidents. It is longer than any digest's period. */
const retentionMs = 90 * dayMs;
/** Maximum time that a notification waits, for example for a mail server that is no longer configured. */
const maxWaitMs = 7 * dayMs;

/** Deletes old notifications and incidents, in batches with one commit each. @returns the number of deleted rows */
export const purgeNotifications = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const before = new Date(now.getTime() - retentionMs);
    const { numAffectedRows: notifications } = await sql`
      delete from notification
      where publisher_id = ${publisherId} and notification_id in (
        select notification_id
        from notification
        where publisher_id = ${publisherId}
          and (ended_at < ${before} or (ended_at is null and created_at < ${new Date(now.getTime() - maxWaitMs)}))
        limit ${rowsAtOnce}
      )`.execute(db);
    const { numAffectedRows: incidents } = await sql`
      delete from notification_incident
      where publisher_id = ${publisherId} and ended_at < ${before}`.execute(db);
    return Math.max(Number(notifications ?? 0n), Number(incidents ?? 0n) >= rowsAtOnce ? rowsAtOnce : 0);
  });
