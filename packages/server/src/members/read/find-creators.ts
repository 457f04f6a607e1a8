import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { stands } from '../standing.ts';
import type { FoundCreator } from './require-creator.ts';

/**
 * Finds creators who are members of any of the publisher's groups, with any status. A claimed account is found as the
 * creator who claimed it.
 * @returns creators by the id in the request; unknown ids are absent
 */
export async function findCreators(
  db: Db | Tx,
  publisherId: string,
  memberIds: readonly AccountId[],
): Promise<ReadonlyMap<string, FoundCreator>> {
  const { rows } = await sql<{ wanted_id: string; account_id: AccountId; name: string }>`
    select distinct on (wanted.wanted_id) wanted.wanted_id, m.account_id, account.name
    from unnest(${[...new Set(memberIds)]}::text[]) as wanted (wanted_id)
    left join creator_account claimed
      on claimed.account_id = wanted.wanted_id and claimed.owner_publisher_id = ${publisherId}
    join membership m
      on m.publisher_id = ${publisherId} and m.account_id in (wanted.wanted_id, claimed.claimed_by) and ${stands('m')}
    join creator_account account on account.account_id = m.account_id
    order by wanted.wanted_id, m.account_id = wanted.wanted_id desc`.execute(db);
  return new Map(rows.map(({ wanted_id, account_id: accountId, name }) => [wanted_id, { accountId, name }]));
}
