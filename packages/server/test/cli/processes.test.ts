import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type AttributionServer,
  killLeftovers,
  runAttribution,
  startServer,
  until,
} from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { type FixtureKeys, provisionFixtures, purchase } from '../fixtures.ts';
import { makeStartedFolder } from '../started-folder.ts';
import { startService, type TestService } from '../test-service.ts';

let service: TestService;
let keys: FixtureKeys;
beforeAll(async () => {
  service = await startService();
  keys = await provisionFixtures(service);
  return () => service.close();
});
afterEach(killLeftovers);

/** Starts a service with several processes on the test's database. */
async function start(
  environment: Record<string, string> = {},
  args: string[] = [],
): Promise<AttributionServer> {
  const server = await startServer(
    { DATABASE_URL: databaseUrl(service.testDatabase.connection), PROCESSES: '2', ...environment },
    undefined,
    args,
  );
  onTestFinished(() => server.kill('SIGKILL'));
  return server;
}

/** Each purchase has a connection of its own, as from many clients. */
const record = async (server: AttributionServer, transactionId: string): Promise<number> => {
  const response = await fetch(`${server.url}/v1/attributions/transactions`, {
    method: 'POST',
    headers: { 'x-shared-secret': keys.backend, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(purchase({ transactionId })),
  });
  await response.arrayBuffer();
  return response.status;
};

const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

/** Returns a metric's value for each process. */
const valuesOf = (metrics: string, name: string): Record<string, number> =>
  Object.fromEntries(
    [...metrics.matchAll(new RegExp(`^${name}\\{.*?process="([^"]+)".*?\\} (\\S+)$`, 'gm'))].map(
      ([, process = '', value]) => [process, Number(value)],
    ),
  );

/** Returns the ids of the processes that a supervisor started, by name. */
function childrenOf({ pid }: AttributionServer): Record<string, number> {
  const found: Record<string, number> = {};
  for (const each of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${each}/stat`, 'utf8'))?.[1]);
      const name = /--supervised-as\0([^\0]+)/.exec(readFileSync(`/proc/${each}/cmdline`, 'utf8'))?.[1];
      if (parent === pid && name !== undefined) found[name] = Number(each);
    } catch {} // it has just ended
  return found;
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function countOf(what: RawBuilder<{ n: number }>): Promise<number> {
  const { rows } = await what.execute(service.testDatabase.database.db);
  return rows[0]?.n ?? 0;
}
const countSaved = (prefix: string): Promise<number> =>
  countOf(
    sql`select count(*)::int as n from attribution where publisher_id = 'aurora' and starts_with(transaction_id, ${prefix})`,
  );
const allPosted = async (): Promise<boolean> =>
  (await countOf(sql`select count(*)::int as n from unposted where publisher_id = 'aurora'`)) === 0;

test('requests are shared by two processes on one port, and a third posts what they record', async () => {
  const server = await start();
  const ids = Array.from({ length: 60 }, (_, at) => `shared-${at}`);
  const statuses = await Promise.all(ids.map((id) => record(server, id)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const recorded = valuesOf(await metricsOf(server.url), 'attribution_recorded_rows_total');
  expect((recorded['api-1'] ?? 0) + (recorded['api-2'] ?? 0)).toBe(60);
  expect(Math.min(recorded['api-1'] ?? 0, recorded['api-2'] ?? 0)).toBeGreaterThan(0);
  await until('the purchases to be posted', allPosted);
  const again = await Promise.all(ids.map((id) => record(server, id)));
  expect(new Set(again)).toEqual(new Set([409]));
  const settled = valuesOf(await metricsOf(server.url), 'attribution_settled_rows_total');
  expect(settled).toEqual({ 'api-1': 0, 'api-2': 0, worker: 60 });
});

test('a process that is killed starts again, and nothing acknowledged is lost meanwhile', async () => {
  const server = await start();
  const first = childrenOf(server);
  expect(Object.keys(first).sort()).toEqual(['api-1', 'api-2', 'worker']);
  const acknowledged: string[] = [];
  let isDone = false;
  const client = async (name: string): Promise<void> => {
    for (let at = 0; !isDone; at += 1) {
      const id = `killed-${name}-${at}`;
      if ((await record(server, id).catch(() => 0)) === 200) acknowledged.push(id);
    }
  };
  const clients = ['a', 'b', 'c', 'd'].map(client);
  for (const name of ['api-1', 'worker']) {
    process.kill(first[name] ?? 0, 'SIGKILL');
    await until(`${name} to run again`, () => (childrenOf(server)[name] ?? first[name]) !== first[name]);
  }
  const beforeRestart = acknowledged.length;
  await until('more purchases', () => acknowledged.length > beforeRestart + 20);
  isDone = true;
  await Promise.all(clients);
  expect(await countSaved('killed-')).toBeGreaterThanOrEqual(acknowledged.length);
  for (const id of acknowledged) expect(await record(server, id)).toBe(409);
  await until('the purchases to be posted', allPosted);
  const metrics = await metricsOf(server.url);
  expect(metrics).toContain('attribution_process_restarts_total{role="api",process="supervisor"} 1');
  expect(metrics).toContain('attribution_process_restarts_total{role="worker",process="supervisor"} 1');
  expect(server.stderr()).toContain('the process api-1 ended (SIGKILL); it starts again in 1 s');
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});

test.each(['SIGTERM to the supervisor', 'Ctrl-C in a terminal'])(
  'after %s, each process is unready first, finishes its requests, and ends',
  async (how) => {
    const server = await start({ SHUTDOWN_DELAY_SECONDS: '1' });
    const children = Object.values(childrenOf(server));
    expect(children).toHaveLength(3);
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(server.url + path, { headers: { connection: 'close' } })).status;
    if (how.startsWith('SIGTERM')) server.kill('SIGTERM');
    else server.pressCtrlC();
    await until('it to be unready', async () => (await statusOf('/readyz')) === 503);
    await sleep(100);
    for (let at = 0; at < 6; at += 1)
      expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
    expect(await record(server, `stopping-${how}`)).toBe(200);
    expect(await server.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Stopped.') });
    expect(children.filter(isRunning)).toEqual([]);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  },
);

test('metrics have a port of their own, and leave out a process that hangs', async () => {
  const server = await start({ OPERATIONS_PORT: '0', OPERATIONS_HOST: '127.0.0.2' });
  const [operations = ''] = /http:\/\/127\.0\.0\.2:\d+/.exec(server.stdout()) ?? [];
  const names = ['api-1', 'api-2', 'supervisor', 'worker'];
  const processesIn = (metrics: string): string[] =>
    Object.keys(valuesOf(metrics, 'process_resident_memory_bytes')).sort();
  expect(processesIn(await metricsOf(operations))).toEqual(names);
  const { worker = 0 } = childrenOf(server);
  process.kill(worker, 'SIGSTOP');
  const startedAt = performance.now();
  expect(processesIn(await metricsOf(operations))).toEqual(names.filter((name) => name !== 'worker'));
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  process.kill(worker, 'SIGCONT');
  expect(processesIn(await metricsOf(operations))).toEqual(names);
});

test('does not start if another program listens on the port', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const { code, stderr, stdout } = await runAttribution(['serve'], {
    environment: {
      DATABASE_URL: databaseUrl(service.testDatabase.connection),
      PROCESSES: '2',
      PORT: String(port),
    },
  });
  expect(code).toBe(1);
  expect(stdout).not.toContain('listens on');
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use. Set PORT to another port`);
});

