import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';

export interface BalanceFilter {
  publisherId: string;
  groupId: string | null;
  currency: string | null;
  /** Those alone who owe us. */
  isOwing: boolean;
}

/** What a member is owed in one currency; below zero for who owes us. */
export interface BalanceRow {
  memberId: AccountId;
  name: string;
  playerId: string | null;
  groupId: string;
  currency: string;
  balanceMinor: bigint;
}

/** Of one currency. */
export interface BalanceTotals {
  currency: string;
  owedMinor: bigint;
  owedCount: number;
  /** What members owe us, below zero. */
  owingMinor: bigint;
  owingCount: number;
}

/** Every member's balances, merged memberships with the one that stands for them. */
const balances = ({ publisherId, groupId, currency }: BalanceFilter): RawBuilder<unknown> => sql`
  select m.membership_id, m.account_id, m.player_id, m.group_id, b.currency, sum(b.balance_minor) as balance_minor
  from member_balance b
  ${joinMember('b')}
  where b.publisher_id = ${publisherId}
    ${groupId === null ? sql`` : sql`and m.group_id = ${groupId}`}
    ${currency === null ? sql`` : sql`and b.currency = ${currency}`}
  group by m.membership_id, m.account_id, m.player_id, m.group_id, b.currency
  having sum(b.balance_minor) <> 0`;

/**
 * One page of balances that are not zero: who owes us first, by currency, the lowest first.
 * @throws Refusal InvalidCursor
 */
export async function listBalances(
  db: Db,
  pages: Pages,
  filter: BalanceFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<BalanceRow>> {
  const { publisherId, groupId, currency, isOwing } = filter;
  const listing = ['balances', publisherId, groupId, currency, isOwing];
  const [place = null, inCurrency = null, balance = null, id = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<{
    membership_id: string;
    account_id: AccountId;
    name: string;
    player_id: string | null;
    group_id: string;
    currency: string;
    balance_minor: string;
  }>`
    select owed.membership_id, owed.account_id, a.name, owed.player_id, owed.group_id, owed.currency,
           owed.balance_minor::text as balance_minor
    from (${balances(filter)}) owed
    join creator_account a on a.account_id = owed.account_id
    where ${isOwing ? sql`owed.balance_minor < 0` : sql`true`}
      and ${
        place === null
          ? sql`true`
          : sql`(owed.balance_minor > 0, owed.currency, owed.balance_minor, owed.membership_id)
              > (${place}::boolean, ${inCurrency}, ${balance}::numeric, ${id}::uuid)`
      }
    order by owed.balance_minor > 0, owed.currency, owed.balance_minor, owed.membership_id
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [
    String(!row.balance_minor.startsWith('-')),
    row.currency,
    row.balance_minor,
    row.membership_id,
  ]);
  return {
    nextCursor: page.nextCursor,
    rows: page.rows.map((row) => ({
      memberId: row.account_id,
      name: row.name,
      playerId: row.player_id,
      groupId: row.group_id,
      currency: row.currency,
      balanceMinor: BigInt(row.balance_minor),
    })),
  };
}

/** What members are owed and owe, currency by currency. */
export async function readBalanceTotals(db: Db, filter: BalanceFilter): Promise<BalanceTotals[]> {
  const { rows } = await sql<{
    currency: string;
    owed: string;
    owed_count: bigint;
    owing: string;
    owing_count: bigint;
  }>`
    select currency,
           coalesce(sum(balance_minor) filter (where balance_minor > 0), 0)::text as owed,
           count(*) filter (where balance_minor > 0) as owed_count,
           coalesce(sum(balance_minor) filter (where balance_minor < 0), 0)::text as owing,
           count(*) filter (where balance_minor < 0) as owing_count
    from (${balances(filter)}) owed
    group by currency
    order by currency`.execute(db);
  return rows.map((row) => ({
    currency: row.currency,
    owedMinor: BigInt(row.owed),
    owedCount: Number(row.owed_count),
    owingMinor: BigInt(row.owing),
    owingCount: Number(row.owing_count),
  }));
}
