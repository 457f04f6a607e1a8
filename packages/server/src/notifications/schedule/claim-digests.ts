import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { type Frequency, lastOccurrence, nextOccurrence, periodOf } from './local-time.ts';

/** Maximum number of recipients per commit, to limit how long their rows are locked. */
const recipientsAtOnce = 100;

interface DueRow {
  recipient: string;
  time_zone: string;
  send_hour: number;
  next_daily_at: Date | null;
  next_weekly_at: Date | null;
}

/**
 * Writes a publisher's due digests and the due times of the next ones, in one commit. Each digest covers the last
 * completed period, so after a week's outage, a daily digest is written only once. A period's digest is unique, so two
 * processes or a change of time zone can't cause a duplicate.
 * @param hasMail false if no mail server is configured, in which case people's digests wait
 * @returns the number of recipients processed
 */
export const claimDigests = (
  db: Db,
  publisherId: string,
  { now, hasMail }: { now: Date; hasMail: boolean },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<DueRow>`
      select recipient, time_zone, send_hour, next_daily_at, next_weekly_at
      from notification_choice
      where publisher_id = ${publisherId} and (next_daily_at <= ${now} or next_weekly_at <= ${now})
        and (${hasMail} or recipient like 'channel:%')
      order by recipient
      limit ${recipientsAtOnce}
      for update skip locked`.execute(tx);
    for (const row of rows) {
      const isDue = { daily: isReached(row.next_daily_at, now), weekly: isReached(row.next_weekly_at, now) };
      if (isDue.daily) await claim(tx, row, { publisherId, frequency: 'daily', now });
      if (isDue.weekly) await claim(tx, row, { publisherId, frequency: 'weekly', now });
    }
    return rows.length;
  });

const isReached = (at: Date | null, now: Date): boolean => at !== null && at <= now;

async function claim(
  tx: Tx,
  { recipient, time_zone: timeZone, send_hour: hour }: DueRow,
  { publisherId, frequency, now }: { publisherId: string; frequency: Frequency; now: Date },
): Promise<void> {
  const time = { timeZone, hour };
  const { from, until } = periodOf(time, frequency, lastOccurrence(time, frequency, now).dayStart);
  await sql`
    insert into notification
      (publisher_id, notification_id, recipient, kind, period_from, period_until, status, created_at, next_attempt_at)
    values
      (${publisherId}, ${newRowId()}, ${recipient}, ${frequency}, ${from}::date, ${until}::date, 'Waiting', ${now}, ${now})
    on conflict do nothing`.execute(tx);
  const next = nextOccurrence(time, frequency, now).at;
  await tx
    .updateTable('notification_choice')
    .set(frequency === 'daily' ? { next_daily_at: next } : { next_weekly_at: next })
    .where('publisher_id', '=', publisherId)
    .where('recipient', '=', recipient)
    .execute();
}
