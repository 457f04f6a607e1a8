import { sql } from 'kysely';
import { lockMembers } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { UnsettledId } from '../../platform/database/tables.generated.ts';
import { posting } from '../ledger.ts';
import { lockForSettling, settlingTime } from '../settlement-lock.ts';

/** Rows settled by one commit: large enough to be quick, small enough to hold its locks for a blink. */
const rowsPerCommit = 5_000;

/** Counts rows that are about to be settled, for bounties, which come later than settlement. */
export type CountRows = (tx: Tx, publisherId: string, unsettledIds: UnsettledId[]) => Promise<void>;

/**
 * Settles one set of a publisher's rows: fixes percent, amount and rule, writes payments and ledger entries,
 * and keeps balances and rollups, all in one commit that also takes the rows off the queue. Each row is
 * settled exactly once, whatever crashes and however many workers run.
 * @param countRows called in the same commit, once the memberships are locked
 * @returns how many rows were settled; 0 when none wait, or others have them
 */
export function settleRows(
  { countRows }: { countRows: CountRows },
  db: Db,
  publisherId: string,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockForSettling(tx, publisherId);
    const batches = await takeBatches(tx, publisherId);
    if (batches.length === 0) return 0;
    await lockMembershipsOfBatches(tx, publisherId, batches);
    await countRows(tx, publisherId, batches);
    return settle(tx, publisherId, batches);
  });
}

/** The publishers that have rows waiting, found by skipping through the index from one to the next. */
export async function publishersToSettle(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    with recursive waiting as (
      (select publisher_id from unsettled order by publisher_id limit 1)
      union all
      select (select u.publisher_id from unsettled u where u.publisher_id > w.publisher_id order by u.publisher_id limit 1)
      from waiting w
      where w.publisher_id is not null
    )
    select publisher_id from waiting where publisher_id is not null`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

async function takeBatches(tx: Tx, publisherId: string): Promise<UnsettledId[]> {
  const { rows } = await sql<{ unsettled_id: UnsettledId }>`
    select unsettled_id
    from unsettled
    where publisher_id = ${publisherId}
      and unsettled_id = any(array(
        select unsettled_id
        from (
          select unsettled_id, sum(size) over (order by unsettled_id) - size as before
          from (
            select unsettled_id, cardinality(attribution_ids) as size
            from unsettled
            where publisher_id = ${publisherId}
            order by unsettled_id
            limit ${rowsPerCommit}
          ) oldest
        ) counted
        where before < ${rowsPerCommit}
      ))
    for update skip locked`.execute(tx);
  return rows.map(({ unsettled_id }) => unsettled_id);
}

/** Memberships before payments, both in the order of their ids: the order that status changes and payouts keep too. */
const lockMembershipsOfBatches = (tx: Tx, publisherId: string, batches: UnsettledId[]): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`
      select distinct a.membership_id
      from unsettled u
      cross join unnest(u.attribution_ids) as waiting (attribution_id)
      join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = waiting.attribution_id
      where u.publisher_id = ${publisherId} and u.unsettled_id = any(${batches}::uuid[])`,
  );

/** The rules of resolve-share.ts, for a set. Rows reversed before this are settled all the same, to nothing. */
async function settle(tx: Tx, publisherId: string, batches: UnsettledId[]): Promise<number> {
  const { rows } = await sql<{ settled: bigint }>`
    with taken as (
      delete from unsettled
      where publisher_id = ${publisherId} and unsettled_id = any(${batches}::uuid[])
      returning attribution_ids
    ),
    decided as (
      select a.attribution_id, a.group_id, a.membership_id, a.code, a.currency, a.subtotal_minor, a.transaction_date,
             coalesce(a.sent_share_millionths, a.sku_share_millionths, x.share_millionths, s.share_millionths,
                      a.tier_share_millionths, a.group_share_millionths) as share_millionths,
             case when a.sent_share_millionths is not null then 'sent'
                  when a.sku_share_millionths is not null then 'sku'
                  when x.share_millionths is not null then 'scheduled-tier'
                  when s.share_millionths is not null then 'scheduled-group'
                  when a.tier_share_millionths is not null then 'tier'
                  else 'group' end as share_rule,
             case when a.sent_share_millionths is not null then null
                  when a.sku_share_millionths is not null then a.sku_id
                  when x.share_millionths is not null or s.share_millionths is not null then s.schedule_id
                  when a.tier_share_millionths is not null then a.tier_id::text
                  else a.group_id end as share_source
      from taken
      cross join unnest(taken.attribution_ids) as waiting (attribution_id)
      join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = waiting.attribution_id
      left join scheduled_share s
        on s.publisher_id = ${publisherId} and s.group_id = a.group_id and s.deleted_at is null
       and tstzrange(s.starts_at, s.ends_at) @> a.transaction_date
      left join scheduled_tier_share x
        on x.publisher_id = ${publisherId} and x.schedule_id = s.schedule_id and x.tier_id = a.tier_id
    ),
    priced as materialized (
      select *, share_of(subtotal_minor, share_millionths) as share_minor from decided
    ),
    paid as (
      insert into payment as p (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date,
                                share_millionths, share_minor, share_rule, share_source, settled_at)
      select ${publisherId}, attribution_id, group_id, membership_id, currency, transaction_date,
             share_millionths, share_minor, share_rule, share_source, ${settlingTime}
      from priced
      order by attribution_id
      on conflict (publisher_id, attribution_id) do update
        set group_id = excluded.group_id, membership_id = excluded.membership_id, currency = excluded.currency,
            transaction_date = excluded.transaction_date, share_millionths = excluded.share_millionths,
            share_minor = excluded.share_minor, share_rule = excluded.share_rule,
            share_source = excluded.share_source, settled_at = excluded.settled_at
        where p.settled_at is null
      returning attribution_id, membership_id, currency, share_minor, reversed_at is not null as is_reversed
    ),
    entry as not materialized (
      select attribution_id as subject_id, 'payment' as kind, membership_id, currency, share_minor as amount_minor from paid
      union all
      select attribution_id, 'refund', membership_id, currency, -share_minor from paid where is_reversed
    ),
    ${posting(publisherId, 'entry')},
    rollups as (
      insert into earning_rollup as e (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor,
                                       share_minor, reversed_count, reversed_gross_minor, reversed_share_minor)
      select ${publisherId}, r.group_id, (r.transaction_date at time zone 'UTC')::date, r.membership_id, r.code, r.currency,
             count(*), sum(r.subtotal_minor), sum(r.share_minor),
             count(*) filter (where p.is_reversed),
             coalesce(sum(r.subtotal_minor) filter (where p.is_reversed), 0),
             coalesce(sum(r.share_minor) filter (where p.is_reversed), 0)
      from priced r
      join paid p using (attribution_id)
      group by 2, 3, 4, 5, 6
      order by 2, 3, 4, 5, 6
      on conflict (publisher_id, group_id, day, membership_id, code, currency) do update
        set row_count = e.row_count + excluded.row_count,
            gross_minor = e.gross_minor + excluded.gross_minor,
            share_minor = e.share_minor + excluded.share_minor,
            reversed_count = e.reversed_count + excluded.reversed_count,
            reversed_gross_minor = e.reversed_gross_minor + excluded.reversed_gross_minor,
            reversed_share_minor = e.reversed_share_minor + excluded.reversed_share_minor
    )
    select count(*) as settled from paid`.execute(tx);
  return Number(rows[0]?.settled ?? 0);
}
