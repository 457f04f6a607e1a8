import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { belongsOnlyTo } from './issue-auth-code.ts';

/** State of an account's auth code, but not the code itself. */
export interface AuthCodeState {
  /**
   * True if the publisher may issue codes for the account (D32). Otherwise, only the creator can get codes.
   */
  mayIssue: boolean;
  /** Time when the last code expires; null if there is none or it was used or has expired. */
  goodUntil: Date | null;
}

export async function readAuthCodeState(
  db: Db,
  { publisherId, accountId, now }: { publisherId: string; accountId: AccountId; now: Date },
): Promise<AuthCodeState> {
  const { rows } = await sql<{ may_issue: boolean; good_until: Date | null }>`
    select ${belongsOnlyTo(publisherId, accountId)} as may_issue,
           (select c.expires_at from auth_code c where c.account_id = a.account_id and c.expires_at > ${now}) as good_until
    from creator_account a
    where a.account_id = ${accountId}`.execute(db);
  const { may_issue: mayIssue = false, good_until: goodUntil = null } = rows[0] ?? {};
  // The publisher must not learn about codes of accounts that it can't issue codes for.
  return { mayIssue, goodUntil: mayIssue ? goodUntil : null };
}
