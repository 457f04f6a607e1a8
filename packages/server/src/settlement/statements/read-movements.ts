import { type RawBuilder, sql } from 'kysely';
import { mergedInto, standing, standingAt } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { entriesIn, movementsIn, spanOfBalance } from '../payouts/month/entries-of-month.ts';
import { readByKey } from '../payouts/month/read-by-key.ts';
import type { ClosingMonth } from './next-month.ts';

/** Sums of a member's entries of a month in one currency. */
export interface Movements {
  membershipId: MembershipId;
  /** The membership, and those that were merged into it before the end of the month. */
  membershipIds: MembershipId[];
  accountId: AccountId;
  accountName: string;
  groupId: string;
  groupName: string;
  currency: string;
  earnedMinor: bigint;
  bountiesMinor: bigint;
  reversedMinor: bigint;
  clawedBackMinor: bigint;
  reinstatedMinor: bigint;
  toPayoutsMinor: bigint;
  fromPayoutsMinor: bigint;
}

export interface MovementsPage {
  members: Movements[];
  /** Last membership that was read; null if there was none. */
  last: MembershipId | null;
  /** Number of memberships that were read. */
  taken: number;
}

/**
 * Reads what moved in the balances of the next members in a month, by member id. Only the month's entries are read: those of
 * postings and rewards by the times in their ids, and the others by an index on their times. Members whose balance didn't
 * move, and into whom no membership was merged, are left out.
 */
export async function readMovements(
  db: Db,
  closing: ClosingMonth,
  { after, limit }: { after: string; limit: number },
): Promise<MovementsPage> {
  const rows = await readByKey(db, pageQuery(closing, after, limit));
  const members = rows.flatMap((row) => (row.currency === null ? [] : [toMovements(row, row.currency)]));
  const ids = new Set(rows.map(({ membership_id }) => membership_id));
  return { members, last: rows.at(-1)?.membership_id ?? null, taken: ids.size };
}

interface Row {
  membership_id: MembershipId;
  group_id: string;
  group_name: string;
  account_id: AccountId;
  account_name: string;
  /** Null for a member whose balance didn't move. */
  currency: string | null;
  membership_ids: MembershipId[];
  earned: string;
  bounties: string;
  reversed: string;
  clawed_back: string;
  reinstated: string;
  to_payouts: string;
  from_payouts: string;
}

function pageQuery(closing: ClosingMonth, after: string, limit: number): RawBuilder<Row> {
  const { publisherId, entriesFrom, entriesBefore } = closing;
  const sumOf = (...kinds: string[]) =>
    sql`coalesce(sum(amount_minor) filter (where kind in (${sql.join(kinds)})), 0)`;
  const span = spanOfBalance(publisherId, 'b', { from: entriesFrom, before: entriesBefore });
  return sql<Row>`
    select p.membership_id, p.group_id, g.name as group_name, p.account_id, a.name as account_name, s.currency,
           ids.membership_ids::text[] as membership_ids, s.earned::text, s.bounties::text, s.reversed::text,
           s.clawed_back::text, s.reinstated::text, s.to_payouts::text, s.from_payouts::text
    from (
      select m.membership_id, ${standing('m')} as standing_id, m.group_id, m.account_id
      from membership m
      where m.publisher_id = ${publisherId} and m.membership_id > ${after}::uuid
        and ${standingAt(publisherId, 'm', entriesBefore)} = m.membership_id
      order by m.membership_id
      limit ${limit}
    ) p
    join creator_account a on a.account_id = p.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = p.group_id
    cross join lateral (
      select array_agg(membership_id order by membership_id) as membership_ids, bool_or(is_new) as has_new
      from (
        select p.membership_id, false as is_new
        union all
        select merged.membership_id, ${standingAt(publisherId, 'merged', entriesFrom)} <> p.membership_id
        from membership merged
        where merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = p.standing_id
          and merged.membership_id <> p.membership_id and ${standingAt(publisherId, 'merged', entriesBefore)} = p.membership_id
      ) included
    ) ids
    left join lateral (
      select b.currency, sum(e.earned) as earned, sum(e.bounties) as bounties, sum(e.reversed) as reversed,
             sum(e.clawed_back) as clawed_back, sum(e.reinstated) as reinstated, sum(e.to_payouts) as to_payouts,
             sum(e.from_payouts) as from_payouts
      from member_balance b
      cross join lateral (
        select count(*) as entry_count, ${sumOf('payment')} as earned, ${sumOf('reward')} as bounties,
               ${sumOf('refund')} as reversed, ${sumOf('adjustment')} as clawed_back,
               ${sumOf('reinstatement')} as reinstated, ${sumOf('payout')} as to_payouts, ${sumOf('payout-return')} as from_payouts
        from (${movementsIn(span)}) moved
        offset 0
      ) e
      where b.publisher_id = ${publisherId} and b.membership_id = any(ids.membership_ids)
      group by b.currency
      having sum(e.entry_count) > 0 or ids.has_new
      offset 0
    ) s on true
    order by p.membership_id, s.currency`;
}

const toMovements = (row: Row, currency: string): Movements => ({
  membershipId: row.membership_id,
  membershipIds: row.membership_ids,
  accountId: row.account_id,
  accountName: row.account_name,
  groupId: row.group_id,
  groupName: row.group_name,
  currency,
  earnedMinor: BigInt(row.earned),
  bountiesMinor: BigInt(row.bounties),
  reversedMinor: BigInt(row.reversed),
  clawedBackMinor: BigInt(row.clawed_back),
  reinstatedMinor: BigInt(row.reinstated),
  toPayoutsMinor: BigInt(row.to_payouts),
  fromPayoutsMinor: BigInt(row.from_payouts),
});

/** Balance of a member at the start of a month, by the ledger. */
export interface BalanceBefore {
  /** Balance of the memberships that were the member's at the start of the month. */
  ownMinor: bigint;
  /** Balance of those that were merged into the member's during the month. */
  mergedMinor: bigint;
}

/**
 * Reads a member's balance at the start of a month: the current balance less all entries since then. Only needed for a
 * member's first statement, and when memberships were merged.
 */
export async function readBalanceBefore(
  db: Db,
  { publisherId, entriesFrom }: ClosingMonth,
  { membershipId, membershipIds, currency }: Pick<Movements, 'membershipId' | 'membershipIds' | 'currency'>,
): Promise<BalanceBefore> {
  const since = spanOfBalance(publisherId, 'b', { from: entriesFrom, before: null });
  const rows = await readByKey(
    db,
    sql<{ is_merged: boolean; balance: string }>`
    select ${standingAt(publisherId, 'm', entriesFrom)} <> ${membershipId}::uuid as is_merged,
           sum(b.balance_minor - since.amount)::text as balance
    from membership m
    join member_balance b
      on b.publisher_id = ${publisherId} and b.membership_id = m.membership_id and b.currency = ${currency}
    cross join lateral (
      select coalesce(sum(amount_minor), 0) as amount
      from (${entriesIn(since)}) moved
      offset 0
    ) since
    where m.publisher_id = ${publisherId} and m.membership_id = any(${[...membershipIds]}::uuid[])
    group by 1`,
  );
  const sumOf = (isMerged: boolean): bigint =>
    BigInt(rows.find(({ is_merged }) => is_merged === isMerged)?.balance ?? 0);
  return { ownMinor: sumOf(false), mergedMinor: sumOf(true) };
}
