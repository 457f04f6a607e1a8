import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLargeLedger } from '../../../test/large-ledger.ts';
import { operations } from '../../../test/money.ts';
import { testActor } from '../../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { updateTransactions } from '../../attributions/update-transactions.ts';
import { newRowId } from '../../platform/ids.ts';
import { countStatus } from '../count-status.ts';
import { type LedgerVerdict, type Progress, verifyLedgerSince } from './verify-ledger.ts';

const size = { rows: 100_000, days: 50, membersOfGroup: 50 };
const ofDays = size.days * 2;
/** Number of ledger entries: one for each member in each posting. */
const ofPostings = (size.rows / 5_000) * size.membersOfGroup * 2;
/**
 * Maximum time that a snapshot may stay open, or a fifth of the verification on a busy machine. On an idle machine, a
 * snapshot is open for a fraction of this time.
 */
const maxSnapshotMs = 2_000;

let made: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  made = await createTestDatabase();
  admin = new pg.Client(made.adminConnection);
  await admin.connect();
  await makeLargeLedger(admin, size);
}, 120_000);
afterAll(async () => {
  await admin?.end();
  await made?.drop();
});

const db = () => made.database.db;
const reported: Progress[] = [];
const verify = (all = false): Promise<LedgerVerdict> =>
  verifyLedgerSince(db(), {
    publisherId: null,
    all,
    savesProgress: true,
    onProgress: (progress) => reported.push(progress),
  });

/**
 * Measures, by sampling, the longest time in milliseconds that a transaction stays open during the given
 * work.
 */
async function watching<Result>(
  work: Promise<Result>,
): Promise<{ result: Result; longest: number; seen: number }> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let longest = 0;
  const transactions = new Set<number>();
  while (!isOver) {
    const { rows } = await admin.query<{ ms: number; began: number }>(`
      select extract(epoch from clock_timestamp() - xact_start)::float8 * 1000 as ms,
             extract(epoch from xact_start)::float8 as began
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`);
    for (const { ms, began } of rows) {
      longest = Math.max(longest, ms);
      transactions.add(began);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { result: await over, longest, seen: transactions.size };
}

test('a full verification never holds a snapshot for long, and reports its progress', async () => {
  const startedAtMs = performance.now();
  const { result, longest, seen } = await watching(verify());
  const tookMs = performance.now() - startedAtMs;
  expect(result).toMatchObject({
    isSound: true,
    days: ofDays,
    ofDays,
    entries: ofPostings + size.rows / 100,
    balances: 100,
  });
  expect(longest).toBeLessThan(Math.max(maxSnapshotMs, tookMs / 5));
  expect(seen, 'snapshots').toBeGreaterThan(3);
  const shares = reported.map(({ rows, ofRows }) => rows / ofRows);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.filter((share) => share > 0.1 && share < 0.9).length).toBeGreaterThan(10);
  expect(shares.at(-1)).toBe(1);
}, 120_000);

test('a second run reads only changed days and finds differences there; a full run finds them anywhere', async () => {
  await admin.query(`update ledger_check set rows_before = '${newRowId()}'`); // as if all rows were old
  expect(await verify()).toMatchObject({ isSound: true, days: 0, ofDays, rows: 0 });

  const [moved = '', sameDay = '', elsewhere = ''] = await threeRows();
  await refund(moved);
  const second = await verify();
  expect(second).toMatchObject({ isSound: true, days: 1, ofDays });
  if (second.isSound) expect(second.rows).toBeLessThan(size.rows / 1_000);

  await tamper(elsewhere, 1);
  await tamper(sameDay, 1);
  await admin.query(`update ledger_check set rows_before = '${newRowId()}'`);
  expect(await verify(), 'neither day changed').toMatchObject({ isSound: true, days: 0 });
  const [, alsoMoved = ''] = await threeRows();
  await admin.query(`update ledger_check set rows_before = '${newRowId()}'`);
  await refund(alsoMoved);
  expect(await verify()).toMatchObject({ isSound: false, row: `attribution ${sameDay}` });
  await tamper(sameDay, -1);
  expect(await verify(true)).toMatchObject({ isSound: false, row: `attribution ${elsewhere}` });
}, 120_000);

const refund = async (id: string) => {
  const { reversePayment } = operations;
  const { rows } = await admin.query<{ transaction_id: string }>(
    'select transaction_id from attribution where attribution_id = $1',
    [id],
  );
  await updateTransactions({ db: db(), reversePayment, countStatus }, testActor, {
    publisherId: 'large',
    transactionId: rows[0]?.transaction_id ?? '',
    action: 'Refund',
    playerId: null,
  });
};
const tamper = (id: string, by: number) =>
  admin.query(
    `update attribution set share_minor = share_minor + ${by} where publisher_id = 'large' and attribution_id = '${id}'`,
  );

/**
 * Returns three rows that were not refunded: two rows for one member on the first day, and one row on a later
 * day.
 */
async function threeRows(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select attribution_id as id
     from attribution
     where publisher_id = 'large' and status = 'Normal'
       and membership_id = (select membership_id from membership where publisher_id = 'large' order by membership_id limit 1)
       and transaction_date < '2026-01-02T00:00:00Z'
     order by attribution_id
     limit 2)
    union all
    (select attribution_id
     from attribution
     where publisher_id = 'large' and status = 'Normal' and transaction_date >= '2026-01-03T00:00:00Z'
     order by attribution_id
     limit 1)`.execute(db());
  return rows.map(({ id }) => id);
}
