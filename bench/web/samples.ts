import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { daysFilled, publisherId, wideMembers } from './fill.ts';

/** Random values for queries. Each call draws a new value. */
export interface Samples {
  transaction(): string;
  member(): string;
  code(): string;
  name(): string;
  /** Returns a time within the filled days. */
  moment(): string;
  endpoint(): string;
}

export async function drawSamples(client: pg.Client): Promise<Samples> {
  const transactions = await client.query<{ id: string }>(
    `select a.transaction_id as id
     from generate_series(0, 299) n
     cross join lateral (
       select transaction_id
       from attribution
       where publisher_id = $1 and group_id = (array['main', 'wide', 'second', 'third'])[1 + n % 4]
         and transaction_date <= now() - interval '1 day' * $2::int * n / 300
       order by transaction_date desc
       limit 1
     ) a`,
    [publisherId, daysFilled],
  );
  const endpoints = await client.query<{ id: string }>(
    'select endpoint_id as id from webhook_endpoint where publisher_id = $1',
    [publisherId],
  );
  const oneOf = (rows: readonly { id: string }[]): string => rows[randomInt(rows.length)]?.id ?? '';
  return {
    transaction: () => oneOf(transactions.rows),
    member: () => (randomInt(2) === 0 ? `acc_${randomInt(1_000)}` : `wid_${randomInt(wideMembers)}`),
    code: () => `CODE${randomInt(1_000)}`,
    name: () =>
      ['Ada', 'bel', 'Cleo wid', 'da', 'Eli', 'Juno wid 1', 'Kai acc', 'CODE', 'CODE1'][randomInt(9)] ?? '',
    moment: () => new Date(Date.now() - randomInt(daysFilled * 24) * 3_600_000).toISOString(),
    endpoint: () => oneOf(endpoints.rows),
  };
}
