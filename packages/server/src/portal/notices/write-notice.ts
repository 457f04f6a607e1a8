import { sql } from 'kysely';
import { membershipsOfAccounts } from '../../members/read/memberships-of-accounts.ts';
import {
  isMethodKind,
  type MethodNoticeKind,
  type OptionalNoticeKind,
  subjectOf,
} from '../../notices/kinds.ts';
import type { TakenNotice } from '../../notices/take-notices.ts';
import type { MethodKind } from '../../payees/destination.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { MailBrand } from '../../platform/mail/mail-content.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readOwnPayout } from '../../settlement/payouts/read/own-payouts.ts';
import type { Portal } from '../create-portal.ts';
import { changeOf } from '../methods/take-back.ts';
import { takeBackToken } from '../methods/take-back-links.ts';
import { methodNoticeMail } from '../portal-mails.ts';
import {
  bountyContent,
  membershipContent,
  type NoticeContent,
  noticeMail,
  paymentContent,
} from './notice-mail.ts';
import { unsubscribeToken } from './unsubscribe-links.ts';

interface Writing {
  notice: TakenNotice;
  brand: MailBrand;
  portalUrl: string;
}

/**
 * Writes an email to a creator. Reads the reader again, so that a person who has meanwhile turned the subject off, or no longer has
 * the account, gets nothing.
 * @returns null if there is nothing to send
 */
export async function writeNotice(
  portal: Portal,
  db: Db,
  { notice, brand, portalUrl }: Writing,
): Promise<Mail | null> {
  const { kind } = notice;
  const secret = await portal.readSecret();
  if (isMethodKind(kind)) return methodMail(db, secret, { notice, brand, portalUrl, kind });
  const subject = subjectOf(kind);
  const reader = await findReader(db, notice.accountId);
  if (reader === null || reader.offSubjects.includes(subject)) return null;
  const content = await readContent(db, { ...notice, kind }, brand.name);
  if (content === null) return null;
  const token = unsubscribeToken(secret, { userId: reader.userId, subject });
  const { publisherId } = notice;
  return noticeMail(content, { to: reader.email, brand, portalUrl, publisherId, subject, token });
}

interface Reader {
  userId: string;
  email: string;
  offSubjects: readonly string[];
}

/** Returns the person whom an account belongs to; null if it belongs to no one, or was closed. */
async function findReader(db: Db, accountId: AccountId): Promise<Reader | null> {
  const row = await db
    .selectFrom('portal_user_account as c')
    .innerJoin('portal_user as u', 'u.user_id', 'c.user_id')
    .innerJoin('creator_account as a', 'a.account_id', 'c.account_id')
    .select(['u.user_id', 'u.email', 'u.off_subjects'])
    .where('c.account_id', '=', accountId)
    .where('a.closed_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : { userId: row.user_id, email: row.email, offSubjects: row.off_subjects };
}

/** Reads what an email tells of. The rows' amounts never change. */
async function readContent(
  db: Db,
  { publisherId, accountId, kind, aboutId }: TakenNotice & { kind: OptionalNoticeKind },
  publisher: string,
): Promise<NoticeContent | null> {
  if (aboutId === null) throw new Error('an email that can be turned off tells of a row');
  if (kind === 'paid' || kind === 'returned') {
    const membershipIds = await membershipsOfAccounts(db, publisherId, [accountId]);
    const line = await readOwnPayout(db, { publisherId, membershipIds }, aboutId).catch(unlessNotFound);
    return line && paymentContent(kind, publisher, line);
  }
  if (kind === 'bounty') {
    const { rows } = await sql<{ name: string }>`
      select b.name
      from bounty_completion c
      join bounty_progress p on p.publisher_id = ${publisherId} and p.progress_id = c.progress_id
      join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = p.bounty_id
      where c.publisher_id = ${publisherId} and c.completion_id = ${aboutId}::uuid`.execute(db);
    return rows[0] === undefined ? null : bountyContent(publisher, rows[0].name);
  }
  const { rows } = await sql<{ name: string }>`
    select g.name
    from membership m
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where m.publisher_id = ${publisherId} and m.membership_id = ${aboutId}::uuid`.execute(db);
  const [group] = rows;
  return group === undefined ? null : membershipContent(kind, publisher, group.name);
}

/** Returns null for a line that a claim has moved to another creator since the email was written. */
function unlessNotFound(error: unknown): null {
  if (error instanceof Refusal && error.code === 'NotFound') return null;
  throw error;
}

async function methodMail(
  db: Db,
  secret: Buffer,
  { notice, brand, portalUrl, kind }: Writing & { kind: MethodNoticeKind },
): Promise<Mail> {
  const { publisherId, noticeId, methodId, email } = notice;
  const { rows } = await sql<{ kind: MethodKind; hint: string; usable_from: Date | null }>`
    select kind, hint, usable_from
    from payee_method
    where publisher_id = ${publisherId} and method_id = ${methodId}::uuid`.execute(db);
  const [method] = rows;
  if (method === undefined || email === null)
    throw new Error('an email about a payout method has a method and an address');
  return methodNoticeMail({
    ...{ to: email, brand, portalUrl, token: takeBackToken(secret, { publisherId, noticeId }) },
    ...{ change: changeOf(kind), kind: method.kind, hint: method.hint },
    ...{ usableFrom: method.usable_from, expiresAt: notice.expiresAt },
  });
}
