import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { Check } from './check.ts';
import { brokenRows, type IdRange, lookUpEntry, rowsOfRange, within } from './row-rules.ts';
import { type Finding, firstFinding, rule } from './rules.ts';

const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Walks through the ids of rows, payments, entries and rewards, which are all in one order, and looks at each that no
 * earlier run has looked at: that it breaks no rule of its own, and that nothing is there without what it stands for.
 * @returns the first that is not explained, or null
 */
export async function checkRows(check: Check): Promise<Finding | null> {
  const { snapshots, publisherId, looked } = check;
  for (let from: string | null = check.rowsBefore ?? lowestId; from !== null; ) {
    const start: string = from;
    const { finding, counts, to } = await snapshots.read(snapshots.rows, async (tx) => {
      const range: IdRange = {
        from: start,
        to: await endOfPiece(tx, publisherId, start, snapshots.rows.value),
      };
      const counts = await countRange(tx, publisherId, range);
      const finding =
        (await firstFinding(tx, brokenRows(publisherId, rowsOfRange(publisherId, range)))) ??
        (await firstFinding(tx, strays(publisherId, range)));
      return { finding, counts, to: range.to, taken: counts.rows };
    });
    if (finding !== null) return finding;
    looked.rows += counts.rows;
    looked.entries += counts.entries;
    check.progress();
    from = to;
  }
  return null;
}

/** Where a piece ends, by whichever of the tables has the most in it; null at the end of all. */
async function endOfPiece(tx: Tx, publisherId: string, from: string, size: number): Promise<string | null> {
  const nth = (table: string, id: string, offset: number): RawBuilder<unknown> => sql`(
    select ${sql.ref(id)}
    from ${sql.table(table)}
    where publisher_id = ${publisherId} and ${sql.ref(id)} >= ${from}::uuid
    order by ${sql.ref(id)}
    offset ${offset}
    limit 1)`;
  const { rows } = await sql<{ id: string | null }>`
    select least(
      ${nth('attribution', 'attribution_id', size)},
      ${nth('payment', 'attribution_id', size)},
      ${nth('ledger_entry', 'subject_id', size * 3)},
      ${nth('progress_reward', 'progress_reward_id', size)},
      ${nth('reward_payment', 'progress_reward_id', size)},
      ${nth('unsettled', 'unsettled_id', size)}
    ) as id`.execute(tx);
  return rows[0]?.id ?? null;
}

async function countRange(
  tx: Tx,
  publisherId: string,
  range: IdRange,
): Promise<{ rows: number; entries: number }> {
  const { rows } = await sql<{ rows: bigint; entries: bigint }>`
    select
      (select count(*) from attribution
       where publisher_id = ${publisherId} and ${within(sql`attribution_id`, range)}) as rows,
      (select count(*) from ledger_entry
       where publisher_id = ${publisherId} and ${within(sql`subject_id`, range)}) as entries`.execute(tx);
  return { rows: Number(rows[0]?.rows ?? 0), entries: Number(rows[0]?.entries ?? 0) };
}

/** What is in a range of ids and belongs to nothing, rewards that differ from what was paid, and rows of no rollup. */
const strays = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select ${rule('settled')} as rule, 'attribution ' || w.attribution_id as row
  from unsettled u
  cross join unnest(u.attribution_ids) as w (attribution_id)
  left join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = w.attribution_id
  left join payment p on p.publisher_id = ${publisherId} and p.attribution_id = w.attribution_id
  where u.publisher_id = ${publisherId} and ${within(sql`u.unsettled_id`, range)}
    and (a.attribution_id is null or a.is_test or p.settled_at is not null)
  union all
  select ${rule('recorded')}, 'attribution ' || p.attribution_id
  from payment p
  left join attribution a
    on a.publisher_id = ${publisherId} and a.attribution_id = p.attribution_id
  where p.publisher_id = ${publisherId} and ${within(sql`p.attribution_id`, range)} and a.attribution_id is null
  union all
  ${strayEntries(publisherId, range)}
  union all
  ${brokenRewards(publisherId, range)}
  union all
  select case when f.attribution_id is not null then ${rule('refund')} else ${rule('clawback')} end,
         'attribution ' || coalesce(f.attribution_id, c.attribution_id)
  from (
    select attribution_id from refund_record
    where publisher_id = ${publisherId} and ${within(sql`attribution_id`, range)} and reverses_money
  ) f
  full join (
    select attribution_id from clawback
    where publisher_id = ${publisherId} and ${within(sql`attribution_id`, range)}
  ) c on c.attribution_id = f.attribution_id
  left join payment p
    on p.publisher_id = ${publisherId} and p.attribution_id = coalesce(f.attribution_id, c.attribution_id)
  where p.attribution_id is null
  union all
  select ${rule('rollup')}, 'rollup of ' || to_char(s.day, 'YYYY-MM-DD') || ', membership ' || s.membership_id
  from (
    select distinct a.group_id, (a.transaction_date at time zone 'UTC')::date as day, a.membership_id, a.code, a.currency
    from attribution a
    join payment p
      on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    where a.publisher_id = ${publisherId} and ${within(sql`a.attribution_id`, range)} and p.settled_at is not null
  ) s
  left join earning_rollup e
    on e.publisher_id = ${publisherId} and e.group_id = s.group_id and e.day = s.day
   and e.membership_id = s.membership_id and e.code = s.code and e.currency = s.currency
  where e.code is null`;

/** Entries whose payment, reward or payout item is not there; those that are there are compared from its side. */
const strayEntries = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select case e.kind
           when 'payment' then ${rule('entry')}
           when 'refund' then ${rule('reversed')}
           when 'adjustment' then ${rule('reversed')}
           when 'payout' then ${rule('item')}
           else ${rule('returned')}
         end,
         case when e.kind in ('payout', 'payout-return') then 'payout item ' else 'attribution ' end || e.subject_id
  from ledger_entry e
  left join payment p
    on p.publisher_id = ${publisherId} and p.attribution_id = e.subject_id
  left join reward_payment w
    on w.publisher_id = ${publisherId} and w.progress_reward_id = e.subject_id
  left join payout_item i
    on i.publisher_id = ${publisherId} and i.item_id = e.subject_id
  where e.publisher_id = ${publisherId} and ${within(sql`e.subject_id`, range)}
    and case e.kind
          when 'payment' then p.attribution_id is null and w.progress_reward_id is null
          when 'refund' then p.attribution_id is null
          when 'adjustment' then p.attribution_id is null
          else i.item_id is null
        end`;

const brokenRewards = (publisherId: string, range: IdRange): RawBuilder<unknown> => sql`
  select *
  from (
    select case
             when w.progress_reward_id is not null
                  and (e.amount_minor, e.membership_id, e.currency)
                    is distinct from (w.amount_minor::numeric, w.membership_id, w.currency)
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
    ${lookUpEntry(publisherId, 'e', 'w.progress_reward_id', sql`kind = 'payment'`)}
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = w.payout_batch_id
  ) judged
  where rule is not null`;
