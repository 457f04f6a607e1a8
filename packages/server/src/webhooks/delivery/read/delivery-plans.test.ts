import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint } from '../../../../test/endpoints.ts';
import { testPages, useMoney } from '../../../../test/money.ts';
import { backgroundLimits } from '../../../platform/database/connections/limits.ts';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import { readHealth } from '../../endpoints/read-health.ts';
import { type DeliveryFilter, listDeliveries } from './list-deliveries.ts';

const { service, number } = useMoney();
const stored = 20_000;
/** Single connection, so that its block statistics include only the statements under test. */
let probe: Database;
let endpointId: EndpointId;

beforeAll(async () => {
  const { connection, ownerConnection } = service().testDatabase;
  probe = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'probe',
    limits: backgroundLimits,
  });
  ({ endpointId } = await addEndpoint(probe.db, 'aurora', 'https://receiver.example/', [
    'Attribution/TransactionStatusChanged',
  ]));
  const owner = new pg.Client(ownerConnection);
  await owner.connect();
  // Every hundredth delivery has failed. All deliveries are from the last few hours, whose partition is the
  // largest.
  try {
    await owner.query(
      `with made as materialized (
       select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n), 12, '0') || '7' || left(md5(n::text), 3) || '8'
                || right(md5(n::text), 15))::uuid as event_id,
              case when n % 100 = 0 then 'Failed' else 'Delivered' end as status
       from generate_series(1, $2::int) n
     ), e as (
       insert into webhook_event (publisher_id, event_id, kind, created_at, event)
       select 'aurora', event_id, 'Attribution/TransactionStatusChanged', date_trunc('milliseconds', now()), '{}' from made
     )
     insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
     select 'aurora', $1, event_id, status, 1, 1, now(), now() from made`,
      [endpointId, stored],
    );
    await owner.query('analyze');
    await owner.query('select pg_stat_force_next_flush()'); // so that these reads aren't counted later
  } finally {
    await owner.end();
  }
});
afterAll(() => probe.close());

/**
 * Returns the number of blocks of deliveries, events and attempts that the connection under test has read so
 * far.
 */
async function blocks(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(probe.db);
  return Number(
    await number(sql`
      select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) as n
      from pg_statio_user_tables
      where relname like 'webhook%'`),
  );
}

test.each<[string, Omit<DeliveryFilter, 'publisherId'>]>([
  ['the first page', {}],
  ['an endpoint’s first page', { endpointId: 'of the endpoint' as EndpointId }],
  ['the first page of those that have failed', { status: 'Failed' }],
])('reads %s of many deliveries by key', async (_what, partial) => {
  const filter = {
    publisherId: 'aurora',
    ...partial,
    ...(partial.endpointId !== undefined && { endpointId }),
  };
  const before = await blocks();
  const { rows } = await listDeliveries(probe.db, testPages, filter, { cursor: null, size: 50 });
  const blocksRead = (await blocks()) - before;
  expect(rows).toHaveLength(50);
  // Reading one row takes about six blocks. Reading all rows takes hundreds of table blocks and thousands of
  // event lookups.
  expect(blocksRead / rows.length).toBeLessThan(15);
});

test("reads only the latest deliveries for an endpoint's health", async () => {
  const before = await blocks();
  const health = await readHealth(probe.db, 'aurora');
  const blocksRead = (await blocks()) - before;
  expect(health.get(endpointId)).toMatchObject({ delivered: 50, failed: 0 });
  expect(blocksRead).toBeLessThan(100);
});
