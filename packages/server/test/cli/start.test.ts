import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import {
  killLeftovers,
  runAttribution,
  spawnAttribution,
  startServer,
  until,
} from '../attribution-process.ts';
import { makeDataFolder } from '../data-folder.ts';

const folder = makeDataFolder();
afterEach(killLeftovers);
afterAll(() => folder.remove());
const environment = { DATA_DIR: folder.path };

const transactions = '/v1/attributions/transactions';
const demoKey = (output: string, kind: string): string =>
  new RegExp(`\\(${kind}\\)\\s+(svc_\\S+)`).exec(output)?.[1] ?? '';
const curlLine = (output: string): string => /^curl [\s\S]*?\}'$/m.exec(output)?.[0] ?? '';
const ask = (url: string, key: string, path = transactions) =>
  fetch(url + path, { headers: { 'x-shared-secret': key } });

test('the first start prints an address, keys and a working curl command', async () => {
  const server = await startServer(environment);
  const { url, startedInMs } = server;
  console.info(`first start: ${(startedInMs / 1_000).toFixed(1)} s (to reach: 10 s)`);
  expect(startedInMs).toBeLessThan(60_000); // a busy machine takes several times as long
  const output = await until('the greeting', () => server.stdout().includes('Ctrl-C') && server.stdout());
  expect(demoKey(output, 'secret')).toMatch(/^svc_sk_/);
  expect(demoKey(output, 'public')).toMatch(/^svc_pk_/);
  // PostgreSQL refuses to run as root, so it runs as another user then.
  if (process.getuid?.() === 0) expect(statSync(folder.cluster).uid).not.toBe(0);

  const curl = curlLine(output);
  const seen = new Set<string>();
  for (let times = 0; times < 2; times += 1) {
    if (times > 0) await sleep(1_000); // the transactionId is the current second
    const { status, stdout, stderr } = spawnSync('bash', ['-c', curl], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const { transaction } = JSON.parse(stdout);
    expect(transaction).toMatchObject({ code: 'ALICE', subtotal: 999, currency: 'USD', status: 'Test' });
    seen.add(transaction.transactionId);
  }
  expect(await purchasesMade(url, demoKey(output, 'secret'))).toHaveLength(seen.size);

  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(folder.postgresProcesses()).toEqual([]);
});

/** Returns the recorded purchases, excluding the demo's history. */
async function purchasesMade(url: string, key: string): Promise<object[]> {
  const listed = (await (await ask(url, key)).json()) as { transaction: { transactionId: string } }[];
  return listed.filter(({ transaction }) => !transaction.transactionId.startsWith('demo-order-'));
}

test('a later start is quick, and shows the same keys and purchases', async () => {
  const server = await startServer(environment);
  console.info(`later start: ${(server.startedInMs / 1_000).toFixed(1)} s (to reach: 3 s)`);
  expect(server.startedInMs).toBeLessThan(30_000);
  const output = await until('the greeting', () => server.stdout().includes('Ctrl-C') && server.stdout());
  expect(await purchasesMade(server.url, demoKey(output, 'secret'))).toHaveLength(2);
  server.kill('SIGINT');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['Ctrl-C, twice', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
] as const)('%s answers open requests, then stops everything', async (_what, signal) => {
  const server = await startServer(environment);
  const key = demoKey(
    await until('the keys', () => server.stdout().includes('Ctrl-C') && server.stdout()),
    'secret',
  );
  const postgres = folder.postgresProcesses();
  expect(postgres.filter(({ isPostmaster }) => isPostmaster)).toHaveLength(1);

  // The purchase cannot be saved while another transaction holds the table.
  const holder = new pg.Client({ ...folder.connection(), user: 'attribution_owner' });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin; lock table attribution in exclusive mode');
  const transactionId = `in-flight-${signal}`;
  const inFlight = fetch(server.url + transactions, {
    method: 'POST',
    headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      transactionId,
      code: 'ALICE',
      description: 'Battle pass',
      subtotal: 1,
      currency: 'USD',
      transactionDate: '2026-05-01T00:00:00Z',
    }),
  });
  await until('the purchase to wait', async () => {
    const { rows } = await holder.query('select from pg_locks where not granted');
    return rows.length > 0;
  });
  if (signal === 'SIGINT') {
    server.pressCtrlC();
    await sleep(100);
    server.pressCtrlC(); // npm forwards a second Ctrl-C
  } else server.kill(signal);
  await until('the server to stop', () => server.stdout().includes('Stopping'));
  await expect(ask(server.url, key), 'takes no new request').rejects.toThrow();
  await holder.query('commit');
  await holder.end();

  const answer = await inFlight;
  expect(answer.status).toBe(200);
  const { code, stdout, stderr } = await server.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/Stopped\.\n$/);
  expect(folder.postgresProcesses()).toEqual([]);

  const next = await startServer(environment);
  const kept = await ask(next.url, key, `${transactions}/${transactionId}`);
  // The row may have been posted since then, which adds the member's share to the response.
  expect(await kept.json()).toMatchObject([await answer.json()]);
  next.kill('SIGTERM');
  await next.ended;
});

