import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId, PayeeMethodId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';

/** Number of days in which a change can be taken back. No waiting period is longer. */
export const takeBackDays = 30;

export interface MethodChangeToTell {
  publisherId: string;
  accountId: AccountId;
  methodId: PayeeMethodId;
  change: 'entered' | 'removed';
  /** Time of the change on the database's clock. */
  at: Date;
  /** Same time on the service's clock. */
  now: Date;
}

/** Writes an email to each verified address of the account's people, in the commit of the change. A worker sends them. */
export async function writeNotices(
  tx: Tx,
  { publisherId, accountId, methodId, change, at, now }: MethodChangeToTell,
): Promise<void> {
  const people = await tx
    .selectFrom('portal_user_account as c')
    .innerJoin('portal_user as u', 'u.user_id', 'c.user_id')
    .select('u.email')
    .where('c.account_id', '=', accountId)
    .execute();
  const expiresAt = new Date(now.getTime() + takeBackDays * 86_400_000);
  for (const { email } of people)
    await sql`
      insert into payee_notice (publisher_id, notice_id, account_id, method_id, change, email, changed_at, expires_at,
                                next_attempt_at)
      values (${publisherId}, ${newRowId()}::uuid, ${accountId}, ${methodId}::uuid, ${change}, ${email}, ${at},
              ${expiresAt}, ${now})`.execute(tx);
}
