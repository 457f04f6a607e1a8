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
 * The rows that break a rule of their own, each with the first one it breaks: that they are settled or wait, and that
 * payment, ledger entries, refund record and clawback are theirs, to the unit.
 * @param rows a query of rows
 * @param range their ids, when they are a range: what belongs to them is then read as one, too
 */
export function brokenRows(
  publisherId: string,
  rows: RawBuilder<unknown>,
  range: IdRange | null,
): RawBuilder<unknown> {
  const of = (alias: string, id: string): RawBuilder<unknown> => {
    const column = sql.ref(`${alias}.${id}`);
    const inRange = range === null ? sql`` : sql`and ${within(column, range)}`;
    return sql`${sql.ref(`${alias}.publisher_id`)} = ${publisherId} and ${column} = a.attribution_id ${inRange}`;
  };
  return sql`
    with a as materialized (${rows}),
    one as materialized (
      select a.*, p.attribution_id is not null as has_payment, p.group_id as paid_group_id,
             p.membership_id as paid_membership_id, p.currency as paid_currency, p.transaction_date as paid_date,
             p.share_millionths, p.share_minor, p.settled_at, p.reversed_at, p.payout_batch_id, p.payout_payment_id,
             p.paid_at
      from a
      left join payment p on ${of('p', 'attribution_id')}
    ),
    waiting as materialized (
      select distinct w.attribution_id
      from unsettled u
      cross join unnest(u.attribution_ids) as w (attribution_id)
      where u.publisher_id = ${publisherId} and exists (select from one where not is_test and settled_at is null)
    )
    select rule, 'attribution ' || attribution_id as row
    from (
      select a.attribution_id, case when a.settled_at is null then ${unsettledRule} else ${settledRule} end as rule
      from one a
      left join membership m
        on m.publisher_id = ${publisherId} and m.membership_id = a.membership_id and m.group_id = a.group_id
      left join waiting w on w.attribution_id = a.attribution_id
      left join ledger_entry e on ${of('e', 'subject_id')} and e.kind = 'payment'
      left join ledger_entry r on ${of('r', 'subject_id')} and r.kind in ('refund', 'adjustment')
      left join refund_record f on ${of('f', 'attribution_id')} and f.reverses_money
      left join clawback c on ${of('c', 'attribution_id')}
      left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = a.payout_batch_id
    ) judged
    where rule is not null`;
}

const unsettledRule = sql`
  case
    when m.membership_id is null then ${rule('membership')}
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
    when m.membership_id is null then ${rule('membership')}
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
