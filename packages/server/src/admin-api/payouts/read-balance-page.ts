import { type RawBuilder, sql } from 'kysely';
import { membersNamed } from '../../members/read/members-named.ts';
import { standing } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';

export interface BalanceFilter {
  publisherId: string;
  groupId: string | null;
  currency: string | null;
  /** True for only negative balances, false for only positive ones, null for both. */
  isOwing: boolean | null;
  /** Part of the member's name, or its code or id, at least 2 characters; absent for all. */
  typed?: string | undefined;
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

/**
 * Selects the balances of members. A merged membership's balance counts toward the one it was merged into, which is in the
 * same group. Members are joined only to the page: with them, adding up 30,000 balances took three times as long.
 */
const balances = (
  { publisherId, groupId, currency, chosen }: BalanceFilter,
  named: RawBuilder<boolean> | null,
): RawBuilder<unknown> => sql`
  select ${standing('recorded')} as membership_id, b.currency, sum(b.balance_minor) as balance_minor
  from member_balance b
  join membership recorded on recorded.publisher_id = ${publisherId} and recorded.membership_id = b.membership_id
  where b.publisher_id = ${publisherId}
    ${groupId === null ? sql`` : sql`and recorded.group_id = ${groupId}`}
    ${currency === null ? sql`` : sql`and b.currency = ${currency}`}
    ${
      named === null
        ? sql``
        : sql`and ${standing('recorded')} in (
            select m.membership_id
            from membership m
            join creator_account a on a.account_id = m.account_id
            where m.publisher_id = ${publisherId} and ${named})`
    }
    ${
      chosen === undefined
        ? sql``
        : sql`and (${standing('recorded')}, b.currency) in (
            select own.membership_id, chosen.currency
            from unnest(${chosen.map((each) => each.groupId)}::text[],
                        ${chosen.map((each) => each.memberId)}::text[],
                        ${chosen.map((each) => each.currency)}::text[]) chosen (group_id, account_id, currency)
            join membership own on own.publisher_id = ${publisherId} and own.group_id = chosen.group_id
              and own.account_id = chosen.account_id)`
    }
  group by 1, 2
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
 * and positive balances are each sorted by currency, then by amount, largest first. One statement reads both
 * the page and the totals, because each requires adding up all balances.
 * @throws Refusal InvalidCursor
 */
export async function readBalancePage(
  db: Db,
  pages: Pages,
  filter: BalanceFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<BalancePage> {
  const { publisherId, groupId, currency, isOwing, typed, chosen } = filter;
  const listing = [
    'balances by size',
    publisherId,
    groupId,
    currency,
    isOwing,
    typed ?? null,
    chosen ?? null,
  ];
  const [place = null, inCurrency = null, negatedSize = null, id = null] = pages.after(listing, cursor) ?? [];
  const named = typed === undefined ? null : await membersNamed(db, publisherId, typed);
  const { rows } = await sql<PageAsRead>`
    with owed as materialized (${balances(filter, named)}),
    page as (
      select *
      from owed
      where ${isOwing === null ? sql`true` : isOwing ? sql`balance_minor < 0` : sql`balance_minor > 0`}
        and ${
          place === null
            ? sql`true`
            : sql`(balance_minor > 0, currency, -abs(balance_minor), membership_id)
                > (${place}::boolean, ${inCurrency}, ${negatedSize}::numeric, ${id}::uuid)`
        }
      order by balance_minor > 0, currency, -abs(balance_minor), membership_id
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
             'membershipId', p.membership_id, 'memberId', m.account_id, 'name', a.name, 'playerId', m.player_id,
             'groupId', m.group_id, 'currency', p.currency, 'balanceMinor', p.balance_minor::text)
           order by p.balance_minor > 0, p.currency, -abs(p.balance_minor), p.membership_id),
         '[]')
       from page p
       join membership m on m.publisher_id = ${publisherId} and m.membership_id = p.membership_id
       join creator_account a on a.account_id = m.account_id) as rows`.execute(db);
  const { rows: found = [], totals = [] } = rows[0] ?? {};
  const page = pages.cut(listing, found, size, (row) => [
    String(!row.balanceMinor.startsWith('-')),
    row.currency,
    row.balanceMinor.startsWith('-') ? row.balanceMinor : `-${row.balanceMinor}`,
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
