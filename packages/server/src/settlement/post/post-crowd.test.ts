import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleAll, useMoney } from '../../../test/money.ts';
import { backgroundLimits } from '../../platform/database/connections/limits.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { pinLookUps, pinPlans } from '../pin-plans.ts';

const money = useMoney();
const members = 20_000;
const rounds = 2;
const rowsOfRecording = 32;
let posting: Database;

/**
 * Creates thousands of members with two unposted purchases each. The planner has statistics on the rows, but
 * none on balances and rollups.
 */
beforeAll(async () => {
  const { connection, ownerConnection } = money.service().testDatabase;
  // If the longest statement looks up rows by key, it takes a tenth of this time on a quiet machine.
  posting = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'posting',
    limits: { ...backgroundLimits, statementMs: 30_000 },
  });
  const owner = new pg.Client(ownerConnection);
  await owner.connect();
  try {
    await owner.query(`
      do $$ begin
        execute (select string_agg(format('alter table %s set (autovacuum_enabled = off)', oid::regclass), '; ')
                 from pg_class
                 where relkind = 'r' and relnamespace = 'public'::regnamespace);
      end $$;
      insert into publisher (publisher_id, name) values ('crowd', 'Crowd');
      insert into creator_group (publisher_id, group_id, name, share_millionths, hold_days) values ('crowd', 'main', 'Main', 100000, 0);
      insert into creator_account (account_id, name) select 'acc_crowd_' || n, 'Member ' || n from generate_series(1, ${members}) n;
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      select 'crowd', ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'main', 'acc_crowd_' || n, 'Approved'
      from generate_series(1, ${members}) n;
      create temporary table bought as
      select n, timestamptz '2026-01-01Z' + n / ${members} * interval '1 hour' as at,
             ('01900000-0000-7000-8000-' || lpad(to_hex(1 + n % ${members}), 12, '0'))::uuid as membership_id,
             '01a00000-0000-7000-a' || lpad(to_hex(n / ${rowsOfRecording} / 4096), 3, '0') || '-' || lpad(to_hex(n / ${rowsOfRecording}), 8, '0') as recording
      from generate_series(0, ${members * rounds} - 1) n;
      insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
                               status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
                               group_share_millionths, share_millionths, share_minor, share_rule)
      select 'crowd', (recording || lpad(to_hex(n % ${rowsOfRecording}), 4, '0'))::uuid, 'order-' || n, 0, 'main', membership_id, 'C', 'x',
             'Normal', false, 'api', 1000, 'USD', 1000, 'USD', at, 100000, 100000, 100, 'group'
      from bought;
      insert into unposted (publisher_id, recording_id, row_count)
      select 'crowd', (recording || '0000')::uuid, count(*) from bought group by recording;
      analyze`);
  } finally {
    await owner.end();
  }
});
afterAll(() => posting.close());

/*
 * Posting forbids hash joins (`pinLookUps`), so that it never reads all of a publisher's balances and rollups. What remains
 * is fast only if they are looked up by their whole key, which `looksRareToPlanner` ensures, in ledger.ts for balances and
 * in post-rows.ts for rollups: without either, this test times out. It says nothing about `pinLookUps` itself, because a
 * hash join of this many rows is fast, too. The test below does.
 */
test('posting for thousands of members looks up balances and rollups by their whole key, without statistics', async () => {
  expect(await settleAll(posting.db)).toBe(members * rounds);
  await money.expectSound();
});

test('pinned look-ups read joined rows one by one by key, also if the statistics favor reading all of them', async () => {
  await settleAll(posting.db);
  const owner = new pg.Client(money.service().testDatabase.ownerConnection);
  await owner.connect();
  await owner.query('analyze member_balance, membership');
  await owner.end();
  expect((await planOfJoin(pinPlans))['Node Type']).toMatch(/Hash|Merge/);
  const { 'Node Type': node, Plans: [, inner] = [] } = await planOfJoin(pinLookUps);
  expect(node).toBe('Nested Loop');
  expect(inner?.['Node Type']).toMatch(/^Index/);
  expect(inner?.['Index Cond']).toMatch(/membership_id = \w+\.membership_id/);
});

interface PlanNode {
  'Node Type': string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Returns the plan of a join of all members with their balances. */
const planOfJoin = (pin: RawBuilder<unknown>): Promise<PlanNode> =>
  money
    .db()
    .transaction()
    .execute(async (tx) => {
      await sql`select ${pin}`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
        explain (format json)
        select b.balance_minor
        from membership m
        join member_balance b
          on b.publisher_id = 'crowd' and b.membership_id = m.membership_id and b.currency = 'USD'
        where m.publisher_id = 'crowd'`.execute(tx);
      return rows[0]?.['QUERY PLAN'][0].Plan ?? { 'Node Type': 'none' };
    });
