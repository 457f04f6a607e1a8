import type { BenchService } from './bench-service.ts';
import { createLoad, type LoadResult } from './load.ts';
import { type ProcessorTime, startMeter } from './processor-time.ts';
import { median } from './report.ts';
import { waitUntilPosted } from './rows.ts';

export interface Sustained extends LoadResult {
  /** Time from the end of the load until all recorded rows were posted. */
  drainSeconds: number;
  /** Rows divided by the total seconds of load and drain. */
  rowsPerSecond: number;
  walBytes: number;
  /** Number of full-page images in the WAL. */
  fullPages: number;
  time: ProcessorTime | null;
}

/**
 * Records for a while, as in normal operation, and then waits until everything is posted.
 * @param stopOthers ends what else is recording before the wait
 */
export async function sustain(
  service: BenchService,
  load: { connections: number; entries: number; seconds: number },
  stopOthers: () => Promise<void> = async () => undefined,
): Promise<Sustained> {
  const before = await readWal(service);
  const meter = await startMeter(service);
  const result = await createLoad({ ...service, ...load });
  await stopOthers();
  const startedAtMs = performance.now();
  await waitUntilPosted(service.client, 30 + 2 * load.seconds);
  const drainSeconds = (performance.now() - startedAtMs) / 1_000;
  const time = await meter.stop();
  const after = await readWal(service);
  return {
    ...result,
    drainSeconds,
    rowsPerSecond: result.rows / (result.seconds + drainSeconds),
    walBytes: after.bytes - before.bytes,
    fullPages: after.fullPages - before.fullPages,
    time,
  };
}

export async function readWal({ client }: BenchService): Promise<{ bytes: number; fullPages: number }> {
  const { rows } = await client.query<{ bytes: string; full_pages: string }>(
    `select pg_current_wal_lsn() - '0/0' as bytes, (select wal_fpi from pg_stat_wal) as full_pages`,
  );
  return { bytes: Number(rows[0]?.bytes), fullPages: Number(rows[0]?.full_pages) };
}

/** Formats the medians of p50 and p99, in milliseconds. */
export const latency = (loads: readonly Sustained[]): string =>
  `${median(loads.map(({ p50Ms }) => p50Ms)).toFixed(1)}, ${median(loads.map(({ p99Ms }) => p99Ms)).toFixed(1)}`;
