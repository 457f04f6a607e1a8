import { type RawBuilder, sql } from 'kysely';
import type { MethodKind } from '../../payees/destination.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { afterAttempt, mailLeaseMs } from '../../platform/mail/mail-attempts.ts';
import { fewAtOnce } from '../../platform/work/few-at-once.ts';
import { mailBrand } from '../../publishers/brand/mail-brand.ts';
import type { Portal } from '../create-portal.ts';
import { methodNoticeMail } from '../portal-mails.ts';
import { takeBackToken } from './take-back-links.ts';

const noticesAtOnce = 20;
const sentAtOnce = 5;
const publishersAtOnce = 100;

/** Condition that is true if an email about a payout method is due. */
export const noticesWait = (now: Date): RawBuilder<unknown> => sql`(
  exists (select 1 from payee_notice where status = 'Waiting' and next_attempt_at <= ${now}))`;

export async function publishersWithNotices(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from payee_notice
    where status = 'Waiting' and next_attempt_at <= ${now}
    order by publisher_id
    limit ${publishersAtOnce}`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

interface TakenNotice {
  notice_id: string;
  account_id: AccountId;
  change: 'entered' | 'removed';
  email: string;
  changed_at: Date;
  expires_at: Date;
  attempt_count: number;
  kind: MethodKind;
  hint: string;
  usable_from: Date | null;
}

/**
 * Sends some of a publisher's due emails about changed payout methods. An email whose process dies is sent again.
 * @returns the number of emails taken
 */
export async function sendNotices(portal: Portal, db: Db, publisherId: string): Promise<number> {
  const { url, clock } = portal;
  if (url === null) return 0;
  const taken = await takeNotices(db, publisherId, clock.now());
  const secret = await portal.readSecret();
  const brand = await mailBrand(db, publisherId, portal.publicUrl);
  await fewAtOnce(taken, sentAtOnce, async (notice) => {
    const { notice_id: noticeId, email: to, ...facts } = notice;
    const token = takeBackToken(secret, { publisherId, noticeId });
    const mail = methodNoticeMail({
      ...{ to, brand, portalUrl: url, token },
      ...{ change: facts.change, kind: facts.kind, hint: facts.hint },
      ...{ usableFrom: facts.usable_from, expiresAt: facts.expires_at },
    });
    // An attempt whose response was lost is repeated with the same id, so that mail servers can drop the duplicate.
    const isSent = await portal.sendMail({
      ...mail,
      messageId: `<${noticeId}@${new URL(url).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    await saveAttempt(db, { publisherId, ...notice }, isSent, clock.now());
  });
  return taken.length;
}

/** Takes due emails, so that no other process sends them. */
async function takeNotices(db: Db, publisherId: string, now: Date): Promise<TakenNotice[]> {
  const { rows } = await sql<TakenNotice>`
    with taken as (
      update payee_notice
      set next_attempt_at = ${new Date(now.getTime() + mailLeaseMs)}, attempt_count = attempt_count + 1
      where publisher_id = ${publisherId} and status = 'Waiting' and next_attempt_at <= ${now} and notice_id in (
        select notice_id
        from payee_notice
        where publisher_id = ${publisherId} and status = 'Waiting' and next_attempt_at <= ${now}
        order by next_attempt_at, notice_id
        limit ${noticesAtOnce}
        for update skip locked
      )
      returning notice_id, account_id, method_id, change, email, changed_at, expires_at, attempt_count
    )
    select t.notice_id, t.account_id, t.change, t.email, t.changed_at, t.expires_at, t.attempt_count,
           p.kind, p.hint, p.usable_from
    from taken t
    join payee_method p on p.publisher_id = ${publisherId} and p.method_id = t.method_id`.execute(db);
  return rows;
}

/** Saves the result of an attempt, unless another process has taken over the email. */
async function saveAttempt(
  db: Db,
  notice: { publisherId: string; notice_id: string; attempt_count: number },
  isSent: boolean,
  now: Date,
): Promise<void> {
  const { status, nextAttemptAt } = afterAttempt(notice.attempt_count, isSent, now);
  await db
    .updateTable('payee_notice')
    .set({ status, ...(nextAttemptAt !== null && { next_attempt_at: nextAttemptAt }) })
    .where('publisher_id', '=', notice.publisherId)
    .where('notice_id', '=', notice.notice_id)
    .where('status', '=', 'Waiting')
    .where('attempt_count', '=', notice.attempt_count)
    .execute();
}
