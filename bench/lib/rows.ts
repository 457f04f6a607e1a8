import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Rows per recording commit. Each commit is one queue entry. 64 busy connections produce about this many rows
 * per commit.
 */
const usualRecording = 32;

/** Purchases to add, spread across all of a publisher's members. */
export interface NewRows {
  publisherId: string;
  /** Group to add to; all of the publisher's groups if absent. */
  groupId?: string;
  count: number;
  /** Start of the range over which the purchases' transactionDates are spread evenly, in days before now. */
  fromDaysAgo: number;
  toDaysAgo: number;
  /** Number of rows with the same date, recorded by one commit. `count` must be a multiple of this number. */
  rowsOfRecording?: number;
  /** Currencies with two decimal places, which the purchases are spread over; USD if absent. */
  currencies?: readonly string[];
}

/**
 * Adds purchases in one statement, in the form that recording saves, for the service to post. The purchases
 * have random transactionIds, ids in date order, and dates in whole milliseconds as in the API. Every tenth
 * purchase has a SKU that may have its own share, and every hundredth is a Test. Prices are chosen so that
 * shares are never rounded.
 */
export async function addRows(client: pg.Client, rows: NewRows): Promise<void> {
  await client.query(
    `with recording as materialized (
       select at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(random, 1, 3) || '8'
                  || substr(random, 4, 11) as id, random
       from (
         select date_trunc('milliseconds', now() - $3::float8 * interval '1 day' + n * ($3::float8 - $4::float8) * interval '1 day' / $2::float8) as at,
                md5(random()::text || n) as random
         from generate_series(0, $2::int - 1, $6::int) n
       ) recordings
     ),
     member as materialized (
       select row_number() over (order by m.group_id, m.membership_id) - 1 as place, m.group_id, m.membership_id, 'CODE' || substr(m.account_id, 5) as code, m.tier_id,
              t.share_millionths as tier_share, g.share_millionths as group_share
       from membership m
       join creator_group g on g.publisher_id = m.publisher_id and g.group_id = m.group_id
       left join tier t on t.publisher_id = m.publisher_id and t.tier_id = m.tier_id
       where m.publisher_id = $1 and m.status = 'Approved' and ($5::text is null or m.group_id = $5)
     ),
     drawn as materialized (
       select r.at, (r.id || lpad(to_hex(n), 4, '0'))::uuid as attribution_id, substr(drawn, 1, 20) as transaction_id,
              ('x' || substr(drawn, 21, 7))::bit(28)::int as number
       from recording r
       cross join generate_series(0, $6::int - 1) n
       cross join lateral (select md5(r.random || n) as drawn) one
     ),
     purchase as (
       select d.*, m.*, 100 * (1 + d.number / 7 % 200) as subtotal,
              case when d.number / 11 % 10 = 0 then 'SKU' || d.number / 110 % 10 end as sku_id,
              case when d.number / 13 % 100 = 0 then 'Test' else 'Normal' end as status
       from drawn d
       join member m on m.place = d.number % (select count(*) from member)
     ),
     shared as (
       select r.*, s.share_millionths as sku_share, coalesce(s.share_millionths, r.tier_share, r.group_share) as share,
              case when s.share_millionths is not null then 'sku' when r.tier_share is not null then 'tier' else 'group' end
                as share_rule
       from purchase r
       left join sku_share s on s.publisher_id = $1 and s.group_id = r.group_id and s.sku_id = r.sku_id
     ),
     waiting as (
       insert into unposted (publisher_id, recording_id, row_count)
       select $1, (id || '0000')::uuid, $6 from recording
     )
     insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code,
       description, status, is_test, origin, subtotal_minor, currency, transaction_date, platform,
       player_id, sku_id, sku_share_millionths, tier_id, tier_share_millionths, group_share_millionths, share_millionths,
       share_minor, share_rule)
     select $1, attribution_id, transaction_id, 0, group_id, membership_id, code, 'Battle pass', status, status = 'Test',
       'api', subtotal, ($7::text[])[1 + number / 17 % cardinality($7::text[])], at, 'PC', 'player-' || number % 100000, sku_id, sku_share, tier_id, tier_share,
       group_share, share, subtotal::bigint * share / 1000000, share_rule
     from shared
     order by attribution_id`,
    [
      rows.publisherId,
      rows.count,
      rows.fromDaysAgo,
      rows.toDaysAgo,
      rows.groupId,
      rows.rowsOfRecording ?? usualRecording,
      rows.currencies ?? ['USD'],
    ],
  );
}

const stepRows = 96_000;
/** Number of unposted rows above which filling pauses, as real clients would. */
const maxUnposted = 400_000;

/** Adds any number of purchases in steps, oldest first, and waits until they are posted. */
export async function addAndPost(client: pg.Client, rows: NewRows): Promise<void> {
  const { count, fromDaysAgo, toDaysAgo } = rows;
  const steps = Math.ceil(count / stepRows);
  const days = (fromDaysAgo - toDaysAgo) / steps;
  for (let step = 0; step < steps; step += 1) {
    await addRows(client, {
      ...rows,
      count: Math.ceil(count / steps / usualRecording) * usualRecording,
      fromDaysAgo: fromDaysAgo - step * days,
      toDaysAgo: fromDaysAgo - (step + 1) * days,
    });
    // Autovacuum would analyze a grown table within a minute.
    if (step === 0) await client.query('analyze');
    while ((await countUnposted(client)) > maxUnposted) await sleep(100);
  }
  await waitUntilPosted(client);
}

export async function countUnposted(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    'select coalesce(sum(row_count), 0)::int as waiting from unposted',
  );
  return rows[0]?.waiting ?? 0;
}

const pollEveryMs = 50;

/** Waits until all rows are posted. @throws Error if posting takes too long */
export async function waitUntilPosted(client: pg.Client, withinSeconds = 600): Promise<void> {
  const endMs = performance.now() + withinSeconds * 1_000;
  for (let left = await countUnposted(client); left > 0; left = await countUnposted(client)) {
    if (performance.now() > endMs) throw new Error(`${left} rows were not posted within ${withinSeconds} s`);
    await sleep(pollEveryMs);
  }
}
