import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import { timeOfRowId } from '../ids.ts';
import type { BacklogMetrics } from '../telemetry/metrics.ts';
import { startRepeating, type Worker } from './repeat.ts';

/**
 * Backlog of each slice in the whole database, as scalar SQL expressions. Each expression is null if its
 * backlog is empty.
 */
export interface Backlog {
  /** Id of the oldest unposted recording. */
  oldestUnposted: RawBuilder<unknown>;
  /** Due time of the oldest delivery that no worker has picked up. */
  deliveryDueSince: RawBuilder<unknown>;
  failingEndpoints: RawBuilder<unknown>;
  unattendedPayouts: RawBuilder<unknown>;
  unexplainedLedgers: RawBuilder<unknown>;
  /** Due time of the oldest unsent notification. */
  notificationDueSince: RawBuilder<unknown>;
  /** Due time of the oldest event of a payment provider. */
  connectorDueSince: RawBuilder<unknown>;
}

export interface ReadBacklogOptions {
  db: Db;
  clock: Clock;
  metrics: BacklogMetrics;
  backlog: Backlog;
  onError(error: unknown): void;
}

const everyMs = 15_000; // Prometheus's usual scrape interval

/** Updates the backlog metrics with one statement every 15 s. */
export function startReadingBacklog(options: ReadBacklogOptions): Worker {
  const { db, clock, metrics, backlog, onError } = options;
  return startRepeating(async () => {
    const { rows } = await sql<{
      oldestUnposted: string | null;
      deliveryDueSince: Date | null;
      failingEndpoints: bigint;
      unattendedPayouts: bigint;
      unexplainedLedgers: bigint;
      notificationDueSince: Date | null;
      connectorDueSince: Date | null;
    }>`
      select ${backlog.oldestUnposted} as "oldestUnposted",
             ${backlog.deliveryDueSince} as "deliveryDueSince",
             ${backlog.failingEndpoints} as "failingEndpoints",
             ${backlog.unattendedPayouts} as "unattendedPayouts",
             ${backlog.unexplainedLedgers} as "unexplainedLedgers",
             ${backlog.notificationDueSince} as "notificationDueSince",
             ${backlog.connectorDueSince} as "connectorDueSince"`.execute(db);
    const [found] = rows;
    if (found === undefined) throw new Error('the backlog has no row');
    const now = clock.now();
    const age = (since: Date | null): number =>
      since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000);
    const { oldestUnposted } = found;
    metrics.postingDelaySeconds.set(age(oldestUnposted === null ? null : timeOfRowId(oldestUnposted)));
    metrics.webhookDelaySeconds.set(age(found.deliveryDueSince));
    metrics.failingEndpoints.set(Number(found.failingEndpoints));
    metrics.unattendedPayouts.set(Number(found.unattendedPayouts));
    metrics.unexplainedLedgers.set(Number(found.unexplainedLedgers));
    metrics.notificationDelaySeconds.set(age(found.notificationDueSince));
    metrics.connectorDelaySeconds.set(age(found.connectorDueSince));
    metrics.readAtSeconds.set(now.getTime() / 1_000);
    return everyMs;
  }, onError);
}
