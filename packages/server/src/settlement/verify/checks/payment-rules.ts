import { type RawBuilder, sql } from 'kysely';
import {
  type IdRange,
  lookUp,
  lookUpParts,
  lookUpReinstated,
  lookUpReversal,
  lookUpWaiting,
  within,
} from './look-up.ts';
import { rule } from './rules.ts';

export const paymentsOfRange = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select p.*
  from payment p
  where p.publisher_id = ${publisherId} and ${within(sql`p.attribution_id`, range)}`;

/** @param rows a query of rows */
export const paymentsOfRows = (publisherId: string, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.*
  from (${rows}) a
  cross join lateral (
    select *
    from payment
    where publisher_id = ${publisherId} and attribution_id = a.attribution_id
    offset 0
  ) p`;

/**
 * Returns the stored payments that break a rule, each with the first rule that it breaks. A payment must
 * belong to a row and match the row. The payment's ledger entries, refund records and clawback must match the
 * payment exactly.
 * @param payments a query of payments
 * @param isAlone whether this is the only check for reversals of payments that were never reversed
 */
export function brokenPayments(
  publisherId: string,
  payments: RawBuilder<unknown>,
  isAlone: boolean,
): RawBuilder<unknown> {
  const whenReversed = sql`(${isAlone} or ${isReversed} or ${hasParts} or a.status <> 'Normal')`;
  const ofRow = sql`publisher_id = ${publisherId} and attribution_id = p.attribution_id`;
  return sql`
    select rule, 'attribution ' || attribution_id as row
    from (
      select p.attribution_id,
        case
          when a.is_test is not false then ${rule('recorded')}
          when (p.group_id, p.membership_id, p.currency, p.transaction_date, p.share_minor)
                 is distinct from (a.group_id, a.membership_id, a.currency, a.transaction_date, a.share_minor)
            then ${rule('sameRow')}
          when ${hasParts} and not (g.have_records) then ${rule('reinstated')}
          when ${hasParts} and ${partsDiffer} then ${rule('parts')}
          when u.recording_id is null then ${postedRule}
          else ${waitingRule}
        end as rule
      from (${payments}) p
      ${lookUp('attribution', 'a', ofRow)}
      ${lookUpWaiting(publisherId, 'u', 'p.attribution_id', sql`(${whenReversed} or ${isAssigned})`)}
      ${lookUpReversal(publisherId, 'e', 'p.attribution_id', whenReversed)}
      ${lookUp('refund_record', 'r', sql`${ofRow} and reverses_money and gross_minor is null and ${whenReversed}`)}
      ${lookUpParts(publisherId, 'q', 'p', hasParts)}
      ${lookUp('clawback', 'c', sql`${ofRow} and ${whenReversed}`)}
      ${lookUp('payout_batch', 'b', sql`publisher_id = ${publisherId} and batch_id = p.payout_batch_id`)}
      ${lookUpReinstated(publisherId, 'g', 'p', hasParts)}
    ) judged
    where rule is not null`;
}

const isReversed = sql`p.reversed_at is not null`;
const hasParts = sql`p.refunded_minor is not null`;
/**
 * A payment without parts is reversed by one record and one entry. Parts have their own, and the records of a payment
 * with parts are added up.
 */
const isWithoutRecord = sql`(not (${hasParts}) and (${isReversed}) <> (r.attribution_id is not null))`;

/**
 * Condition for a payment whose parts are wrong. The share taken back so far, less what was reinstated, must be the
 * share of the subtotal refunded so far, rounded half-even. The comparison multiplies instead of dividing, because the
 * quotient may have infinitely many decimals.
 */
const partsDiffer = sql`
  ((p.subtotal_minor, p.refunded_minor::numeric, p.reversed_minor::numeric, p.part_at, p.reinstated_at)
     is distinct from (a.subtotal_minor, q.gross_minor - g.gross_minor, q.share_minor - g.share_minor,
                       greatest(q.last_at, g.last_at), g.last_at)
   or case 2 * abs(p.reversed_minor::numeric * p.subtotal_minor - p.share_minor::numeric * p.refunded_minor) - p.subtotal_minor
        when 0 then p.reversed_minor % 2 <> 0
        else 2 * abs(p.reversed_minor::numeric * p.subtotal_minor - p.share_minor::numeric * p.refunded_minor) > p.subtotal_minor
      end)`;
const isAssigned = sql`(p.payout_batch_id is not null or p.payout_payment_id is not null)`;

const waitingRule = sql`
  case
    when ${isAssigned} or e.subject_id is not null or q.entry_count + g.entry_count > 0 or c.attribution_id is not null
      then ${rule('early')}
    when ${isWithoutRecord} then ${rule('refund')}
    when ${isReversed} <> (a.status <> 'Normal') then ${rule('status')}
  end`;

const postedRule = sql`
  case
    when ${hasParts} and not q.have_entries then ${rule('parts')}
    when ${hasParts} and not (g.have_entries and (g.have_adjustments or p.payout_payment_id is not null))
      then ${rule('reinstated')}
    when case when ${hasParts} then e.subject_id is not null and r.attribution_id is null
              when not (${isReversed}) then e.subject_id is not null
              else (e.amount_minor, e.membership_id, e.currency)
                is distinct from (-p.share_minor::numeric, p.membership_id, p.currency) end
      then ${rule('reversed')}
    when ${isWithoutRecord} then ${rule('refund')}
    when ${isReversed} <> (a.status <> 'Normal') then ${rule('status')}
    when (p.payout_batch_id is not null and ${isReversed} and c.attribution_id is null)
      or (c.attribution_id is not null and not ((${isReversed}) or ${hasParts}))
      or (c.attribution_id is not null and p.payout_batch_id is null)
      or case when ${hasParts} then not q.have_clawbacks
              when e.kind = 'adjustment' or c.attribution_id is not null
              then e.kind is distinct from 'adjustment'
                or c.refund_id is distinct from r.refund_id
                or (e.amount_minor, e.membership_id, e.currency)
                  is distinct from (-c.amount_minor::numeric, c.membership_id, c.currency)
              else false end
      then ${rule('clawback')}
    when p.payout_batch_id is not null and b.batch_id is null then ${rule('payout')}
    when p.payout_payment_id is null and p.paid_at is not null and p.paid_at is distinct from b.paid_at
      then ${rule('paid')}
  end`;
