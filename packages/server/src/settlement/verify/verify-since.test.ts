import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Earned, useMoney } from '../../../test/money.ts';
import { backgroundLimits } from '../../platform/database/connections/limits.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { newRowId } from '../../platform/ids.ts';
import { type LedgerVerdict, type VerifyOptions, verifyLedgerSince } from './verify-ledger.ts';

const money = useMoney();
const { earn, settle, create, patch, db } = money;
/** Superuser connection, which can make changes that the service's role cannot. */
let admin: pg.Client;

const verify = (options: Partial<VerifyOptions> = {}): Promise<LedgerVerdict> =>
  verifyLedgerSince(db(), { publisherId: null, all: false, savesProgress: true, ...options });
const tamper = async (statement: string): Promise<void> => {
  expect((await admin.query(statement)).rowCount, 'exactly one row is broken').toBe(1);
};

const earnOn = (day: number, amount: number, member: 'A' | 'B' = 'A', changes: object = {}) =>
  earn('since', member, amount, {
    transactionDate: `2024-03-${String(day).padStart(2, '0')}T10:00:00Z`,
    ...changes,
  });
/** Makes existing rows look old, because each run compares the rows of the last few minutes again. */
const age = () => admin.query(`update ledger_check set rows_before = '${newRowId()}'`);
const rowOf = ({ id }: Earned): string => `publisher_id = 'aurora' and attribution_id = '${id}'`;
const shareOf = (id: string, by: number) =>
  tamper(`update attribution set share_minor = share_minor + ${by} where attribution_id = '${id}'`);
const rows: Earned[] = [];
const savedTables = ['earning_rollup', 'group_rollup', 'transaction_count', 'member_balance', 'ledger_entry'];

beforeAll(async () => {
  await money.makeGroup('since');
  for (let day = 1; day <= 9; day += 1) rows.push(await earnOn(day, 100 + day));
  rows.push(await earnOn(9, 1));
  await settle();
  const [payout] = await create('since');
  await money.cancel(payout?.batchId ?? '');
  admin = new pg.Client(money.service().testDatabase.adminConnection);
  await admin.connect();
  await admin.query("set session_replication_role = 'replica'");
});
afterAll(() => admin?.end());
beforeEach(async () => {
  expect(await verify({ all: true })).toMatchObject({ isSound: true });
  await age();
});

const row = (index: number): Earned => rows[index] ?? expect.fail('there is no such row');

describe('a second run', () => {
  test('without changes reads no day, payout or row, and adds up all balances', async () => {
    expect(await verify()).toMatchObject({
      isSound: true,
      days: 0,
      ofDays: 9,
      payouts: 0,
      rows: 0,
      balances: 1,
    });
    expect(await verify({ all: true })).toMatchObject({
      isSound: true,
      days: 9,
      ofDays: 9,
      payouts: 1,
      ofPayouts: 1,
    });
  });

  test('compares the days of a posted row and a refunded row, for their member only', async () => {
    await earnOn(1, 5, 'B');
    await settle();
    await patch(row(1).transactionId, { form: { action: 'Refund' } });
    // One day has two members, one of whom is unchanged. The hourly check also reads all of the other day,
    // and reads the new row twice, by its id and by its posting.
    expect(await verify()).toMatchObject({ isSound: true, days: 2, ofDays: 9, payouts: 0, rows: 5 });
    expect(await verify()).toMatchObject({ isSound: true, days: 0 });
  });

  test('compares the days of a reversed row and a Test row whose status changed', async () => {
    const test = await earnOn(2, 5, 'A', { status: 'Test' });
    await settle();
    expect(await verify()).toMatchObject({ isSound: true, days: 1, ofDays: 9 });
    await patch(row(1).transactionId, { form: { action: 'Fraud' } });
    expect(await verify()).toMatchObject({ isSound: true, days: 1 });
    await patch(test.transactionId, { form: { action: 'Chargeback' } });
    expect(await verify()).toMatchObject({ isSound: true, days: 1 });
    expect(await verify()).toMatchObject({ isSound: true, days: 0 });
  });

  test('compares a payout when it is created or canceled, but not when it is marked as paid', async () => {
    const [made] = await create('since');
    expect(await verify()).toMatchObject({ isSound: true, days: 0, payouts: 1 });
    expect(await verify()).toMatchObject({ isSound: true, payouts: 0 });
    await money.cancel(made?.batchId ?? '');
    expect(await verify()).toMatchObject({ isSound: true, payouts: 1 });
    const [paid] = await create('since');
    expect(await verify()).toMatchObject({ isSound: true, payouts: 1 });
    await money.markPaid(paid?.batchId ?? '');
    expect(await verify()).toMatchObject({ isSound: true, payouts: 0 });
    await money.clawBack(row(2).id, 'Fraud');
    expect(await verify()).toMatchObject({ isSound: true, days: 1, payouts: 0 });
  });

  test('finds a row that was unposted before and has disappeared from the queue', async () => {
    const { id } = await earnOn(2, 5);
    expect(await verify()).toMatchObject({ isSound: true });
    await tamper('delete from unposted');
    expect(await verify()).toMatchObject({
      isSound: false,
      row: expect.stringMatching(/^recording/),
      rows: [id],
    });
    await admin.query(
      `insert into unposted select publisher_id, (left(attribution_id::text, 32) || '0000')::uuid, 1 from attribution where ` +
        rowOf({ id, transactionId: '' }),
    );
    await settle();
  });
});

