import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Rows of one recording commit, which are one entry of the queue; 64 busy connections make about this many. */
const rowsPerBatch = 32;

/** Adds purchases of all of a publisher's members in its group `main`, as recording would save them. */
export async function addRows(
  client: pg.Client,
  publisherId: string,
  name: string,
  count: number,
): Promise<void> {
  await client.query(
    `insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code,
       description, status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date, platform,
       player_id, tier_id, tier_share_millionths, group_share_millionths)
     select $3, uuidv7(), $1 || '-' || n, 0, 'main', m.membership_id, 'CODE' || m.i, 'Battle pass', 'Normal', false,
       'api', 100 + n % 10000, 'USD', 100, 'USD', timestamptz '2026-05-01T12:00:00Z' + n * interval '1 second', 'PC',
       'player-' || n % 10000, m.tier_id, case when m.tier_id is null then null else 200000 end, 100000
     from generate_series(1, $2::int) n
     join (select membership_id, tier_id, row_number() over (order by membership_id) - 1 as i
           from membership where publisher_id = $3 and group_id = 'main') m
       on m.i = n % (select count(*) from membership where publisher_id = $3 and group_id = 'main')
     order by n`,
    [name, count, publisherId],
  );
}

/** Has the rows of that name settled. */
export async function enqueue(client: pg.Client, publisherId: string, name: string): Promise<void> {
  await client.query(
    `insert into unsettled (publisher_id, unsettled_id, attribution_ids)
     select $2, (array_agg(attribution_id))[1], array_agg(attribution_id)
     from (
       select attribution_id, row_number() over (order by attribution_id) / ${rowsPerBatch} as batch
       from attribution where publisher_id = $2 and transaction_id like $1 || '-%'
     ) a
     group by batch`,
    [name, publisherId],
  );
  await client.query('analyze attribution; analyze unsettled');
}

/** @returns how many rows are not settled yet */
export async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    'select coalesce(sum(cardinality(attribution_ids)), 0)::int as waiting from unsettled',
  );
  return rows[0]?.waiting ?? 0;
}

export async function drained(client: pg.Client): Promise<void> {
  while ((await waiting(client)) > 0) await sleep(200);
}
