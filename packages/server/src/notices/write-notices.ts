import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { type MethodNoticeKind, type OptionalNoticeKind, subjectOf } from './kinds.ts';

/** Number of days in which a change of a payout method can be taken back. No waiting period is longer. */
export const takeBackDays = 30;

/** Number of days for which other emails are stored. They are abandoned after about a day. */
const storedDays = 30;
const dayMs = 86_400_000;
/** Emails per statement, so that a payout of many creators doesn't need one large statement. */
const noticesPerInsert = 2_000;

export interface ToldRows {
  publisherId: string;
  kind: OptionalNoticeKind;
  /** Relation with one row for each email: `about_id` (uuid) and `account_id` of its creator. */
  rows: RawBuilder<unknown>;
}

/**
 * Writes emails to the people of accounts, in the commit of what they tell of. A worker sends them. Accounts without a person in
 * the portal get none, and neither do people who have turned the subject off. A sandbox writes none.
 */
export async function tellCreators(tx: Tx, { publisherId, kind, rows: told }: ToldRows): Promise<void> {
  const { rows } = await sql<{ about_id: string; account_id: AccountId }>`
    select told.about_id, told.account_id
    from (${told}) told
    join portal_user_account c on c.account_id = told.account_id
    join portal_user u on u.user_id = c.user_id
    join publisher p on p.publisher_id = ${publisherId}
    where p.sandbox_of is null and ${subjectOf(kind)} <> all(u.off_subjects)`.execute(tx);
  if (rows.length === 0) return;
  const at = await readMoment(tx);
  for (let from = 0; from < rows.length; from += noticesPerInsert)
    await tx
      .insertInto('creator_notice')
      .values(
        rows.slice(from, from + noticesPerInsert).map(({ about_id, account_id }) => ({
          publisher_id: publisherId,
          notice_id: newRowId(),
          account_id,
          kind,
          about_id,
          changed_at: at,
          expires_at: new Date(at.getTime() + storedDays * dayMs),
          next_attempt_at: at,
        })),
      )
      .execute();
}

export interface MethodChangeToTell {
  publisherId: string;
  accountId: AccountId;
  methodId: PayeeMethodId;
  kind: MethodNoticeKind;
  /** Time of the change on the database's clock. */
  at: Date;
  /** Same time on the service's clock. */
  now: Date;
}

/** Writes an email to each verified address of the account's people, in the commit of the change. A worker sends them. */
export async function tellOfMethod(
  tx: Tx,
  { publisherId, accountId, methodId, kind, at, now }: MethodChangeToTell,
): Promise<void> {
  const { rows: people } = await sql<{ email: string }>`
    select u.email
    from portal_user_account c
    join portal_user u on u.user_id = c.user_id
    where c.account_id = ${accountId}
    union
    select e.email
    from portal_user_account c
    join portal_email e on e.user_id = c.user_id
    where c.account_id = ${accountId}`.execute(tx);
  const expiresAt = new Date(now.getTime() + takeBackDays * dayMs);
  for (const { email } of people)
    await sql`
      insert into creator_notice (publisher_id, notice_id, account_id, method_id, kind, email, changed_at, expires_at,
                                  next_attempt_at)
      values (${publisherId}, ${newRowId()}::uuid, ${accountId}, ${methodId}::uuid, ${kind}, ${email}, ${at},
              ${expiresAt}, ${now})`.execute(tx);
}
