import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';

export interface BalanceFilter {
  publisherId: string;
  groupId: string | null;
  currency: string | null;
  /** True for only negative balances, false for only positive ones, null for both. */
  isOwing: boolean | null;
  /** Only these balances; absent for all. */
  chosen?: readonly ChosenBalance[] | undefined;
}

export interface ChosenBalance {
  groupId: string;
  memberId: string;
  currency: string;
}

/** Balance of a member in one currency; negative when the member owes money back. */
export interface BalanceRow {
  memberId: AccountId;
  name: string;
  playerId: string | null;
  groupId: string;
  currency: string;
  balanceMinor: bigint;
}

export interface BalanceTotals {
  currency: string;
  owedMinor: bigint;
  owedCount: number;
  /** Sum of the negative balances, zero or less. */
  owingMinor: bigint;
  owingCount: number;
}

/** Selects the balances of members. A merged membership's balance counts toward the membership it was merged into. */
const balances = ({ publisherId, groupId, currency, chosen }: BalanceFilter): RawBuilder<unknown> => sql`
  select m.membership_id, m.account_id, m.player_id, m.group_id, b.currency, sum(b.balance_minor) as balance_minor
  from member_balance b
  ${joinMember('b')}
  where b.publisher_id = ${publisherId}
    ${groupId === null ? sql`` : sql`and m.group_id = ${groupId}`}
    ${currency === null ? sql`` : sql`and b.currency = ${currency}`}
    ${
      chosen === undefined
        ? sql``
        : sql`and (m.group_id, m.account_id, b.currency) in (
            select * from unnest(${chosen.map((each) => each.groupId)}::text[],
                                 ${chosen.map((each) => each.memberId)}::text[],
                                 ${chosen.map((each) => each.currency)}::text[]))`
    }
  group by m.membership_id, m.account_id, m.player_id, m.group_id, b.currency
  having sum(b.balance_minor) <> 0`;

/**
 * Result row with a page and its totals. Amounts are strings, because they can be too large for JSON numbers.
 */
interface PageAsRead {
  rows: (Omit<BalanceRow, 'balanceMinor'> & { membershipId: string; balanceMinor: string })[];
  totals: (Omit<BalanceTotals, 'owedMinor' | 'owingMinor'> & { owedMinor: string; owingMinor: string })[];
}

export interface BalancePage extends Page<BalanceRow> {
  /** Totals for all members that match the filter, across all pages, ignoring `isOwing`. */
  totals: BalanceTotals[];
}

/**
 * Reads one page of the nonzero balances and their totals by currency. Negative balances come first. Negative
 * and positive balances are each sorted by currency, then by amount, lowest first. One statement reads both
 * the page and the totals, because each requires adding up all balances.
 * @throws Refusal InvalidCursor
 */
export async function readBalancePage(
  db: Db,
  pages: Pages,
  filter: BalanceFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<BalancePage> {
  const { publisherId, groupId, currency, isOwing, chosen } = filter;
  const listing = ['balances', publisherId, groupId, currency, isOwing, chosen ?? null];
  const [place = null, inCurrency = null, balance = null, id = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<PageAsRead>`
    with owed as materialized (${balances(filter)}),
    page as (
      select row_number() over (order by balance_minor > 0, currency, balance_minor, membership_id) as place, owed.*
      from owed
      where ${isOwing === null ? sql`true` : isOwing ? sql`balance_minor < 0` : sql`balance_minor > 0`}
        and ${
          place === null
            ? sql`true`
            : sql`(balance_minor > 0, currency, balance_minor, membership_id)
                > (${place}::boolean, ${inCurrency}, ${balance}::numeric, ${id}::uuid)`
        }
      order by place
      limit ${size + 1}
    ),
    totals as (
      select currency,
             coalesce(sum(balance_minor) filter (where balance_minor > 0), 0)::text as "owedMinor",
             count(*) filter (where balance_minor > 0) as "owedCount",
             coalesce(sum(balance_minor) filter (where balance_minor < 0), 0)::text as "owingMinor",
             count(*) filter (where balance_minor < 0) as "owingCount"
      from owed
      group by currency
    )
    select
      (select coalesce(json_agg(t order by t.currency), '[]') from totals t) as totals,
      (select coalesce(
         json_agg(
           json_build_object(
             'membershipId', p.membership_id, 'memberId', p.account_id, 'name', a.name, 'playerId', p.player_id,
             'groupId', p.group_id, 'currency', p.currency, 'balanceMinor', p.balance_minor::text)
           order by p.place),
         '[]')
       from page p
       join creator_account a on a.account_id = p.account_id) as rows`.execute(db);
  const { rows: found = [], totals = [] } = rows[0] ?? {};
  const page = pages.cut(listing, found, size, (row) => [
    String(!row.balanceMinor.startsWith('-')),
    row.currency,
    row.balanceMinor,
    row.membershipId,
  ]);
  return {
    nextCursor: page.nextCursor,
    rows: page.rows.map(({ membershipId: _, ...row }) => ({
      ...row,
      balanceMinor: BigInt(row.balanceMinor),
    })),
    totals: totals.map((sum) => ({
      ...sum,
      owedMinor: BigInt(sum.owedMinor),
      owingMinor: BigInt(sum.owingMinor),
    })),
  };
}
