import { type RawBuilder, sql } from 'kysely';
import { recordingOf } from '../../../attributions/posted.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { Check } from './check.ts';
import { type IdRange, lookUp, within } from './look-up.ts';
import { type Finding, maxRowsNamed, rule } from './rules.ts';

/**
 * Returns the ledger entries of the members in a range that have no posting, reward, payout item or reinstatement. All other entries
 * are checked elsewhere. Rows that predate postings have their own entries. An entry's row is looked up only by key,
 * because a member has many rows.
 */
export const strayEntries = (
  { publisherId, firstPosting }: Check,
  range: IdRange,
): RawBuilder<unknown> => sql`
  select case e.kind when 'payment' then ${rule('entry')} when 'payout' then ${rule('item')}
                     when 'reinstatement' then ${rule('reinstated')} else ${rule('returned')} end as rule,
         case when e.kind in ('payment', 'reinstatement') then 'entry ' else 'payout item ' end || e.subject_id || ' of membership '
           || e.membership_id as row
  from ledger_entry e
  ${lookUp('posting', 's', sql`publisher_id = ${publisherId} and e.kind = 'payment' and posting_id = e.subject_id`)}
  ${lookUp(
    'attribution',
    'a',
    sql`publisher_id = ${publisherId} and e.kind = 'payment' and s.posting_id is null and attribution_id = e.subject_id`,
  )}
  cross join lateral (
    select (a.membership_id = e.membership_id and a.currency = e.currency and not a.is_test
            and (${firstPosting}::uuid is null or a.attribution_id < ${firstPosting}::uuid)) is true as is_of_row
  ) own
  ${lookUp(
    'reward_payment',
    'w',
    sql`publisher_id = ${publisherId} and e.kind = 'payment' and s.posting_id is null and not own.is_of_row
      and progress_reward_id = e.subject_id and membership_id = e.membership_id and currency = e.currency`,
  )}
  ${lookUp(
    'payout_item',
    'i',
    sql`publisher_id = ${publisherId} and e.kind in ('payout', 'payout-return') and item_id = e.subject_id
      and membership_id = e.membership_id`,
  )}
  ${lookUp('reinstatement', 'g', sql`publisher_id = ${publisherId} and e.kind = 'reinstatement' and reinstatement_id = e.subject_id`)}
  where e.publisher_id = ${publisherId} and ${within(sql`e.membership_id`, range)}
    and case e.kind
          when 'payment' then s.posting_id is null and not own.is_of_row and w.progress_reward_id is null
          when 'payout' then i.item_id is null
          when 'payout-return' then i.item_id is null
          when 'reinstatement' then g.reinstatement_id is null
          else false
        end`;

/**
 * Returns the members and currencies whose ledger entries don't add up to the rollups and rewards, or to the balance.
 */
export const wrongEntries = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select case when (coalesce(e.paid, 0), coalesce(e.taken, 0))
                     is distinct from (coalesce(o.paid, 0), coalesce(o.taken, 0)) then 'earned' else 'balance' end as rule,
         membership_id, currency
  from (
    select membership_id, currency,
           coalesce(sum(amount_minor) filter (where kind = 'payment'), 0) as paid,
           coalesce(sum(-amount_minor) filter (where kind in ('refund', 'adjustment', 'reinstatement')), 0) as taken,
           sum(amount_minor) as amount
    from ledger_entry
    where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
    group by membership_id, currency
  ) e
  full join (
    select membership_id, currency, sum(paid) as paid, sum(taken) as taken
    from (
      select membership_id, currency, sum(share_minor) as paid, sum(reversed_share_minor) as taken
      from earning_rollup
      where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
      group by membership_id, currency
      union all
      select membership_id, currency, sum(amount_minor), 0
      from reward_payment
      where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
      group by membership_id, currency
    ) part
    group by membership_id, currency
  ) o using (membership_id, currency)
  full join (
    select membership_id, currency, balance_minor
    from member_balance
    where publisher_id = ${publisherId} and ${within(sql`membership_id`, range)}
  ) b using (membership_id, currency)
  where (coalesce(e.paid, 0), coalesce(e.taken, 0)) is distinct from (coalesce(o.paid, 0), coalesce(o.taken, 0))
     or coalesce(e.amount, 0) is distinct from coalesce(b.balance_minor, 0)`;

interface Account {
  membershipId: string;
  currency: string;
}

/**
 * Finds the posting whose entry for a member differs from the sum of the member's rows in it, along with some of those
 * rows. Reads all of the member's rows, so call this only if the member's entries don't add up.
 */
export async function explainEntries(
  tx: Tx,
  publisherId: string,
  { membershipId, currency }: Account,
): Promise<Finding | null> {
  const { rows } = await sql<{ posting_id: string; row_ids: string[] | null }>`
    with recorded as materialized (
      select ${recordingOf('a.attribution_id')} as recording_id, sum(a.share_minor) as share_minor,
             min(a.attribution_id::text) as row_id
      from attribution a
      where a.publisher_id = ${publisherId} and a.membership_id = ${membershipId}::uuid and a.currency = ${currency}
        and not a.is_test
      group by 1
    )
    select e.subject_id as posting_id, (array_agg(r.row_id order by r.row_id) filter (where r.row_id is not null))[1:${sql.raw(String(maxRowsNamed))}] as row_ids
    from ledger_entry e
    cross join lateral (
      select recording_ids from posting where publisher_id = ${publisherId} and posting_id = e.subject_id offset 0
    ) s
    cross join unnest(s.recording_ids) as i (recording_id)
    left join recorded r on r.recording_id = i.recording_id
    where e.publisher_id = ${publisherId} and e.membership_id = ${membershipId}::uuid and e.currency = ${currency}
      and e.kind = 'payment'
    group by e.subject_id, e.amount_minor
    having e.amount_minor <> coalesce(sum(r.share_minor), 0)
    order by 1
    limit 1`.execute(tx);
  const [found] = rows;
  if (found === undefined) return findPaidTwice(tx, publisherId, { membershipId, currency });
  return {
    rule: 'entry',
    row: `posting ${found.posting_id}, membership ${membershipId} in ${currency}`,
    rows: found.row_ids ?? [],
  };
}

/**
 * Returns a row that was posted even though it has its own entry from before postings existed; null if there is none.
 */
async function findPaidTwice(
  tx: Tx,
  publisherId: string,
  { membershipId, currency }: Account,
): Promise<Finding | null> {
  const { rows } = await sql<{ attribution_id: string }>`
    with paid as materialized (
      select subject_id
      from ledger_entry
      where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid and currency = ${currency}
        and kind = 'payment'
    )
    select own.subject_id as attribution_id
    from paid
    cross join lateral (
      select recording_ids from posting where publisher_id = ${publisherId} and posting_id = paid.subject_id offset 0
    ) s
    cross join unnest(s.recording_ids) as i (recording_id)
    join paid own on ${recordingOf('own.subject_id')} = i.recording_id
    order by 1
    limit 1`.execute(tx);
  const [found] = rows;
  return found === undefined ? null : { rule: 'entry', row: `attribution ${found.attribution_id}` };
}
