import { type RawBuilder, sql } from 'kysely';
import { rule } from './rules.ts';

const columns = sql`
  a.attribution_id, a.group_id, a.membership_id, a.code, a.currency, a.subtotal_minor, a.is_test, a.transaction_date`;

/** A range of ids, the first included and the last not; a null one has no end. */
export interface IdRange {
  from: string;
  to: string | null;
}

export const within = (column: RawBuilder<unknown>, { from, to }: IdRange): RawBuilder<unknown> =>
  to === null ? sql`${column} >= ${from}::uuid` : sql`${column} >= ${from}::uuid and ${column} < ${to}::uuid`;

/** The rows recorded in a range of ids. */
export const rowsOfRange = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select ${columns}
  from attribution a
  where a.publisher_id = ${publisherId} and ${within(sql`a.attribution_id`, range)}`;

/** The rows of members' days, with the day. @param named a table u of group_id, day and membership_id */
export const rowsOfUnits = (publisherId: string, named: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${columns}, u.day
  from ${named}
  join attribution a
    on a.publisher_id = ${publisherId} and a.membership_id = u.membership_id
   and a.transaction_date >= u.day::timestamp at time zone 'UTC'
   and a.transaction_date < (u.day + 1)::timestamp at time zone 'UTC'`;

/**
 * Joins the one row of a table that fits, or nothing, by looking it up for each. Left to itself, PostgreSQL reads all
 * rows of the kind again for each where it expects few: on a database just filled, and for the newest ids.
 */
export const lookUp = (table: string, as: string, fits: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  left join lateral (select * from ${sql.table(table)} where ${fits} limit 1) ${sql.ref(as)} on true`;

/** Looks up the ledger entry of a subject. */
export const lookUpEntry = (
  publisherId: string,
  as: string,
  subject: string,
  kinds: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  lookUp(
    'ledger_entry',
    as,
    sql`publisher_id = ${publisherId} and subject_id = ${sql.ref(subject)} and ${kinds}`,
  );

/**
 * The rows that break a rule of their own, each with the first one it breaks: that they are settled or wait, and that
 * payment, ledger entries, refund record and clawback are theirs, to the unit.
 * @param rows a query of rows
 */
export function brokenRows(publisherId: string, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofRow = sql`publisher_id = ${publisherId} and attribution_id = a.attribution_id`;
  const entry = (as: string, kinds: RawBuilder<unknown>): RawBuilder<unknown> =>
    lookUpEntry(publisherId, as, 'a.attribution_id', kinds);
  return sql`
    with a as materialized (${rows}),
    one as materialized (
      select a.*, p.attribution_id is not null as has_payment, p.group_id as paid_group_id,
             p.membership_id as paid_membership_id, p.currency as paid_currency, p.transaction_date as paid_date,
             p.share_millionths, p.share_minor, p.settled_at, p.reversed_at, p.payout_batch_id, p.payout_payment_id,
             p.paid_at
      from a
      ${lookUp('payment', 'p', ofRow)}
    ),
    waiting as materialized (
      select distinct w.attribution_id
      from unsettled u
      cross join unnest(u.attribution_ids) as w (attribution_id)
      where u.publisher_id = ${publisherId} and exists (select from one where not is_test and settled_at is null)
    )
    select rule, 'attribution ' || attribution_id as row
    from (
      select a.attribution_id,
        case
          when not exists (
            select
            from membership m
            where m.publisher_id = ${publisherId} and m.membership_id = a.membership_id and m.group_id = a.group_id)
            then ${rule('membership')}
          when a.settled_at is null then ${unsettledRule}
          else ${settledRule}
        end as rule
      from one a
      left join waiting w on w.attribution_id = a.attribution_id
      ${entry('e', sql`kind = 'payment'`)}
      ${entry('r', sql`kind in ('refund', 'adjustment')`)}
      ${lookUp('refund_record', 'f', sql`${ofRow} and reverses_money`)}
      ${lookUp('clawback', 'c', ofRow)}
      ${lookUp('payout_batch', 'b', sql`publisher_id = ${publisherId} and batch_id = a.payout_batch_id`)}
    ) judged
    where rule is not null`;
}

const unsettledRule = sql`
  case
    when case when a.is_test then a.has_payment or w.attribution_id is not null else w.attribution_id is null end
      then ${rule('settled')}
    when e.subject_id is not null then ${rule('entry')}
    when r.subject_id is not null then ${rule('reversed')}
    when (a.reversed_at is not null) <> (f.attribution_id is not null) then ${rule('refund')}
    when c.attribution_id is not null then ${rule('clawback')}
  end`;

/** A share is right when it is less than half a unit away from the percent, or half a unit and even. */
const settledRule = sql`
  case
    when a.is_test then ${rule('settled')}
    when (a.paid_group_id, a.paid_membership_id, a.paid_date)
           is distinct from (a.group_id, a.membership_id, a.transaction_date)
      then ${rule('sameRow')}
    when a.paid_currency is distinct from a.currency
      or case abs(a.share_minor::numeric * 1000000 - a.subtotal_minor::numeric * a.share_millionths) <= 500000
           when true
             then abs(a.share_minor::numeric * 1000000 - a.subtotal_minor::numeric * a.share_millionths) = 500000
              and a.share_minor % 2 <> 0
           else true
         end
      then ${rule('share')}
    when (e.amount_minor, e.membership_id, e.currency)
           is distinct from (a.share_minor::numeric, a.membership_id, a.currency)
      then ${rule('entry')}
    when case when a.reversed_at is null then r.subject_id is not null
              else (r.amount_minor, r.membership_id, r.currency)
                is distinct from (-a.share_minor::numeric, a.membership_id, a.currency) end
      then ${rule('reversed')}
    when (a.reversed_at is not null) <> (f.attribution_id is not null) then ${rule('refund')}
    when (a.payout_batch_id is not null and a.reversed_at is not null) <> (c.attribution_id is not null)
      or case when r.kind = 'adjustment' or c.attribution_id is not null
              then r.kind is distinct from 'adjustment'
                or (r.amount_minor, r.membership_id, r.currency)
                  is distinct from (-c.amount_minor::numeric, c.membership_id, c.currency)
              else false end
      then ${rule('clawback')}
    when a.payout_payment_id is null and a.paid_at is not null and a.paid_at is distinct from b.paid_at
      then ${rule('paid')}
  end`;
