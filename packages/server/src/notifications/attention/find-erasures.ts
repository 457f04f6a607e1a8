import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';

/** Creator who requested the erasure of their data in the portal. */
export interface RequestedErasure {
  memberId: AccountId;
  name: string;
  /** Time from which the creator can't withdraw the request anymore. */
  dueAt: Date;
}

/** Maximum number of requests that are listed. */
const maxListed = 20;

/** Finds the creators of the groups who requested their erasure, those who are due first. */
export async function findErasures(
  db: Db,
  publisherId: string,
  groupIds: readonly string[],
): Promise<RequestedErasure[]> {
  // The requests of all publishers are few, so they are read first.
  const { rows } = await sql<{ account_id: AccountId; name: string; due_at: Date }>`
    select c.account_id, a.name, r.due_at
    from erasure_request r
    join portal_user_account c on c.user_id = r.user_id
    join creator_account a on a.account_id = c.account_id
    where exists (
      select 1
      from membership m
      where m.publisher_id = ${publisherId} and m.account_id = c.account_id
        and m.group_id = any(${[...groupIds]}::text[]))
    order by r.due_at, c.account_id
    limit ${maxListed}`.execute(db);
  return rows.map((row) => ({ memberId: row.account_id, name: row.name, dueAt: row.due_at }));
}
