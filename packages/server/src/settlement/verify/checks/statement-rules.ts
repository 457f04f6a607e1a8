import { type RawBuilder, sql } from 'kysely';
import { mergedInto, stands } from '../../../members/standing.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { entriesIn, movementsIn, spanOfBalance } from '../../payouts/month/entries-of-month.ts';
import { boundsOfMonth } from '../../payouts/read/read-month.ts';
import { type IdRange, within } from './look-up.ts';
import { rule } from './rules.ts';

/** Months of which a publisher's statements exist, as times on the service's clock. */
export interface ClosedMonths {
  /** Start of the first month with a statement. Earlier entries are only in opening balances. */
  from: Date;
  /** Exclusive end of the last closed month. */
  before: Date;
}

/** @returns null if the publisher has no statements */
export async function readClosedMonths(tx: Tx, publisherId: string): Promise<ClosedMonths | null> {
  const { rows } = await sql<{ month: string; first: Date | null }>`
    select to_char(p.month, 'YYYY-MM') as month,
           (select min(s.entries_from) from statement s where s.publisher_id = ${publisherId}) as first
    from statement_progress p
    where p.publisher_id = ${publisherId}`.execute(tx);
  const [found] = rows;
  if (found === undefined || found.first === null) return null;
  return { from: found.first, before: await serviceTimeOf(tx, publisherId, boundsOfMonth(found.month).from) };
}

