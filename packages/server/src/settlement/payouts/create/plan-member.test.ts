import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeLargeLedger } from '../../../../test/large-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { findMemberships } from '../../../members/read/find-memberships.ts';
import { planMember } from './plan-member.ts';

/** Each member has 5,000 purchases in each of two groups, over 100 days. Of those of `acc_1`, 100 are refunded. */
const size = { rows: 30_000, days: 100, membersOfGroup: 3 };
let testDatabase: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  // With a single connection, the statistics about blocks are of the statements under test only.
  testDatabase = await createTestDatabase({ poolSize: 1, recordLanes: 1 });
  admin = new pg.Client(testDatabase.adminConnection);
  await admin.connect();
  await makeLargeLedger(admin, size);
});
afterAll(async () => {
  await admin.end();
  await testDatabase.drop();
});

/** Plans a payout of `acc_1`. @returns the amounts, the number of blocks read, and true if sums of days were read */
async function plan() {
  const { db } = testDatabase.database;
  const blocks = async (): Promise<bigint> => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ n: bigint }>`
      select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))::bigint as n
      from pg_statio_user_tables`.execute(db);
    return rows[0]?.n ?? 0n;
  };
  const before = await blocks();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { payables } = await db.transaction().execute(async (tx) => {
    const of = { publisherId: 'large', groupId: 'main' };
    const membershipIds = await findMemberships(tx, of.publisherId, of.groupId, {
      by: 'memberId',
      value: 'acc_1',
    });
    return planMember(tx, { ...of, membershipIds });
  });
  const readsSums = query.mock.calls.some(([text]: unknown[]) =>
    String(text).includes('from earning_rollup'),
  );
  query.mockRestore();
  const blocksRead = Number((await blocks()) - before);
  return {
    due: payables.map(({ name, rowCount, amountMinor }) => ({ name, rowCount, amountMinor })),
    blocksRead,
    readsSums,
  };
}

/** Adds purchases until `total` aren't posted yet. Half of them are another member's. */
async function recordUnposted(total: number): Promise<void> {
  await admin.query(
    `
    with recent as materialized (
      select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000c' || lpad(to_hex(n / 1000), 11, '0')
              || lpad(to_hex(n % 1000), 4, '0'))::uuid as attribution_id,
             'recent-' || n as transaction_id, 'acc_' || n % 2 as account_id
      from generate_series((select count(*)::int from attribution where transaction_id like 'recent-%'), $1 - 1) n
    ),
    waiting as (
      insert into unposted (publisher_id, recording_id, row_count)
      select 'large', (left(attribution_id::text, 32) || '0000')::uuid, count(*) from recent group by 2
    )
    insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
                             status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
                             group_share_millionths, share_millionths, share_minor, share_rule)
    select 'large', attribution_id, transaction_id, 0, 'main', membership_id, 'C1', 'x', 'Normal', false, 'api', 100, 'USD', 100,
           'USD', now() - interval '1 day', 100000, 100000, 10, 'group'
    from recent
    join membership m on m.publisher_id = 'large' and m.group_id = 'main' and m.account_id = recent.account_id`,
    [total],
  );
}

/** Adds creators to the group who have a tax clearance and are on hold. */
async function clearOthers(count: number): Promise<void> {
  await admin.query(`
    create temporary table other as select 'other_' || n as id from generate_series(1, ${count}) n;
    insert into creator_account (account_id, name) select id, id from other;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'large', gen_random_uuid(), 'main', id, 'Approved' from other;
    insert into payee_gate (publisher_id, gate_id, account_id, kind, note, from_at, set_at, set_by_kind, set_by_id, set_by_name)
    select 'large', gen_random_uuid(), id, 'tax', 'cleared', now(), now(), 'staff', '1', 'Finn' from other;
    insert into payment_hold (publisher_id, hold_id, subject, number, account_id, reason, placed_at, placed_by_kind,
                              placed_by_id, placed_by_name)
    select 'large', gen_random_uuid(), 'creator:' || id, 1, id, 'dispute', now(), 'staff', '1', 'Finn' from other;
    analyze membership, payee_gate, payment_hold`);
}

test('reads sums of days instead of a member’s unpaid rows, unless posting is far behind', async () => {
  const posted = await plan();
  expect(posted).toMatchObject({ due: [{ name: 'Member 1', rowCount: 4_900 }], readsSums: true });
  expect(posted.blocksRead, 'reading the rows takes more than 10,000 blocks').toBeLessThan(1_500);

  await recordUnposted(100);
  const behind = await plan();
  expect(behind).toMatchObject({ due: posted.due, readsSums: true });
  expect(behind.blocksRead).toBeLessThan(1_500);

  await clearOthers(1_000);
  const cleared = await plan();
  expect(cleared).toMatchObject({ due: posted.due, readsSums: true });
  expect(cleared.blocksRead, 'reading gates of all creators takes more than 3,000').toBeLessThan(1_500);

  await recordUnposted(10_001);
  expect(await plan()).toMatchObject({ due: posted.due, readsSums: false });
});
