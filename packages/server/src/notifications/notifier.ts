import { type RawBuilder, sql } from 'kysely';
import { AnswerCache } from '../platform/answer-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { SendMail } from '../platform/mail/send-mail.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { serviceSecret } from '../platform/secrets/service-secret.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { fewAtOnce } from '../platform/work/few-at-once.ts';
import { mailBrand } from '../publishers/brand/mail-brand.ts';
import type { Sender } from '../webhooks/delivery/send/send-request.ts';
import type { Attention } from './attention/find-attention.ts';
import { postMessage } from './channels/post-message.ts';
import { recordNotPosted, recordPosted } from './channels/record-attempt.ts';
import { unsubscribeToken } from './choices/unsubscribe-links.ts';
import { publishersWithChanges } from './incidents/conditions.ts';
import { detectIncidents } from './incidents/detect-incidents.ts';
import { readRecipient } from './recipients.ts';
import { claimDigests } from './schedule/claim-digests.ts';
import { mailFailure } from './send/mail-failure.ts';
import { notificationMail } from './send/notification-mail.ts';
import {
  failed,
  type Outcome,
  saveOutcome,
  type TakenNotification,
  takeNotifications,
} from './send/take-notifications.ts';
import { createWriter, type WrittenNotification } from './send/write-notification.ts';

export interface NotifierDeps {
  db: Db;
  clock: Clock;
  sealer: Sealer;
  sender: Sender;
  /** Null if no mail server is configured. */
  sendMail: SendMail | null;
  /** Origin of the dashboard, for links. */
  origin: string;
  /** PUBLIC_URL, from which mail clients load the publisher's logo. */
  publicUrl: string | null;
  metrics: Pick<Metrics, 'notifications'>;
  log: Pick<Log, 'warn'>;
}

export type Notifier = ReturnType<typeof createNotifier>;

/** Maximum number of a publisher's messages that are sent at the same time. */
const sentAtOnce = 5;
/** Pause in sending email after the mail server couldn't be reached. */
const mailPauseMs = 60_000;
const publishersAtOnce = 100;
/** Minimum weight for due payouts to be cached, as on the Overview screen. */
const heavyDue = 2_000;
const maxCachedDues = 100;

