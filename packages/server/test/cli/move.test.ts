import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { killLeftovers, spawnAttribution, startServer, until } from '../attribution-process.ts';
import { makeDataFolder } from '../data-folder.ts';
import { createEmptyDatabase, databaseUrl, type EmptyDatabase, urlsOf } from '../database-url.ts';
import { auroraProgram } from '../fixtures.ts';
import { makeLargeLedger } from '../large-ledger.ts';
import { runInProcess } from '../run-in-process.ts';
import { connect, createTestDatabase, type TestDatabase } from '../test-database.ts';

let source: TestDatabase;
let admin: pg.Client;

const words = ({ connection, ownerConnection }: Pick<EmptyDatabase, 'connection' | 'ownerConnection'>) => [
  'move',
  `--to=${databaseUrl(connection)}`,
  `--to-owner=${databaseUrl(ownerConnection)}`,
];
const move = (target: EmptyDatabase, changes: Record<string, string> = {}) =>
  runInProcess(words(target), { environment: { ...urlsOf(source), ...changes } });

async function emptyDatabase(): Promise<EmptyDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return database;
}

/** Reads every row of every table, independently of the code under test. */
async function contents(client: pg.Client): Promise<Record<string, unknown>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'schema_migration'`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(`select to_jsonb(t)::text as row from ${name} t order by 1`);
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

/** Reads indexes, constraints, partitions and privileges from PostgreSQL. */
async function made(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    select pg_get_indexdef(i.indexrelid) as made from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid not in (select oid from pg_class where relispartition)
    union all
    select relname || ' ' || coalesce(relacl::text, '') from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`);
  return rows;
}

const partitions = async (client: pg.Client): Promise<unknown[]> =>
  (
    await client.query(`
      select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class
      where relispartition and relkind = 'r' order by 1`)
  ).rows;

beforeAll(async () => {
  source = await createTestDatabase();
  admin = new pg.Client(source.adminConnection);
  await admin.connect();
  const environment = urlsOf(source);
  await runInProcess(['provision', '-'], { environment, input: auroraProgram });
  const added = await runInProcess(
    ['webhooks', 'add', '--publisher', 'aurora', '--url', 'https://example.com/hook'],
    { environment },
  );
  expect(added).toMatchObject({ code: 0 });
  await makeLargeLedger(admin, { rows: 3_000, days: 9, membersOfGroup: 5 });
  // Simulates a table that was last extended on another day and therefore lacks the partitions that migrating
  // creates today.
  await admin.query(`
    drop table refused_request_before;
    create table refused_request_long_ago partition of refused_request for values from (minvalue) to ('01900000-0000-0000-0000-000000000000');
    insert into refused_request (publisher_id, refused_id, at, key_id, method, route, status, code, message, request_id, address)
    select 'aurora', '018f0000-0000-7000-8000-000000000000', now(), 'k', 'POST', '/v1', 400, 'Bad', E'tab\\tline\\nend \\\\.', 'r', ''`);
  await admin.end();
  admin = new pg.Client(source.adminConnection);
  await admin.connect();
});
afterEach(killLeftovers);
afterAll(async () => {
  await admin.end();
  await source.drop();
});

test('copies all rows, partitions and sealed secrets, and the service’s privileges', async () => {
  const [target, fresh] = [await emptyDatabase(), await createTestDatabase()];
  onTestFinished(fresh.drop);
  const { code, stdout, stderr } = await move(target);
  expect(stderr).toMatch(/^attribution: 3,000 rows, \d+\.\d MB \(.* rows per second\)\.$/m);
  expect(stderr).toMatch(/^Every table has the same rows in both databases\.$/m);
  expect(stdout).toMatch(/^Moved [\d,]+ rows of \d+ tables: copied in .* s, indexed in .* s, compared in/m);
  expect(stdout).toMatch(/^The ledger is correct: .* entries, \d+ balances\.$/m);
  expect(stdout).toMatch(/^`doctor` found no problems with the new database\.$/m);
  expect(code).toBe(0);

  const [there, untouched] = [await connect(target.ownerConnection), await connect(fresh.ownerConnection)];
  expect(await contents(there)).toEqual(await contents(admin));
  expect(await partitions(there)).toEqual(await partitions(admin));
  expect(await made(there)).toEqual(await made(untouched));
  expect(await runInProcess(['doctor'], { environment: urlsOf(target) })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ok +secrets .*All secrets are sealed with the first key/),
  });
});

