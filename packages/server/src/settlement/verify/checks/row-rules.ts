import { type RawBuilder, sql } from 'kysely';
import { type IdRange, lookUp, lookUpEntry, lookUpWaiting, within } from './look-up.ts';
import { rule } from './rules.ts';
import { decisionColumns } from './share-rules.ts';

const columns = sql`
  a.attribution_id, a.group_id, a.membership_id, a.code, a.currency, a.subtotal_minor, a.is_test, a.status,
  a.transaction_date, a.share_minor, ${decisionColumns}`;

export const rowsOfRange = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select ${columns}
  from attribution a
  where a.publisher_id = ${publisherId} and ${within(sql`a.attribution_id`, range)}`;

/** @param named a table u of group_id, day and membership_id */
export const rowsOfUnits = (publisherId: string, named: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${columns}, u.day
  from ${named}
  cross join lateral (
    select *
    from attribution
    where publisher_id = ${publisherId} and membership_id = u.membership_id
      and transaction_date >= u.day::timestamp at time zone 'UTC'
      and transaction_date < (u.day + 1)::timestamp at time zone 'UTC'
    order by transaction_date, attribution_id
    offset 0
  ) a`;

const isPayable = sql`not a.is_test and a.status = 'Normal'`;

/**
 * Returns the rows that break a rule, with the first rule that each breaks. Payments are compared with their rows by
 * other rules. A row without a payment costs two lookups.
 * @param rows a query of rows
 * @param mayPredatePostings whether the rows may predate postings and have their own ledger entries
 */
export const brokenRows = (
  publisherId: string,
  rows: RawBuilder<unknown>,
  mayPredatePostings: boolean,
): RawBuilder<unknown> => sql`
  select rule, 'attribution ' || attribution_id as row
  from (
    select a.attribution_id,
      case
        when m.membership_id is null then ${rule('membership')}
        when not (${isRounded}) then ${rule('share')}
        when ${mayPredatePostings ? sql`e.amount_minor <> a.share_minor` : sql`false`} then ${rule('entry')}
        when not a.is_test and a.status <> 'Normal' and p.attribution_id is null then ${rule('status')}
        when ${isPayable} and ${isBeforeMark} and u.recording_id is null
             and p.payout_batch_id is null and p.payout_payment_id is null and p.reversed_at is null
          then ${rule('mark')}
      end as rule
    from (${rows}) a
    ${lookUp(
      'membership',
      'm',
      sql`publisher_id = ${publisherId} and membership_id = a.membership_id and group_id = a.group_id`,
    )}
    ${lookUp(
      'member_balance',
      'b',
      sql`publisher_id = ${publisherId} and membership_id = a.membership_id and currency = a.currency`,
    )}
    ${lookUp(
      'payment',
      'p',
      sql`publisher_id = ${publisherId} and attribution_id = a.attribution_id
        and (a.status <> 'Normal' or ${isBeforeMark})`,
    )}
    ${lookUpWaiting(publisherId, 'u', 'a.attribution_id', isBeforeMark)}
    ${mayPredatePostings ? entryOfRow(publisherId) : sql``}
  ) judged
  where rule is not null`;

const isBeforeMark = sql`(a.transaction_date < b.unpaid_from) is not false`;

const entryOfRow = (publisherId: string): RawBuilder<unknown> =>
  lookUpEntry(
    publisherId,
    'e',
    { membership: 'a.membership_id', currency: 'a.currency', subject: 'a.attribution_id' },
    'payment',
  );

/**
 * Share of the subtotal's whole millions, which has no remainder; the share of the rest fits in eight bytes. A share is
 * correct if it is less than half a unit from the exact amount, or exactly half a unit from it and even.
 */
const wholeUnits = sql`a.subtotal_minor / 1000000 * a.share_millionths`;
const millionthsOff = sql`
  abs((a.share_minor - ${wholeUnits}) * 1000000 - a.subtotal_minor % 1000000 * a.share_millionths)`;
const isRounded = sql`
  case
    when abs(a.share_minor - ${wholeUnits}) > 1000000 then false
    when ${millionthsOff} = 500000 then a.share_minor % 2 = 0
    else ${millionthsOff} < 500000
  end`;