/** Returns the exclusive end of a range of members with about as many statements or balances as the limit; null after the last. */
export async function endOfStatements(
  tx: Tx,
  publisherId: string,
  { from, limit }: { from: string; limit: number },
): Promise<string | null> {
  const nth = (table: string): RawBuilder<unknown> => sql`(
    select membership_id
    from ${sql.table(table)}
    where publisher_id = ${publisherId} and membership_id > ${from}::uuid
    order by membership_id
    offset ${limit}
    limit 1)`;
  const { rows } = await sql<{ id: string | null }>`
    select least(${nth('statement')}, ${nth('member_balance')}) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Sums of movements by kind, named as the columns of a statement. */
const sums = sql`
  coalesce(sum(amount_minor) filter (where kind = 'payment'), 0) as earned,
  coalesce(sum(amount_minor) filter (where kind = 'reward'), 0) as bounties,
  coalesce(sum(amount_minor) filter (where kind = 'refund'), 0) as reversed,
  coalesce(sum(amount_minor) filter (where kind = 'adjustment'), 0) as clawed_back,
  coalesce(sum(amount_minor) filter (where kind = 'reinstatement'), 0) as reinstated,
  coalesce(sum(amount_minor) filter (where kind = 'payout'), 0) as to_payouts,
  coalesce(sum(amount_minor) filter (where kind = 'payout-return'), 0) as from_payouts`;

/**
 * Returns the statements of members in a range that differ from the ledger, each with the first amount that is wrong: the
 * opening balance, a sum of the month, the payouts behind it, or, in a member's last statement, the closing balance, which must be the
 * current balance less what was booked since.
 */
export const wrongStatements = (
  publisherId: string,
  range: IdRange,
  { before }: ClosedMonths,
): RawBuilder<unknown> => sql`
  select ${rule('statement')} as rule, 'statement ' || s.statement_id || ' (' || wrong.amount || ')' as row
  from (
    select s.*, lag(s.closing_minor) over of_member as closing_before, lead(s.month) over of_member is null as is_last
    from statement s
    where s.publisher_id = ${publisherId} and ${within(sql`s.membership_id`, range)}
    window of_member as (partition by s.membership_id, s.currency order by s.month)
  ) s
  cross join lateral (
    select ${sums}
    from (
      select movement.kind, movement.amount_minor
      from unnest(s.membership_ids) as included (membership_id)
      cross join lateral (${movementsIn({
        publisherId,
        membershipId: sql`included.membership_id`,
        currency: sql`s.currency`,
        from: sql<Date>`s.entries_from`,
        before: sql<Date>`s.entries_before`,
      })}) movement
      offset 0
    ) movement
  ) booked
  cross join lateral (
    select coalesce(sum((payout ->> 'toPayoutMinor')::numeric), 0) as to_payouts,
           coalesce(sum((payout ->> 'fromPayoutMinor')::numeric), 0) as from_payouts
    from jsonb_array_elements(s.payouts) as payout
  ) listed
  cross join lateral (
    select case
      when s.closing_before <> s.opening_minor then 'opening'
      when booked.earned <> s.earned_minor then 'earned'
      when booked.bounties <> s.bounties_minor then 'bounties'
      when booked.reversed <> s.reversed_minor then 'reversed'
      when booked.clawed_back <> s.clawed_back_minor then 'clawed back'
      when booked.reinstated <> s.reinstated_minor then 'reinstated'
      when booked.to_payouts <> s.to_payouts_minor then 'to payouts'
      when booked.from_payouts <> s.from_payouts_minor then 'from payouts'
      when listed.to_payouts <> s.to_payouts_minor or listed.from_payouts <> s.from_payouts_minor then 'payouts'
      when s.is_last and s.closing_minor <> (${balanceBefore(publisherId, before)}) then 'closing'
    end as amount
  ) wrong
  where wrong.amount is not null`;

/**
 * Builds a query for the balance of a statement `s` at the end of the closed months. A membership that was merged since its last
 * statement is part of another member's next one, so its closing balance is not compared.
 */
const balanceBefore = (publisherId: string, before: Date): RawBuilder<unknown> => sql`
  select coalesce(sum(b.balance_minor - since.amount), 0)
  from member_balance b
  cross join lateral (
    select coalesce(sum(entry.amount_minor), 0) as amount
    from (${entriesIn(
      spanOfBalance(publisherId, 'b', {
        from: sql<Date>`greatest(s.entries_before, ${before}::timestamptz)`,
        before: null,
      }),
    )}) entry
  ) since
  where b.publisher_id = ${publisherId} and b.membership_id = any(s.membership_ids) and b.currency = s.currency
  having exists (
    select 1
    from membership m
    where m.publisher_id = ${publisherId} and m.membership_id = s.membership_id and ${stands('m')})`;

/**
 * Returns the members in a range whose statements leave out or repeat something that was booked in the closed months. All statements of a
 * member, and of memberships that were merged into it, must add up to the entries. Amounts of one kind have the same sign, so a
 * missing statement changes the sum of its kind. Only payouts are compared as a whole, because one that was undone in a later
 * month is in both sums of the statements and in neither sum of all entries.
 */
export const missingStatements = (
  publisherId: string,
  range: IdRange,
  { from, before }: ClosedMonths,
): RawBuilder<unknown> => sql`
  select ${rule('statement')} as rule,
         'statements of membership ' || m.membership_id || ' in ' || b.currency || ' (' || wrong.amount || ')' as row
  from membership m
  cross join lateral (
    select array_agg(membership_id) as membership_ids
    from (
      select m.membership_id
      union all
      select merged.membership_id
      from membership merged
      where merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = m.membership_id
    ) included
  ) ids
  cross join lateral (
    select distinct currency
    from member_balance
    where publisher_id = ${publisherId} and membership_id = any(ids.membership_ids)
  ) b
  cross join lateral (
    select ${sums}
    from (
      select movement.kind, movement.amount_minor
      from unnest(ids.membership_ids) as included (membership_id)
      cross join lateral (${movementsIn({
        publisherId,
        membershipId: sql`included.membership_id`,
        currency: sql`b.currency`,
        from,
        before,
      })}) movement
      offset 0
    ) movement
  ) booked
  cross join lateral (
    select coalesce(sum(earned_minor), 0) as earned, coalesce(sum(bounties_minor), 0) as bounties,
           coalesce(sum(reversed_minor), 0) as reversed, coalesce(sum(clawed_back_minor), 0) as clawed_back,
           coalesce(sum(reinstated_minor), 0) as reinstated, coalesce(sum(to_payouts_minor), 0) as to_payouts,
           coalesce(sum(from_payouts_minor), 0) as from_payouts
    from statement
    where publisher_id = ${publisherId} and membership_id = any(ids.membership_ids) and currency = b.currency
      and entries_before <= ${before}
  ) stated
  cross join lateral (
    select case
      when booked.earned <> stated.earned then 'earned'
      when booked.bounties <> stated.bounties then 'bounties'
      when booked.reversed <> stated.reversed then 'reversed'
      when booked.clawed_back <> stated.clawed_back then 'clawed back'
      when booked.reinstated <> stated.reinstated then 'reinstated'
      when booked.to_payouts + booked.from_payouts <> stated.to_payouts + stated.from_payouts
        or booked.from_payouts > stated.from_payouts then 'payouts'
    end as amount
  ) wrong
  where m.publisher_id = ${publisherId} and ${within(sql`m.membership_id`, range)} and ${stands('m')}
    and wrong.amount is not null`;
