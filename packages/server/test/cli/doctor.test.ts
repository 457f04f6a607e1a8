import type pg from 'pg';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { killLeftovers, runAttribution, startServer } from '../attribution-process.ts';
import { createEmptyDatabase, databaseUrl } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { makeStartedFolder } from '../started-folder.ts';
import { connect, createTestDatabase } from '../test-database.ts';

interface Finding {
  check: string;
  state: string;
  message: string;
}

const folder = await makeStartedFolder();
afterEach(killLeftovers);
afterAll(() => folder.remove());

const examine = async (environment: Record<string, string>) => {
  const { code, stdout, stderr } = await runInProcess(['doctor', '--json'], { environment });
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { code, findings, of: (check: string) => findings.find((finding) => finding.check === check) };
};
const at = (connection: pg.ClientConfig) => ({ DATABASE_URL: databaseUrl(connection) });

test('a healthy database passes, as text and as JSON', async () => {
  const { connection, drop } = await createTestDatabase({ isDurable: true });
  onTestFinished(drop);
  const { code, findings } = await examine(at(connection));
  expect(code).toBe(0);
  const checks = ['database', 'version', 'encoding', 'extensions', 'schema', 'clock', 'fsync', 'role'];
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(checks));
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);

  const words = await runAttribution(['doctor'], { environment: at(connection) });
  expect(words).toMatchObject({ code: 0, stderr: '' });
  for (const { check, message } of findings) expect(words.stdout).toContain(`${check.padEnd(20)} ${message}`);
});

test('stored data is reported, and partitions that run out', async () => {
  const { connection, ownerConnection, drop } = await createTestDatabase({ isDurable: true });
  onTestFinished(drop);
  const owner = await connect(ownerConnection);
  await owner.query(
    "insert into publisher (publisher_id, name, sandbox_of) values ('aurora', 'Aurora', null), ('tried', 'Tried', 'aurora')",
  );
  await owner.query(`
    insert into webhook_event (publisher_id, event_id, kind, created_at, event)
    select case when n <= 900 then 'aurora' else 'tried' end,
           overlay(gen_random_uuid()::text placing left(first_id_of((now() at time zone 'UTC')::date)::text, 13) from 1 for 13)::uuid,
           'GroupManagement/NewMember', date_trunc('milliseconds', now()), repeat('x', 1000)
    from generate_series(1, 1000) as n`);
  const healthy = await examine(at(connection));
  expect(healthy.of('partitions')).toMatchObject({
    state: 'ok',
    message: 'There are partitions for the next 8 days.',
  });
  const said = healthy.of('disk')?.message ?? '';
  const megabytes = (name: string): number => Number(new RegExp(`\\b${name} ([\\d.]+) MB`).exec(said)?.[1]);
  expect([said, megabytes('webhooks') > 1.2]).toEqual([said, true]);
  expect(megabytes('aurora') / megabytes('tried \\(sandbox\\)')).toBeGreaterThan(4);
  expect(megabytes('aurora') / megabytes('tried \\(sandbox\\)')).toBeLessThan(20);

  const ends = async (days: number) => {
    const { rows } = await owner.query(
      "select name from day_partitions('webhook_event') where end_id > first_id_of((now() at time zone 'UTC')::date + $1::int)",
      [days],
    );
    for (const { name } of rows) await owner.query(`drop table ${name}`);
    const { code, of } = await examine(at(connection));
    return [code, of('partitions')?.state];
  };
  expect(await ends(5)).toEqual([0, 'warning']);
  expect(await ends(1)).toEqual([1, 'problem']);
});

test('an unreachable database is a problem, with instructions', async () => {
  const { code, findings } = await examine({ DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:9/shop' });
  expect(code).toBe(1);
  expect(findings).toEqual([
    {
      check: 'database',
      state: 'problem',
      message: expect.stringMatching(/127\.0\.0\.1:9.*Check the host and port in DATABASE_URL/),
    },
  ]);
  expect(JSON.stringify(findings)).not.toContain('hunter2');
});

test('an empty or outdated schema is reported with the command to run', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const empty = await examine(at(database.connection));
  expect(empty.code).toBe(1);
  expect(empty.of('schema')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('attribution migrate'),
  });

  const { connection, ownerConnection, drop } = await createTestDatabase({ isDurable: true });
  onTestFinished(drop);
  const client = await connect(ownerConnection);
  const { rows } = await client.query(
    'delete from schema_migration where name = (select max(name) from schema_migration) returning name',
  );
  const behind = await examine(at(connection));
  expect(behind.code).toBe(1);
  expect(behind.of('schema')?.message).toBe(`Missing: ${rows[0].name}. Run \`npx attribution migrate\`.`);
});

test('a setting that can lose acknowledged purchases is a problem', async () => {
  const { connection, drop } = await createTestDatabase({ isDurable: true });
  onTestFinished(drop);
  const client = await connect(connection);
  const { rows } = await client.query('select current_database() as name, current_user as role');
  await client.query(`alter role ${rows[0].role} in database ${rows[0].name} set synchronous_commit = off`);
  const { code, of } = await examine(at(connection));
  expect(code).toBe(1);
  expect(of('synchronous_commit')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('Set it to on'),
  });
});

test('the embedded database is examined while the server runs, and started if none does', async () => {
  const environment = { DATA_DIR: folder.path };
  const server = await startServer(environment);
  const beside = await examine(environment);
  expect(beside).toMatchObject({ code: 0 });
  expect(beside.of('database')?.message).toContain(folder.path);
  const made = await runAttribution(
    ['keys', 'create', '--publisher', 'aurora', '--kind', 'secret', '--name', 'ops', '--json'],
    { environment },
  );
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const ping = await fetch(`${server.url}/v1/attributions/ping`, {
    headers: { 'x-shared-secret': JSON.parse(made.stdout).key },
  });
  expect(ping.status, 'a key made by a command beside the server').toBe(200);
  server.kill('SIGTERM');
  await server.ended;
  expect(await examine(environment)).toMatchObject({ code: 0 });
  expect(folder.postgresProcesses()).toEqual([]);
});
