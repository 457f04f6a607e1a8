import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttributionServer, killLeftovers, runAttribution, startServer } from './attribution-process.ts';
import { createEmptyDatabase } from './database-url.ts';
import { auroraProgram, purchase } from './fixtures.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer.ts';

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
    for (const server of servers) expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
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

  test('a process that was not told goes on without prepared statements when the pooler loses one', async () => {
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
    expect(await runAttribution(['doctor'], { environment })).toMatchObject({ code: 0, stderr: '' });
  });
});