test('a run reads only postings since the last run', async () => {
  await admin.query(`
    insert into posting (publisher_id, posting_id, posted_at, earliest_date, recording_ids)
    select 'aurora', ('0180a000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), now(), array[gen_random_uuid()]
    from generate_series(1, 3000) n`);
  await earnOn(8, 5);
  await age();
  await settle();
  const before = await postingsRead();
  const own = openDatabase({
    connection: money.service().testDatabase.connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'verifying',
    limits: backgroundLimits,
  });
  const options = { publisherId: null, all: false, savesProgress: true };
  expect(await verifyLedgerSince(own.db, options)).toMatchObject({ isSound: true, days: 1 });
  await sql`select pg_stat_force_next_flush()`.execute(own.db);
  await own.close();
  expect((await postingsRead()) - before).toBeLessThan(100);
  await admin.query("delete from posting where posting_id < '0190a000-0000-7000-8000-000000000000'");
});

/**
 * Counts the postings read so far with any plan, according to the statistics that connections have reported.
 */
async function postingsRead(): Promise<number> {
  const { rows } = await admin.query<{ n: string }>(
    "select idx_tup_fetch + seq_tup_read as n from pg_stat_user_tables where relname = 'posting'",
  );
  return Number(rows[0]?.n);
}

describe('tampering', () => {
  test('is found by a full run, and by every later run until it is fixed', async () => {
    const { id } = row(4);
    await shareOf(id, -1);
    expect(await verify(), 'its day is unchanged').toMatchObject({ isSound: true, days: 0 });
    await age();
    const broken = {
      isSound: false,
      rule: expect.stringMatching(/its percentage of the subtotal/),
      row: `attribution ${id}`,
    };
    expect(await verify({ all: true, savesProgress: false })).toMatchObject(broken);
    expect(await verify(), 'nothing was saved').toMatchObject({ isSound: true });
    expect(await verify({ all: true })).toMatchObject(broken);
    expect(await verify()).toMatchObject(broken);
    await shareOf(id, +1);
    expect(await verify()).toMatchObject({ isSound: true, days: 9 });
  });

  test('is found by the next run if its member has since earned on the same day', async () => {
    await earnOn(9, 7);
    await settle();
    const { id } = row(9);
    await shareOf(id, -1);
    expect(await verify()).toMatchObject({ isSound: false, row: `attribution ${id}` });
    await shareOf(id, +1);
  });

  test.each([
    ['of a rollup', "delete from earning_rollup where day = '2024-03-05'", /a rollup is/],
    ["of a group's day", "delete from group_rollup where day = '2024-03-05'", /of a group's day/],
    [
      'of an hour',
      "update transaction_count set all_count = all_count + 1 where hour = '2024-03-05T10:00Z'",
      /of an hour match/,
    ],
    [
      'of a balance',
      'update member_balance set balance_minor = balance_minor + 1 where balance_minor > 5',
      /a balance is/,
    ],
    [
      "of a new row's rollup",
      "update earning_rollup set gross_minor = gross_minor + 1 where day = '2024-03-20'",
      /a rollup is/,
    ],
    [
      "of a new posting's entry",
      `update ledger_entry set amount_minor = amount_minor + 1
       where subject_id = (select posting_id from posting order by posted_at desc, posting_id desc limit 1)`,
      /a posting's entry for a member/,
    ],
  ])('%s is found by the next run', async (_what, statement, rule) => {
    await earnOn(20, 3, 'B');
    await settle();
    for (const table of savedTables)
      await admin.query(`create table kept_${table} as select * from ${table}`);
    await tamper(statement);
    expect(await verify()).toMatchObject({ isSound: false, rule: expect.stringMatching(rule) });
    for (const table of savedTables)
      await admin.query(
        `delete from ${table}; insert into ${table} select * from kept_${table}; drop table kept_${table}`,
      );
  });
});

test('after an interrupted full run, the next run walks through all rows, but not the compared days', async () => {
  const { id } = row(5);
  await tamper(
    `update refund_record set attribution_id = '${id}' where attribution_id = '${row(1).id}' and reverses_money`,
  );
  const interrupted = new Error('interrupted');
  const stop = verify({
    all: true,
    limits: { rows: 4, snapshotMs: 0 },
    onProgress: ({ rows }) => {
      if (rows > 8) throw interrupted; // the days are compared, and the scan of the rows has not started
    },
  });
  await expect(stop).rejects.toBe(interrupted);
  const next = await verify();
  expect(next).toMatchObject({ isSound: false, rule: expect.stringMatching(/one refund record/) });
  await tamper(`update refund_record set attribution_id = '${row(1).id}' where attribution_id = '${id}'`);
});

test('a single publisher can be verified', async () => {
  expect(await verify({ all: true, publisherId: 'rival' })).toMatchObject({
    isSound: true,
    publishers: 1,
    rows: 0,
  });
  expect(await verify({ all: true, publisherId: 'aurora' })).toMatchObject({
    isSound: true,
    publishers: 1,
    ofDays: 10,
  });
  await expect(verify({ publisherId: 'missing' })).rejects.toThrow('There is no publisher missing.');
});

test('small pieces with separate snapshots find the same differences', async () => {
  const tiny = { rows: 1, snapshotMs: 0 };
  expect(await verify({ all: true, limits: tiny })).toMatchObject({ isSound: true, ofDays: 10 });
  await tamper(`update payment set payout_batch_id = null where ${rowOf(row(7))}`);
  expect(await verify({ all: true, limits: tiny })).toMatchObject({
    isSound: false,
    rule: expect.stringMatching(/are the sum of the rows/),
  });
});