test('a client that never finishes its request does not prevent the stop', async () => {
  const server = await startServer({ ...environment, SHUTDOWN_TIMEOUT_SECONDS: '1' });
  const { port } = new URL(server.url);
  const client = connect(Number(port), '127.0.0.1');
  client.on('error', () => undefined);
  client.write('POST /v1/attributions/transactions HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
  await until('the request to arrive', () => client.bytesWritten > 0 && fetch(`${server.url}/healthz`));
  const stoppedAt = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(performance.now() - stoppedAt).toBeLessThan(8_000);
  expect(folder.postgresProcesses()).toEqual([]);
});

test('Ctrl-C during the start also stops everything', async () => {
  const server = spawnAttribution(['serve'], { environment: { ...environment, PORT: '0' } });
  await until('the database to start', () => folder.postgresProcesses().length > 0);
  server.pressCtrlC();
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(folder.postgresProcesses()).toEqual([]);
});

test('a second start in the same folder reports the first service and does not affect it', async () => {
  const server = await startServer(environment);
  const second = await runAttribution(['serve'], { environment: { ...environment, PORT: '0' } });
  expect(second.code).toBe(1);
  expect(second.stderr).toBe(
    `attribution is already running in this folder (process ${server.pid} holds ${folder.path}/attribution.lock)\n`,
  );
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

  // A command that runs alongside the service prints links with the service's address, even if the command's
  // own PORT differs.
  const invite = (email: string) =>
    runAttribution(['staff', 'invite', '--publisher', 'aurora', '--email', email, '--role', 'viewer'], {
      environment: { ...environment, PORT: '8080' },
    });
  const { port } = new URL(server.url);
  expect(await invite('mia@example.com')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^http://localhost:${port}/invitation#\\w{40}$`, 'm')),
    stderr: '',
  });
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(await invite('noa@example.com')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http:\/\/localhost:8080\/invitation#/m),
    stderr: expect.stringMatching(/^No service is running in .*, so the link points to/),
  });
});

test('of many simultaneous starts in one folder, exactly one runs', async () => {
  const starts = Array.from({ length: 4 }, () =>
    spawnAttribution(['serve'], { environment: { ...environment, PORT: '0' } }),
  );
  const winner = await until('one to listen', () =>
    starts.find(({ stdout }) => stdout().includes('listens on')),
  );
  const others = starts.filter((start) => start !== winner);
  for (const other of others) {
    expect(await other.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('already running') });
  }
  winner.kill('SIGTERM');
  expect(await winner.ended).toMatchObject({ code: 0 });
});

test('a port in use is named with instructions, and nothing is left running', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as { port: number };
  const outcome = await runAttribution(['serve'], { environment: { ...environment, PORT: String(port) } });
  squatter.close();
  expect(outcome).toMatchObject({
    code: 1,
    stderr: `Port ${port} on 127.0.0.1 is in use. Set PORT to another port, or to 0 for any free port.\n`,
  });
  expect(folder.postgresProcesses()).toEqual([]);
});
