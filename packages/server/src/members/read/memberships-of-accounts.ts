import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { mergedInto } from '../standing.ts';

/** Returns all memberships of accounts at a publisher, including those that were merged into them. */
export async function membershipsOfAccounts(
  db: Db,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<MembershipId[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<{ membership_id: MembershipId }>`
    with own as (
      select m.membership_id
      from membership m
      where m.publisher_id = ${publisherId} and m.account_id = any(${[...accountIds]}::text[])
    )
    select membership_id from own
    union
    select merged.membership_id
    from own
    join membership merged on merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = own.membership_id`.execute(
    db,
  );
  return rows.map(({ membership_id }) => membership_id);
}