test('a process for background work alone, and one without it', async () => {
  const api = await start({}, ['--role', 'api']);
  expect(Object.keys(childrenOf(api)).sort()).toEqual(['api-1', 'api-2']);
  const worker = await start({}, ['--role', 'worker']);
  expect(childrenOf(worker)).toEqual({});
  expect(await record(api, 'roles-1')).toBe(200);
  await until('the purchase to be posted', async () =>
    (await metricsOf(worker.url)).includes('\nattribution_settled_rows_total 1\n'),
  );
});

test('with an embedded database, a killed supervisor leaves no process, and the next start has all data', async () => {
  const folder = await makeStartedFolder();
  onTestFinished(() => folder.remove());
  const first = await startServer({ DATA_DIR: folder.path, PROCESSES: '3' });
  const children = Object.values(childrenOf(first));
  expect(children).toHaveLength(4);
  const [, secret = ''] = /backend \(secret\) +(\S+)/.exec(first.stdout()) ?? [];
  const recordDemo = (server: AttributionServer) =>
    fetch(`${server.url}/v1/attributions/transactions`, {
      method: 'POST',
      headers: { 'x-shared-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify(purchase({ transactionId: 'before-the-kill', code: 'ALICE' })),
    });
  expect((await recordDemo(first)).status).toBe(200);
  first.kill('SIGKILL');
  await first.ended;
  await until('the processes to end', () => !children.some(isRunning));
  const second = await startServer({ DATA_DIR: folder.path, PROCESSES: '3' });
  expect((await recordDemo(second)).status).toBe(409);
  second.kill('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0 });
});

test.each([
  ['PROCESSES=0', { PROCESSES: '0' }, 'PROCESSES must be auto, or a whole number from 1 to 64 (it is "0")'],
  ['PROCESSES=two', { PROCESSES: 'two' }, 'PROCESSES must be auto, or a whole number from 1 to 64'],
])('%s is rejected', async (_, environment, message) => {
  const { code, stderr } = await runAttribution(['serve'], { environment });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('only a supervisor can start a supervised process', async () => {
  const { code, stderr } = await runAttribution(['serve', '--supervised-as', 'api-1'], {
    environment: { DATABASE_URL: databaseUrl(service.testDatabase.connection) },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('set PROCESSES instead')]);
});
