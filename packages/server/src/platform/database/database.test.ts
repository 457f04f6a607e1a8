import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { asAdmin, connect, createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { requestLimits } from './connections/limits.ts';
import { type Database, type DatabaseOptions, type Db, openDatabase } from './database.ts';
import { unavailability } from './database-errors.ts';
import { inTransaction } from './in-transaction.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

function open(options: Partial<DatabaseOptions> = {}): Database {
  const { connection } = testDatabase;
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'limited',
    ...options,
  });
  onTestFinished(() => database.close());
  return database;
}

async function busyQueries(watcher: pg.Client): Promise<string[]> {
  const { rows } = await watcher.query<{ query: string }>(
    "select query from pg_stat_activity where application_name = 'limited' and state <> 'idle'",
  );
  return rows.map(({ query }) => query);
}

const sleep = sql`select pg_sleep(20)`;
const reasonOf = (promise: Promise<unknown>): Promise<string | null> =>
  promise.then(
    () => 'done',
    (error) => unavailability(error),
  );

describe('a connection without a response in time', () => {
  const limits = { ...requestLimits, statementMs: 60_000, answerMs: 150 };

  test.each([
    ['a query', (database: Database) => sleep.execute(database.db)],
    ['a transaction', (database: Database) => inTransaction(database.db, (tx) => sleep.execute(tx))],
  ])('is closed and its query canceled, and the next caller does not wait: %s', async (_what, work) => {
    const watcher = await connect(testDatabase.connection);
    const database = open({ limits });
    const startedAtMs = performance.now();
    expect(await reasonOf(work(database))).toBe('unreachable');
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.db);
    expect(rows).toEqual([{ one: 1 }]);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    await until('the query to be canceled', async () => (await busyQueries(watcher)).length === 0);
    // Without cancellation, client_connection_check_interval would end the query after five seconds.
    expect(performance.now() - startedAtMs).toBeLessThan(4_000);
  });

  test.each([
    ['a statement by itself', (db: Db) => sql`insert into lasting values (1)`.execute(db)],
    ['a transaction', (db: Db) => inTransaction(db, (tx) => sql`insert into lasting values (1)`.execute(tx))],
  ])('is closed, and its commit still completes: %s', async (_what, work) => {
    const owner = await connect(testDatabase.ownerConnection);
    await owner.query(`
      create table lasting (one int not null);
      grant all on lasting to public;
      create function take_a_second() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end';
      create constraint trigger lasts after insert on lasting deferrable initially deferred
        for each row execute function take_a_second()`);
    onTestFinished(() =>
      owner.query('drop table lasting; drop function take_a_second').then(() => undefined),
    );
    const database = open({ limits });
    expect(await reasonOf(work(database.db))).toBe('unreachable');
    await until('it to be there', async () => (await owner.query('select 1 from lasting')).rowCount === 1);
  });

  test('gets only the time that its request has left, and then sends nothing', async () => {
    const database = open({ requestMs: 200 });
    const outcomes: (string | null)[] = [];
    const startedAtMs = performance.now();
    await new Promise<void>((resolve) =>
      database.forPublisher('aurora', async () => {
        outcomes.push(await reasonOf(sleep.execute(database.db)));
        outcomes.push(await reasonOf(sql`select 1`.execute(database.db)));
        resolve();
      }),
    );
    expect(outcomes).toEqual(['unreachable', 'unreachable']);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });
});

