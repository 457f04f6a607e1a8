import { type RawBuilder, sql } from 'kysely';
import { isPosted } from '../../../attributions/posted.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { PayoutScope } from './payout-scope.ts';

/*
 * Posting adds every row to the sum of its member, day and currency (earning_rollup). Most rows of a day have no
 * payment, so nothing has happened to them and all of their share is due. The amount due for a whole day is therefore
 * its sum, minus the rows that must be checked one by one, plus the amount due for each of these rows. A row must be
 * checked if it has a payment, or if it was recorded so recently that it may not have been posted at the cutoff
 * (docs/adr/0084-fast-first-previews.md).
 */

/**
 * Maximum number of recent rows to check one by one. With more, all unpaid rows are read.
 */
const maxRecentRows = 100_000;

/**
 * Returns the end of the days whose sums can be used: the start, in UTC, of the day on which the hold period ends. Rows
 * of that day are read one by one. Returns null if too many rows were recorded since the cutoff.
 * @param tx transaction that holds the plan's snapshot
 */
export async function readSumsUntil(
  tx: Tx,
  { publisherId, heldAfter, postedBefore }: Pick<PayoutScope, 'publisherId' | 'heldAfter' | 'postedBefore'>,
  maxRecent = maxRecentRows,
): Promise<Date | null> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n
    from (
      select 1
      from attribution
      where publisher_id = ${publisherId} and attribution_id >= ${postedBefore}::uuid
      limit ${maxRecent + 1}
    ) recent`.execute(tx);
  return Number(rows[0]?.n) > maxRecent ? null : startOfDay(heldAfter);
}

const startOfDay = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));

/** Returns the day of a time, as posting determines it. */
const dayOf = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${at} at time zone 'UTC')::date`;

/** Adds the days of the marks to the relation `marked`, parallel to its currencies. */
export const daysOfMarks: RawBuilder<unknown> = sql`, array_agg(${dayOf(sql`b.unpaid_from`)}) as days`;

/** Returns the mark of a row's currency from the relation `marked`. */
const markOf = (row: string): RawBuilder<unknown> =>
  sql`marked.marks[array_position(marked.currencies, ${sql.ref(`${row}.currency`)})]`;

/**
 * Returns the CTEs that replace reading the rows of whole days. The statement must define `marked` with `marksOf` and
 * `daysOfMarks`. - `of_days`: for each membership and currency, the number of rows and the sum of their shares, from
 * the day of the mark to `until` - `apart`: the rows of these days that must be checked one by one, with their
 * payments' columns, `mark`, and `is_summed`, true if the row is part of the sums
 * @param until end of the days, the start of a day in UTC
 */
export const sumsOfDays = (
  { publisherId, groupId, postedBefore }: PayoutScope,
  until: Date,
): RawBuilder<unknown> => sql`
  of_days as materialized (
    select marked.membership_id, e.currency, sum(e.row_count) as row_count, sum(e.share_minor) as amount
    from marked
    cross join lateral (
      select e.currency, e.row_count, e.share_minor
      from earning_rollup e
      where e.publisher_id = ${publisherId} and e.membership_id = marked.membership_id
        and e.day >= ${dayOf(sql`marked.unpaid_from`)} and e.day < ${dayOf(sql`${until}::timestamptz`)}
        and e.day >= marked.days[array_position(marked.currencies, e.currency)]
      offset 0
    ) e
    group by 1, 2
  ),
  apart as materialized (
    select marked.membership_id, p.attribution_id, p.currency, p.transaction_date, p.share_minor, p.payout_batch_id,
           p.reversed_at, p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds,
           ${markOf('p')} as mark, true as is_summed
    from marked
    cross join lateral (
      select p.attribution_id, p.currency, p.transaction_date, p.share_minor, p.payout_batch_id, p.reversed_at,
             p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds
      from payment p
      where p.publisher_id = ${publisherId} and p.membership_id = marked.membership_id
        and p.transaction_date >= date_trunc('day', marked.unpaid_from, 'UTC') and p.transaction_date < ${until}
        and p.transaction_date >= date_trunc('day', ${markOf('p')}, 'UTC')
        and p.attribution_id < ${postedBefore}::uuid
      offset 0
    ) p
    union all
    select a.membership_id, a.attribution_id, a.currency, a.transaction_date, a.share_minor, p.payout_batch_id,
           p.reversed_at, p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds,
           ${markOf('a')} as mark, ${isPosted(publisherId, 'a')} as is_summed
    from (
      select a.membership_id, a.attribution_id, a.currency, a.transaction_date, a.share_minor
      from attribution a
      where a.publisher_id = ${publisherId} and a.attribution_id >= ${postedBefore}::uuid and a.group_id = ${groupId}
        and a.transaction_date < ${until} and not a.is_test
      offset 0
    ) a
    join marked on marked.membership_id = a.membership_id
    left join lateral (
      select p.payout_batch_id, p.reversed_at, p.payable_at, p.reversed_minor, p.part_at, p.reinstated_at, p.has_holds
      from payment p
      where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
      offset 0
    ) p on true
    where a.transaction_date >= date_trunc('day', ${markOf('a')}, 'UTC')
  )`;

/**
 * Returns the rows of whole days that must be checked one by one (those in `apart`) and aren't before their member's
 * mark.
 */
export const apartFromMarks: RawBuilder<unknown> = sql`
  select membership_id, attribution_id, currency, share_minor, payout_batch_id, reversed_at, payable_at, reversed_minor,
         part_at, reinstated_at, has_holds
  from apart
  where transaction_date >= mark`;

/** Returns the sums of the rows that aren't in `apart`, all of whose shares are due, with the columns of `judged`. */
export const restOfDays: RawBuilder<unknown> = sql`
  select membership_id, currency, null, sum(row_count), sum(row_count), sum(amount), 0, 0, 0, null, null
  from (
    select membership_id, currency, row_count, amount from of_days
    union all
    select membership_id, currency, -count(*), -sum(share_minor) from apart where is_summed group by 1, 2
  ) rest
  group by 1, 2`;
