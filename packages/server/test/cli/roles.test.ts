import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { type AttributionServer, startServer, until } from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { provisionFixtures, purchase } from '../fixtures.ts';
import { startService } from '../test-service.ts';

const start = async (environment: Record<string, string>, role: string): Promise<AttributionServer> => {
  const server = await startServer(environment, undefined, ['--role', role]);
  onTestFinished(() => server.kill('SIGKILL'));
  return server;
};

test('a process with --role api records and leaves posting to one with --role worker, which has no API', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const { backend } = await provisionFixtures(service);
  const { db } = service.testDatabase.database;
  const environment = {
    DATABASE_URL: databaseUrl(service.testDatabase.connection),
    SETTLE_INTERVAL_MS: '50',
  };
  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ n: bigint }>`select count(*) as n from unposted`.execute(db);
    return Number(rows[0]?.n);
  };

  const api = await start(environment, 'api');
  // The process prints this on a separate line, after the line with its address.
  await until('the process to say what it leaves to others', () => api.stdout().includes('--role worker'));
  const recorded = await fetch(`${api.url}/v1/attributions/transactions`, {
    method: 'POST',
    headers: { 'x-shared-secret': backend, 'content-type': 'application/json' },
    body: JSON.stringify(purchase()),
  });
  expect(recorded.status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await waiting()).toBe(1);

  const worker = await start(environment, 'worker');
  await until('the purchase to be settled', async () => (await waiting()) === 0);
  const ask = async (path: string): Promise<number> =>
    (await fetch(worker.url + path, { headers: { 'x-shared-secret': backend } })).status;
  expect(await ask('/readyz')).toBe(200);
  expect(await ask('/metrics')).toBe(200);
  expect(await ask('/v1/attributions/ping')).toBe(404);
  for (const server of [api, worker]) {
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  }
});
