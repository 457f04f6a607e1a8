import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { afterAttempt, mailLeaseMs } from '../platform/mail/mail-attempts.ts';
import type { NoticeKind } from './kinds.ts';

const noticesAtOnce = 20;
const publishersAtOnce = 100;

/** Condition that is true if an email to a creator is due. */
export const noticesWait = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from creator_notice where status = 'Waiting' and next_attempt_at <= ${now}))`;

export async function publishersWithNotices(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from creator_notice
    where status = 'Waiting' and next_attempt_at <= ${now}
    order by publisher_id
    limit ${publishersAtOnce}`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/** Email that this process sends now. */
export interface TakenNotice {
  publisherId: string;
  noticeId: string;
  accountId: AccountId;
  kind: NoticeKind;
  /** Method that was changed; null for the other kinds. */
  methodId: string | null;
  /** Line or membership that the email tells of; null for a changed method. */
  aboutId: string | null;
  /** Address that the email must reach; null if it goes to the account's person. */
  email: string | null;
  expiresAt: Date;
  /** Number of this attempt, starting at 1. */
  attempt: number;
}

/** Takes some of a publisher's due emails, so that no other process sends them. An email whose process dies is taken again. */
export async function takeNotices(db: Db, publisherId: string, now: Date): Promise<TakenNotice[]> {
  const { rows } = await sql<{
    notice_id: string;
    account_id: AccountId;
    kind: NoticeKind;
    method_id: string | null;
    about_id: string | null;
    email: string | null;
    expires_at: Date;
    attempt_count: number;
  }>`
    update creator_notice
    set next_attempt_at = ${new Date(now.getTime() + mailLeaseMs)}, attempt_count = attempt_count + 1
    where publisher_id = ${publisherId} and status = 'Waiting' and next_attempt_at <= ${now} and notice_id in (
      select notice_id
      from creator_notice
      where publisher_id = ${publisherId} and status = 'Waiting' and next_attempt_at <= ${now}
      order by next_attempt_at, notice_id
      limit ${noticesAtOnce}
      for update skip locked
    )
    returning notice_id, account_id, kind, method_id, about_id, email, expires_at, attempt_count`.execute(db);
  return rows.map((row) => ({
    publisherId,
    noticeId: row.notice_id,
    accountId: row.account_id,
    kind: row.kind,
    methodId: row.method_id,
    aboutId: row.about_id,
    email: row.email,
    expiresAt: row.expires_at,
    attempt: row.attempt_count,
  }));
}

/** Saves the result of an attempt, unless another process has taken over the email. */
export async function saveAttempt(
  db: Db,
  { publisherId, noticeId, attempt }: TakenNotice,
  result: 'Sent' | 'NotSent' | 'Nothing',
  now: Date,
): Promise<void> {
  const { status, nextAttemptAt } = afterAttempt(attempt, result !== 'NotSent', now);
  await db
    .updateTable('creator_notice')
    .set({
      status: result === 'Nothing' ? 'Nothing' : status,
      ...(nextAttemptAt !== null && { next_attempt_at: nextAttemptAt }),
    })
    .where('publisher_id', '=', publisherId)
    .where('notice_id', '=', noticeId)
    .where('status', '=', 'Waiting')
    .where('attempt_count', '=', attempt)
    .execute();
}
