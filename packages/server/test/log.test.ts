import { expect, test } from 'vitest';
import { systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { createLog } from '../src/platform/telemetry/log.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';
import { startWorkers } from '../src/worker.ts';
import { until } from './attribution-process.ts';
import { testSealer } from './sealer.ts';

/** Workers without a database: each of them has something to say. */
function complaining(level: string): { lines: string[]; stop(): Promise<void> } {
  const lines: string[] = [];
  const database = openDatabase({
    connection: { host: '/nowhere', user: 'nobody', database: 'none' },
    poolSize: 2,
    recordLanes: 1,
    applicationName: 'test',
  });
  const workers = startWorkers({
    config: readConfig({}),
    database,
    sealer: testSealer,
    clock: systemClock,
    metrics: createMetrics(),
    log: createLog(level, systemClock, (line) => void lines.push(line)),
  });
  workers.wake();
  return {
    lines,
    async stop() {
      await workers.stop();
      await database.close();
    },
  };
}

test('what workers complain of is in the log of the process, and nowhere when that is silent', async () => {
  const [warn, error, silent] = ['warn', 'error', 'silent'].map(complaining);
  if (warn === undefined || error === undefined || silent === undefined)
    throw new Error('three were started');
  await until('workers to complain', () => warn.lines.length >= 4);
  await Promise.all([warn, error, silent].map((each) => each.stop()));
  expect(error.lines).toEqual([]);
  expect(silent.lines).toEqual([]);
  for (const line of warn.lines) {
    expect(line).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: expect.stringMatching(/ stopped short and goes on: /),
    });
  }
});