test('a target that contains rows is rejected and not changed', async () => {
  const target = await createTestDatabase();
  onTestFinished(target.drop);
  const client = await connect(target.adminConnection);
  await client.query(`insert into publisher (publisher_id, name) values ('other', 'Other')`);
  const before = [await contents(client), await made(client)];
  expect(await move(target)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /The target is not empty: it contains rows in publisher\. The target was not changed/,
    ),
  });
  expect([await contents(client), await made(client)]).toEqual(before);
});

test('a different schema, a wrong key and an invalid URL are rejected', async () => {
  const target = await createTestDatabase();
  onTestFinished(target.drop);
  const client = await connect(target.adminConnection);
  await client.query(
    `insert into schema_migration (name, sha256, oldest_program) values ('9999_later.sql', 'x', '0.2.0')`,
  );
  expect(await move(target)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/different schemas: migration 9999_later\.sql differs/),
  });
  const empty = await emptyDatabase();
  const other = Buffer.alloc(32, 'other').toString('base64');
  expect(await move(empty, { SECRETS_KEY: other })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/secret\(s\) are sealed with a key that is not in SECRETS_KEY/),
  });
  expect(await contents(await connect(empty.ownerConnection))).toEqual({});
  expect(await runInProcess(['move', '--to', 'a'], { environment: urlsOf(source) })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--to/),
  });
});

test('a source that is in use is rejected', async () => {
  const target = await emptyDatabase();
  const other = new pg.Client(source.connection);
  await other.connect();
  expect(await move(target)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/in use: .* have 1 other connection\(s\).*Stop every service process/),
  });
  await other.end();
  expect(await contents(await connect(target.ownerConnection))).toEqual({});
});

test('it resumes after being killed while copying or creating indexes, and detects changes made meanwhile', async () => {
  const target = await emptyDatabase();
  const environment = urlsOf(source);
  const [holder, there] = [await connect(source.adminConnection), await connect(target.ownerConnection)];
  const done = async (): Promise<string[]> => {
    const { rows } = await there.query('select name from unfinished_move_table order by name');
    return rows.map(({ name }) => name);
  };
  const waiting = async (client: pg.Client): Promise<boolean> =>
    (
      await client.query(
        `select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount === 1;

  await holder.query('begin; lock table posting');
  const first = spawnAttribution(words(target), { environment });
  await until('the move to be in the middle of the tables', () => waiting(holder));
  first.kill('SIGKILL');
  await first.ended;
  await holder.query('rollback');
  expect(await done()).toContain('attribution');
  expect(await done()).not.toContain('posting');
  expect(
    await runInProcess(['keys', 'list', '--publisher', 'aurora'], { environment: urlsOf(target) }),
  ).toMatchObject({ code: 1, stderr: expect.stringMatching(/a move to it has not finished/) });
  await until('its connections to be gone', async () => {
    const { rows } = await there.query(
      `select from pg_stat_activity where application_name = 'attribution-move'`,
    );
    return rows.length === 0;
  });

  await there.query('begin; lock table membership in row exclusive mode');
  const second = spawnAttribution(words(target), { environment });
  await until('the move to be at the indexes', () => waiting(there));
  expect(second.stderr()).toMatch(
    /Continuing an unfinished move[\s\S]*^attribution: 3,000 rows were already copied/m,
  );
  second.kill('SIGKILL');
  await second.ended;
  await there.query('rollback');

  await admin.query(`update creator_account set name = 'Changed' where account_id = 'acc_alice'`);
  expect(await move(target)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /Table creator_account differs between the databases \(\d+ rows in the old one/,
    ),
  });
  await admin.query(`update creator_account set name = 'Alice' where account_id = 'acc_alice'`);
  expect(await move(target)).toMatchObject({ code: 0 });
  expect(await contents(there)).toEqual(await contents(admin));
  expect(await move(target)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The target is not empty/),
  });
});

test('moves an embedded database after its service stopped; the key in its folder opens the copied secrets', async () => {
  const [folder, target] = [makeDataFolder(), await emptyDatabase()];
  onTestFinished(() => folder.remove());
  const environment = { DATA_DIR: folder.path };
  await runInProcess(['provision', '-'], { environment, input: auroraProgram }); // otherwise startup creates a demo
  const server = await startServer(environment);
  const moveIt = () => runInProcess(words(target), { environment });
  expect(await moveIt()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already running in this folder.*Stop it first/),
  });
  server.kill('SIGTERM');
  await server.ended;
  const { code, stdout } = await moveIt();
  expect(stdout).toMatch(/the contents of .*secrets\.key/);
  expect(stdout).toMatch(/^`doctor` found no problems with the new database\.$/m);
  expect(code).toBe(0);
});
