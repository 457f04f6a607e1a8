import type { BenchService } from './lib/bench-service.ts';
import { hasProgram } from './lib/load.ts';
import { insertPlainRows, makePlainSource, makePlainTables, plainTransactions } from './lib/plain.ts';
import { showTimes, startMeter, type Timed, wholeTime } from './lib/processor-time.ts';
import { median, report } from './lib/report.ts';
import { latency, type Sustained, sustain } from './lib/sustained.ts';
import { settingsForMillions, withBenchService } from './lib/with-service.ts';

/**
 * Compares recording in normal operation, including posting, with what the database itself can do, in one run
 * on one database:
 * (a) plain transactions with two inserts, purchase key and row, from 64 clients (bench/lib/plain.ts)
 * (b) single creates from 64 connections
 * (c) creates with 500 entries from 4 connections
 * (d) one `insert … select` into the plain tables
 * Rows from (b) and (c) count once they are posted, so the rates of (b) and (c) include posting. The four
 * alternate in rounds, and medians are compared, because a machine's speed drifts.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const plainRows = 200_000;

type Plain = Timed & { seconds: number };

const rateOf = (plain: Plain): number => plain.rows / plain.seconds;

await withBenchService({ settings: settingsForMillions, maxMinutes: 20 }, async (service) => {
  await makePlainTables(service.client);
  const plain: Plain[] = [];
  const single: Sustained[] = [];
  const array: Sustained[] = [];
  const bulk: Plain[] = [];
  await sustain(service, { connections: 64, entries: 1, seconds: 3 });
  for (let round = 1; round <= rounds; round += 1) {
    plain.push(await measured(service, () => plainTransactions(service, seconds)));
    single.push(await sustain(service, { connections: 64, entries: 1, seconds }));
    await makePlainSource(service.client, plainRows);
    bulk.push(await measured(service, () => insertPlainRows(service.client)));
    array.push(await sustain(service, { connections: 4, entries: 500, seconds }));
    console.log(`round ${round} of ${rounds} done`);
  }
  const [a, b, c, d] = [
    median(plain.map(rateOf)),
    median(single.map(({ rowsPerSecond }) => rowsPerSecond)),
    median(array.map(({ rowsPerSecond }) => rowsPerSecond)),
    median(bulk.map(rateOf)),
  ];
  const memory = service.peakMemoryMiB();
  const failures = [...single, ...array].reduce((sum, each) => sum + each.failures, 0);
  report(
    'record',
    {
      '(a) plain two-insert transactions, 64 clients, per second': Math.round(a),
      '(b) single creates, 64 connections, posted per second': Math.round(b),
      '(c) rows of creates of 500, posted per second': Math.round(c),
      '(d) rows of one insert … select, per second': Math.round(d),
      '(b) p50, p99 ms': latency(single),
      '(b) drain s, medians': median(single.map(({ drainSeconds }) => drainSeconds)).toFixed(1),
      '(b) WAL bytes a purchase': Math.round(median(single.map(({ walBytes, rows }) => walBytes / rows))),
      '(c) p50, p99 ms of a create of 500': latency(array),
      '(c) drain s': median(array.map(({ drainSeconds }) => drainSeconds)).toFixed(1),
      '(c) WAL bytes a purchase': Math.round(median(array.map(({ walBytes, rows }) => walBytes / rows))),
      'peak memory of the server, MiB': memory ?? 'unknown',
      'failed requests': failures,
      '(a) processor': showTimes(plain),
      '(b) processor': showTimes(single),
      '(c) processor': showTimes(array),
      '(d) processor': showTimes(bulk),
      'processor time of (a) / (b), (d) / (c)': `${(wholeTime(plain) / wholeTime(single)).toFixed(2)}, ${(wholeTime(bulk) / wholeTime(array)).toFixed(2)}`,
      tools: `${hasProgram('pgbench') ? 'pgbench' : 'pg driver'}, ${single[0]?.tool}`,
    },
    [
      { what: '(b) / (a)', value: b / a, limit: 1.4, direction: 'at least' },
      { what: '(c) / (d)', value: c / d, limit: 0.5, direction: 'at least' },
      {
        what: '(b) p99 in ms',
        value: median(single.map(({ p99Ms }) => p99Ms)),
        limit: 50,
        direction: 'at most',
      },
      { what: 'server memory in MiB', value: memory ?? 0, limit: 250, direction: 'at most' },
      { what: 'failed requests', value: failures, limit: 0, direction: 'at most' },
    ],
  );
});

async function measured(
  service: BenchService,
  work: () => Promise<{ rows: number; seconds: number }>,
): Promise<Plain> {
  const meter = await startMeter(service);
  const done = await work();
  return { ...done, time: await meter.stop() };
}