describe('the server ends', () => {
  const limits = { ...requestLimits, lockMs: 100, statementMs: 200 };

  test('a statement that takes too long, and the connection stays usable', async () => {
    const database = open({ limits });
    expect(await reasonOf(sleep.execute(database.db))).toBe('busy');
    expect(await reasonOf(inTransaction(database.db, (tx) => sleep.execute(tx)))).toBe('busy');
    const { total } = database.usage();
    await sql`select 1`.execute(database.db);
    expect([total, database.usage().total]).toEqual([1, 1]);
  });

  test('a wait for a lock that takes too long', async () => {
    const holder = await connect(testDatabase.connection);
    await holder.query('begin');
    await holder.query('lock table publisher');
    const database = open({ limits: { ...limits, statementMs: 10_000 } });
    const startedAtMs = performance.now();
    expect(await reasonOf(sql`select 1 from publisher`.execute(database.db))).toBe('busy');
    expect(performance.now() - startedAtMs).toBeLessThan(1_500);
    await holder.query('rollback');
  });

  test('a transaction that has been idle for too long', async () => {
    const database = open({ limits: { ...limits, idleInTransactionMs: 100 } });
    const forgotten = inTransaction(database.db, async (tx) => {
      await sql`select 1`.execute(tx);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await sql`select 1`.execute(tx);
    });
    expect(await reasonOf(forgotten)).toBe('unreachable');
  });
});

test('does not depend on the defaults of the database and role', async () => {
  const admin = await connect(testDatabase.ownerConnection);
  const { rows } = await admin.query('select quote_ident(current_database()) as name');
  const strange = {
    DateStyle: 'German, DMY',
    TimeZone: 'Asia/Kathmandu',
    default_transaction_isolation: 'serializable',
    lock_timeout: '1ms',
    statement_timeout: '200ms',
    idle_in_transaction_session_timeout: '1ms',
    array_nulls: 'off',
    extra_float_digits: '-10',
    bytea_output: 'escape',
    IntervalStyle: 'sql_standard',
  };
  for (const [name, value] of Object.entries(strange))
    await admin.query(`alter database ${rows[0].name} set ${name} = '${value}'`);
  onTestFinished(() => asAdmin(`alter database ${rows[0].name} reset all`));
  const database = open();
  for (const read of [database.db, database.lookups, database.background]) {
    const { rows } = await sql`
      select ${new Date('2026-02-03T04:05:06.789Z')}::timestamptz as at, '\\x00ff'::bytea as bytes,
             ${[null, 'NULL', 'null']}::text[] as words, 0.1::float8 + 0.2::float8 as number,
             current_setting('transaction_isolation') as isolation, pg_sleep(0.3)::text as slept`.execute(
      read,
    );
    expect(rows).toEqual([
      {
        at: new Date('2026-02-03T04:05:06.789Z'),
        bytes: Buffer.from([0, 255]),
        words: [null, 'NULL', 'null'],
        number: 0.1 + 0.2,
        isolation: 'read committed',
        slept: '',
      },
    ]);
  }
  await inTransaction(database.db, async (tx) => {
    await sql`select 1`.execute(tx);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await sql`select 1`.execute(tx);
  });
});

test('gives other publishers their turn while one publisher floods the database', async () => {
  const database = open({ poolSize: 5, limits: { ...requestLimits, connectMs: 10_000 } });
  const ask = (publisherId: string, seconds: number): Promise<number> =>
    new Promise((resolve) => {
      const startedAtMs = performance.now();
      database.forPublisher(publisherId, async () => {
        await sql`select pg_sleep(${seconds})`.execute(database.db);
        resolve(performance.now() - startedAtMs);
      });
    });
  await Promise.all(Array.from({ length: 5 }, (_, index) => ask(`warm-${index}`, 0.01)));
  const hundred = Array.from({ length: 100 }, () => ask('greedy', 0.05));
  await ask('other', 0);
  const others: number[] = [];
  for (let times = 0; times < 10; times += 1) others.push(await ask('quiet', 0));
  expect(Math.max(...others)).toBeLessThan(150);
  expect(database.usage().waiting).toBeGreaterThan(0); // the greedy publisher is still waiting
  await Promise.all(hundred);
});

test('shares one readiness check among concurrent callers', async () => {
  const database = open();
  await Promise.all(Array.from({ length: 50 }, () => database.checkReadiness()));
});
