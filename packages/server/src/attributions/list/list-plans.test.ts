import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { settleAll, testPages, useMoney } from '../../../test/money.ts';
import { backgroundLimits } from '../../platform/database/connections/limits.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { listTransactions, type PageRequest } from './list-transactions.ts';
import type { TransactionListing } from './listing.ts';

const { service, keys, record, number } = useMoney();
/** Single connection, so that its block-read statistics cover only the statements under test. */
let probe: Database;

const recordings = 10 * 24;
const rowsOfRecording = 40;

/**
 * Inserts one recording for each hour in a ten-day range. Each recording's rows are copies of the given
 * purchase, dated in that hour.
 */
const recordMany = (like: string) => sql`
  with recording as materialized (
    select n, left(gen_random_uuid()::text, 32) as id from generate_series(0, ${recordings - 1}) n
  ),
  waiting as (
    insert into unposted (publisher_id, recording_id, row_count)
    select 'aurora', (id || '0000')::uuid, ${rowsOfRecording} from recording
  )
  insert into attribution
  select (jsonb_populate_record(a, jsonb_build_object(
           'attribution_id', r.id || lpad(to_hex(row), 4, '0'), 'transaction_id', r.id || row,
           'transaction_date', a.transaction_date + (r.n * 60 + row) * interval '1 minute',
           'status', case when row = 7 then 'Refund' else 'Normal' end))).*
  from recording r
  cross join generate_series(1, ${rowsOfRecording}::int) row
  join attribution a on a.publisher_id = 'aurora' and a.transaction_id = ${like}`;

beforeAll(async () => {
  probe = openDatabase({
    connection: service().testDatabase.connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'probe',
    limits: backgroundLimits,
  });
  const owner = new pg.Client(service().testDatabase.ownerConnection);
  await owner.connect();
  await owner.query(`
    do $$ begin
      execute (select string_agg(format('alter table %s set (autovacuum_enabled = off)', oid::regclass), '; ')
               from pg_class
               where relkind = 'r' and relnamespace = 'public'::regnamespace);
    end $$`);
  // The statistics gathered here do not include the publisher under test.
  await record(
    Array.from({ length: 100 }, () => purchase({ code: 'RIVAL' })),
    { key: keys().rival },
  );
  await settleAll(probe.db);
  await owner.query('analyze');
  await owner.end();
  for (const [transactionId, code] of [
    ['like-alice', 'ALICE'],
    ['like-bob', 'BOB'],
  ] as const) {
    await record(purchase({ transactionId, code, transactionDate: '2026-01-01T00:00:00Z' }));
    await recordMany(transactionId).execute(probe.db);
  }
  await settleAll(probe.db);
});
afterAll(() => probe.close());

async function blocks(): Promise<bigint> {
  await sql`select pg_stat_force_next_flush()`.execute(probe.db);
  return number(sql`
    select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) as n
    from pg_statio_user_tables`);
}

const alice = { by: 'memberId', value: 'acc_alice' } as const;
const aliceCode = { by: 'code', value: 'alice' } as const;
const cursor: PageRequest = { kind: 'cursor', cursor: null };
const deep: PageRequest = { kind: 'number', page: 50 };

test.each<[string, Partial<TransactionListing>, PageRequest]>([
  ['a group’s first page', {}, cursor],
  ['a group’s page 50', {}, deep],
  ['a member’s first page', { member: alice }, cursor],
  ['a member’s page 50', { member: alice }, deep],
  ['a code’s first page', { member: aliceCode, exactCode: true }, cursor],
  ['a code’s page 50', { member: aliceCode, exactCode: true }, deep],
  ['the first page of Normal rows', { statuses: ['Normal'] }, cursor],
  ['page 50 of Normal rows, the oldest first', { statuses: ['Normal'], direction: 'asc' }, deep],
  ['page 50 of a date range', { startDate: new Date('2026-01-02T03:04:05Z') }, deep],
])(
  'reads %s by key even when the planner has no statistics about the publisher',
  async (_what, filters, page) => {
    const listing: TransactionListing = {
      publisherId: 'aurora',
      groupIds: ['main'],
      transactionIds: [],
      hasRefund: null,
      startDate: null,
      endDate: null,
      origins: [],
      statuses: [],
      currency: null,
      member: null,
      exactCode: false,
      direction: 'desc',
      pageSize: 100,
      ...filters,
    };
    const before = await blocks();
    const { rows } = await listTransactions(probe.db, testPages, listing, page);
    const blocksRead = Number((await blocks()) - before);
    expect(rows).toHaveLength(100);
    // Reading a row with its related rows takes about ten blocks. Reading all rows, or scanning an index for
    // each row, takes thousands.
    expect(blocksRead / rows.length).toBeLessThan(30);
  },
);
