import { setTimeout as sleep } from 'node:timers/promises';
import { comparePages, comparePagesWithinAnHour } from './growth/pages.ts';
import { days, fill, makePrograms, smallPublisher, smallRows, storedBytes } from './growth/prepare.ts';
import { benchPostgres, checkpoint } from './lib/bench-cluster.ts';
import { type BenchService, startBenchService } from './lib/bench-service.ts';
import { createLoad } from './lib/load.ts';
import { showTimes, startMeter, type Timed } from './lib/processor-time.ts';
import { median, report } from './lib/report.ts';
import { addRows, countUnposted, waitUntilPosted } from './lib/rows.ts';
import { latency, readWal, type Sustained, sustain } from './lib/sustained.ts';
import { settingsForMillions, withBenchService } from './lib/with-service.ts';

/**
 * Compares the cost of normal operation with and without N stored purchases. BENCH_ROWS sets N, which is 3
 * million by default; a run with 10 million takes 15 minutes. Measures sustained single creates with posting
 * on (just after a checkpoint, and later), WAL and storage per purchase, pages and counts, how fast a backlog
 * is posted, and how much the posting of the backlog slows recording.
 */
const rows = Number(process.env.BENCH_ROWS ?? 3_000_000);
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const backlogRows = Number(process.env.BENCH_BACKLOG ?? 300_000);

/** Seconds of load after which most index pages have been written at least once since the last checkpoint. */
const warmUpSeconds = Number(process.env.BENCH_WARM_UP ?? Math.max(3, Math.ceil(rows / 100_000)));

const backlog = { publisherId: 'bench', count: backlogRows, fromDaysAgo: 0.1, toDaysAgo: 0 };

await withBenchService({ settings: settingsForMillions, maxMinutes: 45 }, async (service) => {
  const { client } = service;
  const smallKey = await makePrograms(service);
  await singles(service, 3); // warm-up

  await addRows(client, {
    publisherId: smallPublisher,
    count: smallRows,
    fromDaysAgo: days,
    toDaysAgo: 0,
    rowsOfRecording: 4,
  });
  await waitUntilPosted(client);
  await client.query('vacuum analyze');
  const before = { bytes: await storedBytes(client), wal: await readWal(service) };
  const filled = await measured(service, rows, () => fill(client, rows));
  await client.query('vacuum analyze');
  const after = { bytes: await storedBytes(client), wal: await readWal(service) };
  console.log(`${rows} rows stored in ${Math.round(filled.seconds)} s`);

  const targets = { small: { url: service.url, key: smallKey }, large: service };
  // Pages are compared before the load, because the load records more purchases per hour than the large
  // publisher has per week.
  const pages = await comparePages(targets, new Date());
  const { empty, cold, full } = await comparedWithEmpty(service);
  const pagesOfLoad = await comparePagesWithinAnHour(targets);
  const posted = await drain(service);
  console.log(`a backlog of ${posted.rows} rows was posted in ${posted.seconds.toFixed(1)} s`);
  const busyRate = await singlesDuringBacklog(service);
  const memory = service.peakMemoryMiB();

  const grown = tables(before.bytes, after.bytes);
  const loadRate = median(full.map((each) => each.rows / each.seconds));
  const stored = Object.values(grown).reduce((sum, bytes) => sum + bytes, 0);
  report(
    'growth',
    {
      PostgreSQL: benchPostgres(),
      'singles posted per second, empty': shown(empty),
      [`singles posted per second, ${rows} rows, just after a checkpoint`]: shown(cold),
      [`singles posted per second, ${rows} rows, warm`]: shown(full),
      'p50, p99 ms, empty': latency(empty),
      [`p50, p99 ms, ${rows} rows, just after a checkpoint`]: latency(cold),
      [`p50, p99 ms, ${rows} rows, warm`]: latency(full),
      'processor, empty': showTimes(empty),
      [`processor, ${rows} rows`]: showTimes(full),
      'WAL a purchase, empty': walOf(empty),
      [`WAL a purchase, ${rows} rows, just after a checkpoint`]: walOf(cold),
      [`WAL a purchase, ${rows} rows, warm`]: walOf(full),
      'WAL a purchase while filling': wal(
        after.wal.bytes - before.wal.bytes,
        after.wal.fullPages - before.wal.fullPages,
        rows,
      ),
      'stored bytes a purchase': Math.round(stored),
      'stored bytes a purchase, by table': Object.entries(grown)
        .filter(([, bytes]) => bytes >= 1)
        .map(([name, bytes]) => `${name} ${Math.round(bytes)}`)
        .join(', '),
      'filling, rows posted per second': Math.round(rows / filled.seconds),
      'filling, processor': showTimes([filled]),
      ...Object.fromEntries(
        [...pages, ...pagesOfLoad].map(({ what, smallMs, largeMs }) => [
          `${what}, ms at ${smallRows} and ${rows} rows`,
          `${smallMs.toFixed(1)}, ${largeMs.toFixed(1)}`,
        ]),
      ),
      [`posting of ${backlogRows} rows, per second`]: Math.round(posted.rows / posted.seconds),
      'posting of a backlog, processor': showTimes([posted]),
      'singles per second meanwhile': Math.round(busyRate),
      'peak memory of the server, MiB': memory ?? 'unknown',
    },
    [
      {
        what: `singles, ${rows} rows just after a checkpoint / empty`,
        value: median(cold.map((each, round) => each.rowsPerSecond / (empty[round]?.rowsPerSecond ?? 0))),
        limit: 0.8,
        direction: 'at least',
      },
      {
        what: `singles, ${rows} rows warm / empty`,
        value: median(
          full.map((each, round) => each.rowsPerSecond / (empty[rounds + round]?.rowsPerSecond ?? 0)),
        ),
        limit: 0.8,
        direction: 'at least',
      },
      { what: 'WAL bytes a purchase, empty', value: bytesOf(empty), limit: 1_000, direction: 'at most' },
      {
        what: `WAL bytes a purchase, ${rows} rows, warm`,
        value: bytesOf(full),
        limit: 1_000,
        direction: 'at most',
      },
      { what: 'stored bytes a purchase', value: stored, limit: 600, direction: 'at most' },
      ...pages.map(({ what, smallMs, largeMs }) => ({
        what: `${what}: large / small`,
        value: largeMs / smallMs,
        limit: 1.5,
        direction: 'at most' as const,
      })),
      {
        what: 'posting of a backlog, rows/s',
        value: posted.rows / posted.seconds,
        limit: 30_000,
        direction: 'at least',
      },
      {
        what: 'recording while posting a backlog / without',
        value: busyRate / loadRate,
        limit: 0.5,
        direction: 'at least',
      },
      { what: 'server memory in MiB', value: memory ?? 0, limit: 250, direction: 'at most' },
      {
        what: 'failed requests',
        value: [...empty, ...cold, ...full].reduce((sum, each) => sum + each.failures, 0),
        limit: 0,
        direction: 'at most',
      },
    ],
  );
});

