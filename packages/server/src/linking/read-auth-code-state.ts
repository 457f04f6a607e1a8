import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { isOwnAlone } from './issue-auth-code.ts';

/** What may be said of an account's auth code; never the code. */
export interface AuthCodeState {
  /** Whether the publisher may issue one (D32); else its creator alone gets them. */
  mayIssue: boolean;
  /** Until when the last one that was issued is good; null when there is none, it was used, or it is over. */
  goodUntil: Date | null;
}

export async function readAuthCodeState(
  db: Db,
  { publisherId, accountId, now }: { publisherId: string; accountId: AccountId; now: Date },
): Promise<AuthCodeState> {
  const { rows } = await sql<{ may_issue: boolean; good_until: Date | null }>`
    select ${isOwnAlone(publisherId, accountId)} as may_issue,
           (select c.expires_at from auth_code c where c.account_id = a.account_id and c.expires_at > ${now}) as good_until
    from creator_account a
    where a.account_id = ${accountId}`.execute(db);
  const { may_issue: mayIssue = false, good_until: goodUntil = null } = rows[0] ?? {};
  // Of an account of somebody else's it is not the publisher's to know.
  return { mayIssue, goodUntil: mayIssue ? goodUntil : null };
}
