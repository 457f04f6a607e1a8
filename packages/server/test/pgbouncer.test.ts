import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  type AttributionServer,
  killLeftovers,
  runAttribution,
  startServer,
  until,
} from './attribution-process.ts';
import { createEmptyDatabase, urlsOf } from './database-url.ts';
import { auroraProgram, purchase } from './fixtures.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { runInProcess } from './run-in-process.ts';
import { asAdmin, connect } from './test-database.ts';

const program = findPgBouncer();
if (program === null) console.warn('PgBouncer is not installed: its tests are skipped.');
const path = '/v1/attributions/transactions';

describe.skipIf(program === null)('behind PgBouncer in transaction mode', () => {
  let empty: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let pgBouncer: PgBouncer;
  let servers: AttributionServer[] = [];
  let environment: Record<string, string>;
  let key = '';

  const call = (server: number, method: string, suffix = '', body?: unknown) =>
    fetch(`${servers[server]?.url}${path}${suffix}`, {
      method,
      headers: { 'x-shared-secret': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    empty = await createEmptyDatabase();
    for (const limit of [
      "lock_timeout = '10s'",
      "statement_timeout = '60s'",
      'client_connection_check_interval = 500',
    ])
      await asAdmin(`alter database ${new pg.Client(empty.connection).database} set ${limit}`);
    pgBouncer = await startPgBouncer(program ?? '', empty);
    environment = {
      DATABASE_URL: pgBouncer.url,
      DATABASE_OWNER_URL: pgBouncer.ownerUrl,
      DATABASE_PREPARED_STATEMENTS: 'false',
    };
    const migrations = await Promise.all(
      Array.from({ length: 4 }, () => runAttribution(['migrate'], { environment })),
    );
    for (const outcome of migrations) expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const provisioned = await runAttribution(['provision', '-', '--json'], {
      environment,
      input: auroraProgram,
    });
    expect(provisioned).toMatchObject({ code: 0, stderr: '' });
    key = JSON.parse(provisioned.stdout).keys[0].key;
    servers = await Promise.all([startServer(environment), startServer(environment)]);
  });
  afterAll(async () => {
    for (const server of servers) server.kill('SIGTERM');
    for (const server of servers) {
      const { code, stderr } = await server.ended;
      // Each 503 is logged, and so is background work that had to wait.
      const others = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":"warn"'));
      expect([code, others]).toEqual([0, []]);
    }
    killLeftovers();
    await pgBouncer.stop();
    await empty.drop();
  });

  test('many purchases at once are recorded, read, listed and reversed', async () => {
    const single = Array.from({ length: 300 }, () => purchase());
    const splits = Array.from({ length: 30 }, (_, index) =>
      ['ALICE', 'BOB'].map((code) => purchase({ transactionId: `split-${index}`, code })),
    );
    const arrays = Array.from({ length: 10 }, () => Array.from({ length: 50 }, () => purchase()));
    const bodies: unknown[] = [...single, ...splits, ...arrays];
    const answers = await Promise.all(bodies.map((body, index) => call(index % 2, 'POST', '', body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));

    const again = await Promise.all(bodies.map((body, index) => call((index + 1) % 2, 'POST', '', body)));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([409]));

    let listed = 0;
    for (let suffix: string | null = '?pageSize=100'; suffix !== null; ) {
      const page = await call(0, 'GET', suffix);
      expect(page.status).toBe(200);
      listed += ((await page.json()) as unknown[]).length;
      const cursor = page.headers.get('x-next-cursor');
      suffix = cursor === null ? null : `?pageSize=100&cursor=${encodeURIComponent(cursor)}`;
    }
    expect(listed).toBe(300 + 60 + 500);

    const reversed = await Promise.all(
      splits.map((_, index) => call(index % 2, 'PATCH', `/split-${index}`, { action: 'Refund' })),
    );
    expect(new Set(reversed.map(({ status }) => status))).toEqual(new Set([200]));
    const read = await Promise.all(splits.map((_, index) => call(index % 2, 'GET', `/split-${index}`)));
    for (const answer of read) {
      const rows = (await answer.json()) as { transaction: { status: string } }[];
      expect(rows.map(({ transaction }) => transaction.status)).toEqual(['Refund', 'Refund']);
    }
    const refunds = await call(1, 'GET', '?status=refund');
    expect(await refunds.json()).toHaveLength(60);
  });

  test('a process without the setting continues without prepared statements when the pooler loses one', async () => {
    const untold = await startServer({ ...environment, DATABASE_PREPARED_STATEMENTS: 'true' });
    const answers: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const sent = Array.from({ length: 20 }, () =>
        fetch(`${untold.url}/v1/attributions/transactions`, {
          method: 'POST',
          headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
          body: JSON.stringify(purchase()),
        }),
      );
      answers.push(...(await Promise.all(sent)).map(({ status }) => status));
      await call(round % 2, 'GET', '?pageSize=1');
    }
    untold.kill('SIGTERM');
    await untold.ended;
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  test('a statement that waits for a lock gets 503 in time and is canceled, and the service recovers by itself', async () => {
    await call(0, 'GET', '?pageSize=1');
    const holder = await connect({ ...inject('adminConnection'), database: empty.connection.database });
    const waiting = () =>
      holder.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
    await holder.query('begin; lock table attribution in access exclusive mode');
    const startedAtMs = performance.now();
    const answers = await Promise.all([
      call(0, 'GET', '?pageSize=1'), // a single statement, so the service's own limit applies
      call(0, 'PATCH', '/split-1', { action: 'Refund' }),
      call(1, 'PATCH', '/split-2', { playerId: 'p-2' }),
    ]);
    expect(performance.now() - startedAtMs).toBeLessThan(6_000);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    await until('the waiting queries to be canceled', async () => (await waiting()).rowCount === 0);
    await holder.query('rollback');
    expect((await call(0, 'GET', '?pageSize=1')).status).toBe(200);
  });

  test('unsuitable defaults are rejected, with instructions', async () => {
    const other = await createEmptyDatabase();
    onTestFinished(other.drop);
    expect(await runInProcess(['migrate'], { environment: urlsOf(other) })).toMatchObject({ code: 0 });
    for (const strange of [
      "default_transaction_isolation = 'serializable'",
      "DateStyle = 'German'",
      "lock_timeout = '5ms'",
    ])
      await asAdmin(`alter database ${new pg.Client(other.connection).database} set ${strange}`);
    const pooled = await startPgBouncer(program ?? '', other);
    onTestFinished(() => pooled.stop());
    const environment = { DATABASE_URL: pooled.url, PORT: '0' };
    const words =
      /DateStyle is German, DMY, default_transaction_isolation is serializable, lock_timeout is 5 ms\. .*alter role \w+ set DateStyle = 'ISO', 'MDY'; alter role \w+ set default_transaction_isolation = 'read committed'; alter role \w+ set lock_timeout = '10s';/;
    for (const command of [['serve'], ['keys', 'list', '--publisher', 'aurora']])
      expect(await runInProcess(command, { environment })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(words),
      });
    const doctor = await runInProcess(['doctor'], { environment });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/PROBLEM pooler .*serializable/) });
    // Without the pooler, each connection sets its parameters.
    const direct = { environment: urlsOf(other) };
    expect(await runInProcess(['doctor'], direct)).toMatchObject({ code: 0 });
  });

  test('keys and doctor work, too', async () => {
    const made = await runAttribution(
      ['keys', 'create', '--publisher', 'aurora', '--kind', 'secret', '--name', 'pooled', '--json'],
      { environment },
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const ping = await fetch(`${servers[1]?.url}/v1/attributions/ping`, {
      headers: { 'x-shared-secret': JSON.parse(made.stdout).key },
    });
    expect(ping.status).toBe(200);
    const doctor = await runAttribution(['doctor'], { environment });
    expect(doctor).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^ok +pooler +A pooler is in use/m),
    });
  });
});
