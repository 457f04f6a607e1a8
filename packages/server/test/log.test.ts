import { expect, test } from 'vitest';
import { openDatabase } from '../src/platform/database/database.ts';
import { startWorkers } from '../src/worker.ts';
import { until } from './attribution-process.ts';
import { composeTestService } from './compose-test-service.ts';

/** Starts workers without a database, so that all of them log errors. */
function complaining(level: string): { lines: string[]; stop(): Promise<void> } {
  const lines: string[] = [];
  const database = openDatabase({
    connection: { host: '/nowhere', user: 'nobody', database: 'none' },
    poolSize: 2,
    recordLanes: 1,
    applicationName: 'test',
  });
  const service = composeTestService(database, { logLevel: level, log: lines });
  const workers = startWorkers(service, false);
  workers.wake();
  return {
    lines,
    async stop() {
      await workers.stop();
      await service.stop();
      await database.close();
    },
  };
}

test("workers' errors are logged by the process, but not at level silent", async () => {
  const [warn, error, silent] = ['warn', 'error', 'silent'].map(complaining);
  if (warn === undefined || error === undefined || silent === undefined)
    throw new Error('three workers were expected');
  await until('workers to log errors', () => warn.lines.length >= 4);
  await Promise.all([warn, error, silent].map((each) => each.stop()));
  expect(error.lines).toEqual([]);
  expect(silent.lines).toEqual([]);
  for (const line of warn.lines) {
    expect(line).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: expect.stringMatching(/ failed and will be retried: /),
    });
  }
});
