import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Period } from '../schedule/local-time.ts';
import type { NotificationKind } from '../subjects.ts';

export interface TakenNotification {
  publisherId: string;
  notificationId: string;
  recipient: string;
  kind: NotificationKind;
  /** Null for an immediate notification. */
  period: Period | null;
  began: string[];
  ended: string[];
  /** Number of this attempt, starting at 1. */
  attempt: number;
}

/**
 * Time limit for sending a notification. After that, another process sends it, because the first one must have died.
 * Longer than any attempt.
 */
const leaseMs = 5 * 60_000;
const notificationsAtOnce = 20;

interface Row {
  notification_id: string;
  recipient: string;
  kind: NotificationKind;
  from: string | null;
  until: string | null;
  began: string[];
  ended: string[];
  attempt_count: number;
}

/**
 * Takes a publisher's due notifications, so that no other process sends them.
 * @param sendsMail false if email can't be sent at the moment, in which case only messages to channels are taken
 */
export async function takeNotifications(
  db: Db,
  publisherId: string,
  { now, sendsMail }: { now: Date; sendsMail: boolean },
): Promise<TakenNotification[]> {
  const { rows } = await sql<Row>`
    update notification
    set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempt_count = attempt_count + 1
    where publisher_id = ${publisherId} and status = 'Waiting' and next_attempt_at <= ${now} and notification_id in (
      select notification_id
      from notification
      where publisher_id = ${publisherId} and status = 'Waiting' and next_attempt_at <= ${now}
        and (${sendsMail} or recipient like 'channel:%')
      order by next_attempt_at, notification_id
      limit ${notificationsAtOnce}
      for update skip locked
    )
    returning notification_id, recipient, kind, period_from::text as from, period_until::text as until,
              began::text[] as began, ended::text[] as ended, attempt_count`.execute(db);
  return rows.map(({ from, until, ...row }) => ({
    publisherId,
    notificationId: row.notification_id,
    recipient: row.recipient,
    kind: row.kind,
    period: from === null || until === null ? null : { from, until },
    began: row.began,
    ended: row.ended,
    attempt: row.attempt_count,
  }));
}

/** Result of an attempt to send a notification. */
export type Outcome =
  | { status: 'Sent' | 'Nothing' }
  | { status: 'Failed'; error: string }
  | { status: 'Waiting'; error: string; nextAttemptAt: Date };

/** Saves a result, unless another process has taken over the notification. */
export async function saveOutcome(
  db: Db,
  { publisherId, notificationId, attempt }: TakenNotification,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const { status } = outcome;
  await db
    .updateTable('notification')
    .set({
      status,
      error: 'error' in outcome ? outcome.error.slice(0, 1_000) : null,
      ...(status === 'Waiting' ? { next_attempt_at: outcome.nextAttemptAt } : { ended_at: now }),
    })
    .where('publisher_id', '=', publisherId)
    .where('notification_id', '=', notificationId)
    .where('status', '=', 'Waiting')
    .where('attempt_count', '=', attempt)
    .execute();
}

const minute = 60_000;
const hour = 60 * minute;

/** Waits between failed attempts, about fifteen hours in total. By then, the next daily digest has newer figures. */
const waitsMs = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour];
/** Maximum wait that a channel can request. */
const maxRetryAfterMs = hour;

/** Returns the result of a failed attempt. */
export function failed(
  error: string,
  { attempt }: TakenNotification,
  now: Date,
  retryAfterMs: number | null = null,
): Outcome {
  const waitMs = waitsMs[attempt - 1];
  if (waitMs === undefined) return { status: 'Failed', error };
  const afterMs = Math.max(waitMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
  return { status: 'Waiting', error, nextAttemptAt: new Date(now.getTime() + afterMs) };
}
