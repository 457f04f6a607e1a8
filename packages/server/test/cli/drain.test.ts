import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { killLeftovers, runAttribution, startServer, until } from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { type FixtureKeys, provisionFixtures, purchase } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { startService, type TestService } from '../test-service.ts';

let service: TestService;
let keys: FixtureKeys;
beforeAll(async () => {
  service = await startService();
  keys = await provisionFixtures(service);
  return () => service.close();
});
afterEach(killLeftovers);

const start = async (environment: Record<string, string>) => {
  const server = await startServer({
    DATABASE_URL: databaseUrl(service.testDatabase.connection),
    ...environment,
  });
  onTestFinished(() => server.kill('SIGKILL'));
  return server;
};
const statusOf = async (url: string, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(url, init);
  await response.arrayBuffer();
  return response.status;
};

test('SIGTERM makes it unready first; requests are answered until SHUTDOWN_DELAY_SECONDS have passed', async () => {
  const server = await start({ SHUTDOWN_DELAY_SECONDS: '2' });
  const record = (): Promise<number> =>
    statusOf(`${server.url}/v1/attributions/transactions`, {
      method: 'POST',
      headers: { 'x-shared-secret': keys.backend, 'content-type': 'application/json' },
      body: JSON.stringify(purchase()),
    });
  expect([await statusOf(`${server.url}/readyz`), await record()]).toEqual([200, 200]);
  const stoppedAtMs = performance.now();
  server.kill('SIGTERM');
  await until('it to be unready', async () => (await statusOf(`${server.url}/readyz`)) === 503);
  expect(performance.now() - stoppedAtMs).toBeLessThan(1_500);
  const health = async (...words: string[]) =>
    (await runInProcess(['health', ...words], { environment: { PORT: new URL(server.url).port } })).code;
  expect([await health(), await health('--ready')]).toEqual([0, 1]);
  server.kill('SIGTERM'); // has no effect
  while (performance.now() - stoppedAtMs < 1_500) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.destroy();
    expect([await record(), await statusOf(`${server.url}/healthz`)]).toEqual([200, 200]);
    expect(await statusOf(`${server.url}/readyz`)).toBe(503);
    await sleep(50);
  }
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(performance.now() - stoppedAtMs).toBeGreaterThan(1_990);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  expect(await health()).toBe(1);
});

const shown = ['/metrics', '/docs', '/openapi.json'];

test('OPERATIONS_PORT moves metrics and the reference to a separate port, with health checks', async () => {
  const server = await start({ OPERATIONS_PORT: '0', OPERATIONS_HOST: '127.0.0.2' });
  const [operations = ''] = /http:\/\/127\.0\.0\.2:\d+/.exec(server.stdout()) ?? [];
  expect(operations).not.toBe('');
  for (const path of shown) {
    expect([path, await statusOf(operations + path)]).toEqual([path, 200]);
    expect([path, await statusOf(server.url + path)]).toEqual([path, 404]);
  }
  for (const path of ['/healthz', '/readyz']) {
    expect([await statusOf(operations + path), await statusOf(server.url + path)]).toEqual([200, 200]);
  }
  const ping = { headers: { 'x-shared-secret': keys.backend } };
  expect(await statusOf(`${operations}/v1/attributions/ping`, ping)).toBe(404);
  expect(await statusOf(`${server.url}/v1/attributions/ping`, ping)).toBe(200);
  const metrics = await (await fetch(`${operations}/metrics`)).text();
  expect(metrics).toContain('operation="ping"');
  expect(metrics).toMatch(/^attribution_partition_days [89](\.\d+)?$/m);
  expect(metrics, 'only here').toContain('attribution_publisher_disk_bytes');
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
});

test('OPERATIONS_PORT=off turns metrics and reference off, and an invalid one stops the start', async () => {
  const server = await start({ OPERATIONS_PORT: 'off' });
  for (const path of shown) expect([path, await statusOf(server.url + path)]).toEqual([path, 404]);
  expect(await statusOf(`${server.url}/readyz`)).toBe(200);
  const { port } = new URL(server.url);
  const environment = { DATABASE_URL: databaseUrl(service.testDatabase.connection), PORT: '0' };
  const taken = await runAttribution(['serve'], { environment: { ...environment, OPERATIONS_PORT: port } });
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('Set OPERATIONS_PORT') });
  const wrong = await runAttribution(['serve'], { environment: { ...environment, OPERATIONS_PORT: 'on' } });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('OPERATIONS_PORT') });
});