/** Finds the notifications for people and channels, and sends them. */
export function createNotifier(deps: NotifierDeps) {
  const { db, clock, sealer, sender, sendMail, origin, publicUrl, metrics, log } = deps;
  const hasMail = sendMail !== null;
  const dues = new AnswerCache<Attention['due']>(heavyDue, maxCachedDues);
  let mailPausedUntilMs = 0;
  let secret: Promise<Buffer> | null = null;
  /** Returns the secret for signing the links in emails. */
  const unsubscribeSecret = (): Promise<Buffer> => {
    secret ??= serviceSecret(db, 'notification links', sealer).catch((error: unknown) => {
      secret = null;
      throw error;
    });
    return secret;
  };
  const sendsMail = (): boolean => hasMail && clock.now().getTime() >= mailPausedUntilMs;
  const isSent = (): RawBuilder<unknown> => sql`(${sendsMail()} or recipient like 'channel:%')`;

  /** Condition that is true if a digest is due or a notification is waiting. */
  const waits = (): RawBuilder<unknown> => {
    const now = clock.now();
    return sql`(
      exists (select 1 from notification_choice where next_daily_at <= ${now} and ${isSent()})
      or exists (select 1 from notification_choice where next_weekly_at <= ${now} and ${isSent()})
      or exists (select 1 from notification where status = 'Waiting' and next_attempt_at <= ${now} and ${isSent()}))`;
  };

  async function duePublishers(): Promise<string[]> {
    const now = clock.now();
    const { rows: digests } = await sql<{ publisher_id: string }>`
      select distinct publisher_id
      from notification_choice
      where (next_daily_at <= ${now} or next_weekly_at <= ${now}) and ${isSent()}
      order by publisher_id
      limit ${publishersAtOnce}`.execute(db);
    const { rows: waiting } = await sql<{ publisher_id: string }>`
      select distinct publisher_id
      from notification
      where status = 'Waiting' and next_attempt_at <= ${now} and ${isSent()}
      order by publisher_id
      limit ${publishersAtOnce}`.execute(db);
    return [...new Set([...digests, ...waiting].map(({ publisher_id }) => publisher_id))];
  }

  /**
   * Writes a publisher's due digests and sends some of its notifications.
   * @returns the number of digests and notifications processed
   */
  async function sendDue(publisherId: string): Promise<number> {
    const claimed = await claimDigests(db, publisherId, { now: clock.now(), hasMail });
    const taken = await takeNotifications(db, publisherId, { now: clock.now(), sendsMail: sendsMail() });
    const write = createWriter(db, { dues, origin, now: clock.now() });
    const failures: unknown[] = [];
    await fewAtOnce(taken, sentAtOnce, async (each) => {
      const outcome = await attempt(each, write).catch((error) => {
        failures.push(error); // a failure must not stop the other notifications
        return failed('The service failed. Its log has the details.', each, clock.now());
      });
      if ('error' in outcome) logFailure(each, outcome);
      await saveOutcome(db, each, outcome, clock.now());
    });
    if (failures.length > 0) throw failures[0];
    return claimed + taken.length;
  }

  async function attempt(taken: TakenNotification, write: ReturnType<typeof createWriter>): Promise<Outcome> {
    const written = await write(taken);
    if (written === null) return { status: 'Nothing' };
    return written.to.kind === 'channel'
      ? post(taken, written.content, written.to.channelId)
      : mail(taken, written.content, written.to);
  }

  async function mail(
    taken: TakenNotification,
    content: WrittenNotification['content'],
    { userId, email }: { userId: string; email: string },
  ): Promise<Outcome> {
    const { publisherId, kind, notificationId } = taken;
    if (sendMail === null) return { status: 'Nothing' };
    const token = unsubscribeToken(await unsubscribeSecret(), { publisherId, userId, kind });
    const brand = await mailBrand(db, publisherId, publicUrl);
    try {
      await sendMail(notificationMail(content, { to: email, brand, kind, origin, token, notificationId }));
    } catch (error) {
      const { responseCode } = error as { responseCode?: number };
      const reason = mailFailure(error);
      if (responseCode === undefined) mailPausedUntilMs = clock.now().getTime() + mailPauseMs;
      const isPermanent = responseCode !== undefined && responseCode >= 500;
      return counted(
        'mail',
        isPermanent ? { status: 'Failed', error: reason } : failed(reason, taken, clock.now()),
      );
    }
    return counted('mail', { status: 'Sent' });
  }

  async function post(
    taken: TakenNotification,
    content: WrittenNotification['content'],
    channelId: string,
  ): Promise<Outcome> {
    const key = { publisherId: taken.publisherId, channelId };
    const posted = await postMessage({ db, sealer, sender }, key, content);
    if (posted.isDelivered) {
      await recordPosted(db, key, clock.now());
      return counted('channel', { status: 'Sent' });
    }
    const { statusCode, error, answer, retryAfterMs } = posted;
    const failure =
      statusCode === null ? (error ?? 'no response') : `HTTP ${statusCode}: ${answer.slice(0, 200)}`;
    const isDisabled = statusCode !== tooManyRequests && (await recordNotPosted(db, key, failure));
    return counted(
      'channel',
      isDisabled ? { status: 'Failed', error: failure } : failed(failure, taken, clock.now(), retryAfterMs),
    );
  }

  /** Logs a failed attempt. Neither the reason nor the id of a channel contains an address. */
  function logFailure(
    { publisherId, notificationId, kind, recipient, attempt: attemptNumber }: TakenNotification,
    { status, error }: Extract<Outcome, { error: string }>,
  ): void {
    const reader = readRecipient(recipient);
    log.warn(
      {
        publisherId,
        notificationId,
        kind,
        by: reader.kind === 'channel' ? 'channel' : 'mail',
        ...(reader.kind === 'channel' && { channelId: reader.channelId }),
        attempt: attemptNumber,
        reason: error.slice(0, 1_000),
      },
      status === 'Failed'
        ? "couldn't send a notification, which is abandoned"
        : "couldn't send a notification, which will be retried",
    );
  }

  function counted(by: 'mail' | 'channel', outcome: Outcome): Outcome {
    const names = { Sent: 'sent', Nothing: 'sent', Waiting: 'retried', Failed: 'abandoned' } as const;
    metrics.notifications.inc({ by, outcome: names[outcome.status] });
    return outcome;
  }

  return {
    hasMail,
    origin,
    unsubscribeSecret,
    waits,
    /** Scalar subquery for the due time of the oldest unsent notification. */
    oldestDueAt: () => sql`(
      select min(next_attempt_at) from notification where status = 'Waiting' and (${hasMail} or recipient like 'channel:%'))`,
    duePublishers,
    sendDue,
    changedPublishers: () => publishersWithChanges(db, clock.now()),
    /** @returns the number of incidents that began or ended */
    detect: (publisherId: string) => detectIncidents(db, publisherId, { now: clock.now(), hasMail }),
  };
}

/** A channel that requests a pause isn't failing. */
const tooManyRequests = 429;
