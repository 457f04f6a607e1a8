import { type RawBuilder, sql } from 'kysely';
import { stands } from '../../../members/standing.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { serviceTimeOf } from '../../../publishers/publisher-time.ts';
import { boundsOfMonth } from '../../payouts/read/read-month.ts';
import { idSlackMs } from '../../statements/read-movements.ts';
import { type IdRange, within } from './look-up.ts';
import { rule } from './rules.ts';

/** Returns the time before which a publisher's months are closed, on the service's clock; null if there are no statements. */
export async function readClosedBefore(tx: Tx, publisherId: string): Promise<Date | null> {
  const progress = await tx
    .selectFrom('statement_progress')
    .select(sql<string>`to_char(month, 'YYYY-MM')`.as('month'))
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (progress === undefined) return null;
  return serviceTimeOf(tx, publisherId, boundsOfMonth(progress.month).from);
}

/** Returns the exclusive end of a piece of members with about as many statements as the limit; null after the last piece. */
export async function endOfStatements(
  tx: Tx,
  publisherId: string,
  { from, limit }: { from: string; limit: number },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select membership_id as id
    from statement
    where publisher_id = ${publisherId} and membership_id > ${from}::uuid
    order by membership_id
    offset ${limit}
    limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/**
 * Returns the statements of members in a range that differ from the ledger: in an amount of their month, in the opening balance,
 * or, for a member's last one, in what was booked in closed months since.
 */
export const wrongStatements = (
  publisherId: string,
  range: IdRange,
  closedBefore: Date,
): RawBuilder<unknown> => sql`
  select ${rule('statement')} as rule, 'statement ' || s.statement_id as row
  from (
    select s.*, lag(s.closing_minor) over of_member as closing_before,
           lead(s.month) over of_member is null as is_last
    from statement s
    where s.publisher_id = ${publisherId} and ${within(sql`s.membership_id`, range)}
    window of_member as (partition by s.membership_id, s.currency order by s.month)
  ) s
  cross join lateral (
    select coalesce(sum(amount_minor) filter (where kind = 'payment'), 0) as earned,
           coalesce(sum(amount_minor) filter (where kind = 'refund'), 0) as reversed,
           coalesce(sum(amount_minor) filter (where kind = 'adjustment'), 0) as clawed_back,
           coalesce(sum(amount_minor) filter (where kind = 'reinstatement'), 0) as reinstated,
           coalesce(sum(amount_minor) filter (where kind in ('payout', 'payout-return')), 0) as payouts
    from (
      select e.kind, e.amount_minor
      from unnest(s.membership_ids) as of (membership_id)
      join ledger_entry e
        on e.publisher_id = ${publisherId} and e.membership_id = of.membership_id and e.currency = s.currency
          and e.kind = 'payment' and e.subject_id >= ${firstId}
          and e.created_at >= s.entries_from and e.created_at < s.entries_before
      union all
      select e.kind, e.amount_minor
      from unnest(s.membership_ids) as of (membership_id)
      join ledger_entry e
        on e.publisher_id = ${publisherId} and e.membership_id = of.membership_id and e.currency = s.currency
          and e.kind <> 'payment' and e.created_at >= s.entries_from and e.created_at < s.entries_before
      offset 0
    ) entry
  ) moved
  where s.closing_before <> s.opening_minor
     or (moved.earned, moved.reversed, moved.clawed_back, moved.reinstated, moved.payouts)
          is distinct from (s.earned_minor + s.bounties_minor, s.reversed_minor, s.clawed_back_minor, s.reinstated_minor,
                            s.to_payouts_minor + s.from_payouts_minor)
     or s.is_last and ${standsNow(publisherId)} and s.closing_minor <> (
       select coalesce(sum(b.balance_minor - since.amount), 0)
       from member_balance b
       cross join lateral (
         select coalesce(sum(e.amount_minor), 0) as amount
         from ledger_entry e
         where e.publisher_id = ${publisherId} and e.membership_id = b.membership_id and e.currency = b.currency
           and e.created_at >= greatest(s.entries_before, ${closedBefore}::timestamptz)
       ) since
       where b.publisher_id = ${publisherId} and b.membership_id = any(s.membership_ids) and b.currency = s.currency)`;

/** Returns the lowest id that an entry of a month can have, with the same slack as in reading the month's movements. */
const firstId = sql`
  (overlay(lpad(to_hex((extract(epoch from s.entries_from) * 1000)::bigint - ${sql.raw(String(idSlackMs))}), 12, '0') placing '-' from 9 for 0)
    || '-7000-8000-000000000000')::uuid`;

/** A membership that was merged since its last statement is part of another member's next one. */
const standsNow = (publisherId: string): RawBuilder<unknown> => sql`
  exists (
    select 1
    from membership m
    where m.publisher_id = ${publisherId} and m.membership_id = s.membership_id and ${stands('m')})`;
