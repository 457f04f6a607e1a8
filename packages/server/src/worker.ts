import type { Db } from './platform/database/database.ts';
import { isUnavailable } from './platform/database/database-errors.ts';
import type { Metrics } from './platform/telemetry/metrics.ts';
import { startSettlement } from './settlement/settlement-worker.ts';

export interface WorkerDeps {
  db: Db;
  metrics: Metrics;
  settleIntervalMs: number;
  log(level: 'warn' | 'error', message: string): void;
}

/** The background work, slice by slice. @returns the function that stops it, when what is under way is done */
export function startWorkers({ db, metrics, settleIntervalMs, log }: WorkerDeps): () => Promise<void> {
  const settlement = startSettlement({
    db,
    intervalMs: settleIntervalMs,
    onSettled: (rows) => metrics.settledRows.inc(rows),
    onError: (error) =>
      log(
        isUnavailable(error) ? 'warn' : 'error',
        `settlement stopped short and goes on: ${error instanceof Error ? error.message : error}`,
      ),
  });
  return () => settlement.stop();
}