function singles(service: BenchService, forSeconds: number): Promise<Sustained> {
  return sustain(service, { connections: 64, entries: 1, seconds: forSeconds });
}

interface Compared {
  /** Rounds on the empty service: one for each round in `cold`, then one for each round in `full`. */
  empty: Sustained[];
  cold: Sustained[];
  /** Rounds that begin after most of the indexes' pages have been written since the last checkpoint. */
  full: Sustained[];
}

/**
 * Alternates between the full service and an empty one, so that changes in the machine's speed affect both.
 * The empty service has its own PostgreSQL with the same settings. At the end, the empty service contains
 * only what these rounds recorded.
 */
async function comparedWithEmpty(service: BenchService): Promise<Compared> {
  const other = await startBenchService(settingsForMillions);
  const empty: Sustained[] = [];
  const round = async ({ isCold = false }: { isCold?: boolean } = {}): Promise<Sustained> => {
    if (isCold) await checkpoint(service.socketDirectory);
    const one = await singles(service, seconds);
    empty.push(await singles(other, seconds));
    return one;
  };
  try {
    await singles(other, 3); // warm-up
    const cold: Sustained[] = [];
    while (cold.length < rounds) cold.push(await round({ isCold: true }));
    await singles(service, warmUpSeconds);
    const full: Sustained[] = [];
    while (full.length < rounds) full.push(await round());
    console.log(`empty: ${shown(empty)} purchases per second; ${showTimes(empty)}`);
    console.log(
      `with ${rows} rows, just after a checkpoint: ${shown(cold)} purchases per second; ${walOf(cold)}`,
    );
    console.log(
      `with ${rows} rows, warm: ${shown(full)} purchases per second; ${showTimes(full)}; ${walOf(full)}`,
    );
    return { empty, cold, full };
  } finally {
    await other.stop();
  }
}

type Measured = Timed & { seconds: number };

async function measured(service: BenchService, count: number, work: () => Promise<void>): Promise<Measured> {
  const meter = await startMeter(service);
  const startedAtMs = performance.now();
  await work();
  const elapsed = (performance.now() - startedAtMs) / 1_000;
  return { rows: count, seconds: elapsed, time: await meter.stop() };
}

/**
 * Measures how fast the service posts a backlog that was added all at once. The measurement starts with the
 * first posted rows.
 */
async function drain(service: BenchService): Promise<Measured> {
  const { client } = service;
  await addRows(client, backlog);
  let left = await countUnposted(client);
  while (left === backlogRows) {
    await sleep(20);
    left = await countUnposted(client);
  }
  return measured(service, left, () => waitUntilPosted(client));
}

/** @returns purchases recorded per second while a backlog is being posted */
async function singlesDuringBacklog(service: BenchService): Promise<number> {
  await addRows(service.client, backlog);
  const load = await createLoad({ ...service, connections: 64, entries: 1, seconds: Math.min(seconds, 5) });
  if ((await countUnposted(service.client)) === 0)
    console.log('the backlog was posted before the load ended');
  await waitUntilPosted(service.client);
  return load.rows / load.seconds;
}

function tables(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, bytes]) => [name, (bytes - (before[name] ?? 0)) / rows] as const)
      .toSorted(([, one], [, other]) => other - one),
  );
}

function shown(all: readonly Sustained[]): string {
  return all.map(({ rowsPerSecond }) => Math.round(rowsPerSecond)).join(', ');
}

function bytesOf(all: readonly Sustained[]): number {
  return sum(all, ({ walBytes }) => walBytes) / sum(all, (each) => each.rows);
}

function walOf(all: readonly Sustained[]): string {
  const bytes = sum(all, ({ walBytes }) => walBytes);
  const megabytes = bytes / 1_000_000 / sum(all, (each) => each.seconds + each.drainSeconds);
  const purchases = sum(all, (each) => each.rows);
  const pages = sum(all, ({ fullPages }) => fullPages);
  return `${wal(bytes, pages, purchases)}, ${megabytes.toFixed(1)} MB per second`;
}

function wal(bytes: number, fullPages: number, purchases: number): string {
  return `${Math.round(bytes / purchases)} bytes, ${(fullPages / purchases).toFixed(3)} images of pages among them`;
}

function sum(all: readonly Sustained[], of: (one: Sustained) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
