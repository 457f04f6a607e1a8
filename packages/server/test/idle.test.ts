import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildApp } from '../src/app.ts';
import { startWorkers, type Workers } from '../src/worker.ts';
import { applyProgram } from './apply-program.ts';
import { until } from './attribution-process.ts';
import { composeTestService } from './compose-test-service.ts';
import { addEndpoint } from './endpoints.ts';
import { auroraProgram, purchase } from './fixtures.ts';
import { startReceiver } from './receiver.ts';
import { createTestDatabase } from './test-database.ts';
import { closing } from './webhooks.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts the service with the role `all` in this process, so that its statements can be counted. */
async function start() {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const { keys } = await applyProgram(database.db, auroraProgram, 'test.yaml');
  const complaints: string[] = [];
  const service = composeTestService(database, {
    environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' },
    logLevel: 'info',
    log: complaints,
  });
  let workers: Workers | null = null;
  const app = await buildApp(service, { onWrite: () => workers?.wake() });
  workers = startWorkers(service, false);
  onTestFinished(async () => {
    await app.close();
    await workers.stop();
    await testDatabase.drop();
    expect(complaints).toEqual([]);
  });
  const key = keys.find(({ kind, group }) => kind === 'secret' && group === undefined)?.key ?? '';
  const record = async (): Promise<void> => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/v1/attributions/transactions',
      headers: { 'x-shared-secret': key },
      payload: purchase(),
    });
    expect(statusCode).toBe(200);
  };
  return { database, record };
}

test('when idle, it queries the database at most twice a second; new purchases are posted and sent at once', async () => {
  const { database, record } = await start();
  const receiver = closing(await startReceiver());
  const kinds = ['Attribution/TransactionRecorded'] as const;
  await addEndpoint(database.db, 'aurora', receiver.url, kinds);
  const waiting = () => database.db.selectFrom('unposted').selectAll().execute();
  const settled = async () => (await waiting()).length === 0;
  const recordAndWait = async (): Promise<number> => {
    const before = receiver.received.length;
    await record();
    const startedMs = performance.now();
    await until('it to be told', () => receiver.received.length > before);
    const toldMs = performance.now() - startedMs;
    await until('it to be settled', settled);
    return toldMs;
  };
  await recordAndWait();
  await pause(2_600); // keys and programs are still cached
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  await pause(3_000);
  const statements = query.mock.calls.length;
  expect(statements, 'it looks').toBeGreaterThanOrEqual(2);
  expect(statements).toBeLessThanOrEqual(6);
  const texts = () =>
    query.mock.calls.map(([asked]: unknown[]) =>
      typeof asked === 'string' ? asked : (asked as { text: string }).text,
    );
  const looks = () => texts().filter((text) => text.includes('"work_0"')).length;
  const before = looks();
  await until('a look', () => looks() > before);
  expect(await recordAndWait(), 'sooner than the next look').toBeLessThan(700);
});
