import { sql } from 'kysely';
import { joinMember } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';

export interface MemberBalance {
  memberId: AccountId;
  groupId: string;
  name: string;
  currency: string;
  balanceMinor: bigint;
}

/**
 * Reads the amount a publisher owes each member, by currency, including earnings from memberships merged into the
 * member's own. The amount is negative if clawbacks exceed earnings.
 * @throws Refusal when the publisher doesn't exist
 */
export async function readBalances(db: Db, publisherId: string): Promise<MemberBalance[]> {
  await requirePublisher(db, publisherId);
  const { rows } = await sql<{
    account_id: AccountId;
    group_id: string;
    name: string;
    currency: string;
    balance_minor: string;
  }>`
    select m.account_id, m.group_id, a.name, b.currency, sum(b.balance_minor) as balance_minor
    from member_balance b
    ${joinMember('b')}
    join creator_account a on a.account_id = m.account_id
    where b.publisher_id = ${publisherId}
    group by m.membership_id, m.account_id, m.group_id, a.name, b.currency
    order by m.group_id, m.membership_id, b.currency`.execute(db);
  return rows.map((row) => ({
    memberId: row.account_id,
    groupId: row.group_id,
    name: row.name,
    currency: row.currency,
    balanceMinor: BigInt(row.balance_minor),
  }));
}
