import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { afterAttempt, mailLeaseMs } from '../../platform/mail/mail-attempts.ts';

const mailsAtOnce = 20;
const publishersAtOnce = 100;

/** Condition that is true if an email about a decided application is due. */
export const decisionsWait = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from creator_application where mail_status = 'Waiting' and mail_next_at <= ${now}))`;

export async function publishersWithDecisions(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from creator_application
    where mail_status = 'Waiting' and mail_next_at <= ${now}
    order by publisher_id
    limit ${publishersAtOnce}`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/** Decided application whose creator is told by email. */
export interface ToldDecision {
  applicationId: string;
  accountId: AccountId;
  groupId: string;
  groupName: string;
  decision: 'Approved' | 'Refused' | 'Expired';
  /** Code that the creator applied with; null if it was erased, or if the creator was approved without it. */
  code: string | null;
  reason: string | null;
  attemptCount: number;
}

/** Takes some of a publisher's due emails, so that no other process sends them. */
export async function takeDecisions(db: Db, publisherId: string, now: Date): Promise<ToldDecision[]> {
  const { rows } = await sql<{
    application_id: string;
    account_id: AccountId;
    group_id: string;
    group_name: string;
    decision: ToldDecision['decision'];
    code: string | null;
    reason: string | null;
    mail_attempts: number;
  }>`
    with taken as (
      update creator_application
      set mail_next_at = ${new Date(now.getTime() + mailLeaseMs)}, mail_attempts = mail_attempts + 1
      where publisher_id = ${publisherId} and mail_status = 'Waiting' and mail_next_at <= ${now} and application_id in (
        select application_id
        from creator_application
        where publisher_id = ${publisherId} and mail_status = 'Waiting' and mail_next_at <= ${now}
        order by mail_next_at, application_id
        limit ${mailsAtOnce}
        for update skip locked
      )
      returning application_id, membership_id, group_id, decision, code, reason, mail_attempts
    )
    select t.application_id, m.account_id, t.group_id, g.name as group_name, t.decision, t.reason, t.mail_attempts,
           case
             when t.decision <> 'Approved' or exists (
               select 1
               from group_code c
               where c.publisher_id = ${publisherId} and c.membership_id = t.membership_id
                 and c.code_folded = lower(t.code) and c.is_approved
             ) or exists (
               select 1 from global_code c where c.account_id = m.account_id and c.code_folded = lower(t.code)
             ) then t.code
           end as code
    from taken t
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = t.membership_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = t.group_id`.execute(db);
  return rows.map((row) => ({
    applicationId: row.application_id,
    accountId: row.account_id,
    groupId: row.group_id,
    groupName: row.group_name,
    decision: row.decision,
    code: row.code,
    reason: row.reason,
    attemptCount: row.mail_attempts,
  }));
}

/** Saves the result of an attempt, unless another process has taken over the email. */
export async function saveDecisionAttempt(
  db: Db,
  told: Pick<ToldDecision, 'applicationId' | 'attemptCount'> & { publisherId: string },
  isSent: boolean,
  now: Date,
): Promise<void> {
  const { publisherId, applicationId, attemptCount } = told;
  const { status, nextAttemptAt } = afterAttempt(attemptCount, isSent, now);
  await db
    .updateTable('creator_application')
    .set({ mail_status: status, ...(nextAttemptAt !== null && { mail_next_at: nextAttemptAt }) })
    .where('publisher_id', '=', publisherId)
    .where('application_id', '=', applicationId)
    .where('mail_status', '=', 'Waiting')
    .where('mail_attempts', '=', attemptCount)
    .execute();
}
