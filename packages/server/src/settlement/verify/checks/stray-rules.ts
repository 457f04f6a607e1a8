import { type RawBuilder, sql } from 'kysely';
import { type IdRange, isOfRecording, lookUp, lookUpEntry, lookUpWaiting, within } from './look-up.ts';
import { rule } from './rules.ts';

/**
 * Returns records in an id range whose owner is missing, rewards that differ from their payments, and rows without a
 * rollup. Most of these references aren't enforced by foreign keys.
 */
export const strays = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  ${strayReversals(publisherId, range)}
  union all
  ${brokenRewards(publisherId, range)}
  union all
  ${rowsWithoutRollup(publisherId, range)}
  union all
  select ${rule('waiting')}, 'recording ' || u.recording_id
  from unposted u
  cross join lateral (
    select count(*) as rows
    from attribution a
    where a.publisher_id = ${publisherId} and ${isOfRecording('a', 'u.recording_id')}
  ) recorded
  where u.publisher_id = ${publisherId} and ${within(sql`u.recording_id`, range)} and u.row_count <> recorded.rows`;

const strayReversals = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select stray.rule, 'attribution ' || stray.attribution_id as row
  from (
    select ${rule('refund')} as rule, r.attribution_id, r.gross_minor is not null as is_part
    from refund_record r
    where r.publisher_id = ${publisherId} and ${within(sql`r.attribution_id`, range)} and r.reverses_money
    union all
    select ${rule('clawback')}, c.attribution_id, r.gross_minor is not null and r.attribution_id = c.attribution_id
    from clawback c
    ${lookUp('refund_record', 'r', sql`publisher_id = ${publisherId} and refund_id = c.refund_id`)}
    where c.publisher_id = ${publisherId} and ${within(sql`c.attribution_id`, range)}
    union all
    select ${rule('reinstated')}, i.attribution_id, true
    from reinstatement i
    where i.publisher_id = ${publisherId} and ${within(sql`i.attribution_id`, range)} and i.gross_minor > 0
    union all
    select ${rule('reinstated')}, j.attribution_id, null
    from reinstatement_adjustment j
    ${lookUp('reinstatement', 'i', sql`publisher_id = ${publisherId} and reinstatement_id = j.reinstatement_id`)}
    where j.publisher_id = ${publisherId} and ${within(sql`j.attribution_id`, range)} and i.reinstatement_id is null
    union all
    select ${rule('reversed')}, coalesce(r.attribution_id, e.subject_id), r.attribution_id is not null
    from ledger_entry e
    ${lookUp('refund_record', 'r', sql`publisher_id = ${publisherId} and refund_id = e.subject_id and gross_minor is not null`)}
    where e.publisher_id = ${publisherId} and ${within(sql`e.subject_id`, range)} and e.kind in ('refund', 'adjustment')
  ) stray
  ${lookUp('payment', 'p', sql`publisher_id = ${publisherId} and attribution_id = stray.attribution_id`)}
  where case
          when stray.is_part is null then true
          when stray.is_part then p.refunded_minor is null
          else p.reversed_at is null and p.refunded_minor is null
        end`;

/** Returns missing rollups. Rows with a rollup are compared with it elsewhere. */
const rowsWithoutRollup = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select ${rule('rollup')}, 'rollup of ' || to_char(cell.day, 'YYYY-MM-DD') || ', membership ' || cell.membership_id
                            || ', code ' || cell.code || ' in ' || cell.currency
  from (
    select distinct a.group_id, (a.transaction_date at time zone 'UTC')::date as day, a.membership_id, a.code, a.currency
    from attribution a
    where a.publisher_id = ${publisherId} and ${within(sql`a.attribution_id`, range)}
  ) cell
  ${lookUp(
    'earning_rollup',
    'e',
    sql`publisher_id = ${publisherId} and membership_id = cell.membership_id and day = cell.day and code = cell.code
      and currency = cell.currency and group_id = cell.group_id`,
  )}
  cross join lateral (
    select 1
    from (
      select *
      from attribution
      where publisher_id = ${publisherId} and membership_id = cell.membership_id
        and transaction_date >= cell.day::timestamp at time zone 'UTC'
        and transaction_date < (cell.day + 1)::timestamp at time zone 'UTC'
        and group_id = cell.group_id and code = cell.code and currency = cell.currency and e.code is null
      order by transaction_date, attribution_id
      offset 0
    ) a
    ${lookUpWaiting(publisherId, 'u', 'a.attribution_id')}
    where u.recording_id is null
    limit 1
  ) posted`;

const brokenRewards = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select *
  from (
    select case
             when w.progress_reward_id is not null and e.amount_minor is distinct from w.amount_minor::numeric
               then ${rule('entry')}
             when (g.amount_minor, g.currency) is distinct from (w.amount_minor, w.currency) then ${rule('reward')}
             when w.paid_at is not null and w.paid_at is distinct from b.paid_at then ${rule('paid')}
           end as rule,
           'bounty reward ' || coalesce(g.progress_reward_id, w.progress_reward_id)
    from (
      select g.progress_reward_id, d.amount_minor, d.currency
      from progress_reward g
      join bounty_reward d on d.publisher_id = ${publisherId} and d.reward_id = g.reward_id
      where g.publisher_id = ${publisherId} and ${within(sql`g.progress_reward_id`, range)} and d.type = 'Payment'
    ) g
    full join (
      select *
      from reward_payment
      where publisher_id = ${publisherId} and ${within(sql`progress_reward_id`, range)}
    ) w on w.progress_reward_id = g.progress_reward_id
    ${lookUpEntry(
      publisherId,
      'e',
      { membership: 'w.membership_id', currency: 'w.currency', subject: 'w.progress_reward_id' },
      'payment',
    )}
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = w.payout_batch_id
  ) judged
  where rule is not null`;
