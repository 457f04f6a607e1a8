import { startBounties } from './bounties/bounty-worker.ts';
import { countRows } from './bounties/count-rows.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/database/database.ts';
import { isUnavailable } from './platform/database/database-errors.ts';
import { namedStatements } from './platform/database/named-statements.ts';
import { startRepeating, type Worker } from './platform/repeat.ts';
import type { Metrics } from './platform/telemetry/metrics.ts';
import { tellSchedules } from './revenue-shares/tell-schedules.ts';
import { startSettlement } from './settlement/settlement-worker.ts';
import { startDelivery } from './webhooks/delivery-worker.ts';
import { removeDeadListeners } from './webhooks/manage-endpoints.ts';
import { purgeEvents } from './webhooks/purge-events.ts';
import { createSender } from './webhooks/send-request.ts';

export interface WorkerDeps {
  config: Config;
  database: Database;
  clock: Clock;
  metrics: Metrics;
  log(level: 'warn' | 'error', message: string): void;
}

const dayMs = 86_400_000;
const purgeEveryMs = 3_600_000;
const tellSchedulesEveryMs = 1_000;

/** The background work, slice by slice. @returns the function that stops it, when what is under way is done */
export function startWorkers({ config, database, clock, metrics, log }: WorkerDeps): () => Promise<void> {
  const { background: db, backgroundPool } = database;
  const report = (what: string) => (error: unknown) =>
    log(
      isUnavailable(error) ? 'warn' : 'error',
      `${what} stopped short and goes on: ${error instanceof Error ? error.message : error}`,
    );
  const sender = createSender({ clock, allowPrivateTargets: config.webhookAllowPrivateTargets });
  const workers: Worker[] = [
    startSettlement({
      db,
      countRows,
      intervalMs: config.settleIntervalMs,
      onSettled: (rows) => metrics.settledRows.inc(rows),
      onError: report('settlement'),
    }),
    startBounties({
      db,
      clock,
      intervalMs: config.settleIntervalMs,
      onCompleted: (count) => metrics.completedBounties.inc(count),
      onError: report('checking of bounties'),
    }),
    startRepeating(async () => {
      await tellSchedules(db, clock.now());
      return tellSchedulesEveryMs;
    }, report('telling of schedules')),
    startDelivery({
      db,
      statements: namedStatements(backgroundPool, config.databasePreparedStatements),
      sender,
      clock,
      intervalMs: config.webhookIntervalMs,
      maxTaken: config.webhookMaxTaken,
      onAttempt(isDelivered, secondsSinceEvent) {
        metrics.webhookAttempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' });
        if (secondsSinceEvent !== null) metrics.webhookDeliverySeconds.observe(secondsSinceEvent);
      },
      onSwitchedOff: () => metrics.webhookEndpointsSwitchedOff.inc(),
      onError: report('webhook delivery'),
    }),
    startRepeating(async (stopping) => {
      await removeDeadListeners(db);
      await purgeEvents(db, new Date(clock.now().getTime() - config.webhookKeepDays * dayMs), stopping);
      return purgeEveryMs;
    }, report('purging of webhooks')),
  ];
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sender.close();
  };
}
