import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { DiskUse } from '../database/disk-use.ts';

/**
 * Metrics on /metrics. Labels never name members or keys. A single label names publishers, and only if /metrics has
 * its own port.
 */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds from request to response, by operation, method and status. */
  readonly requestSeconds: Histogram<'operation' | 'method' | 'status'>;
  /** Requests recorded together by one commit. */
  readonly recordBatchRequests: Histogram;
  /** Rows recorded by one commit. */
  readonly recordBatchRows: Histogram;
  /** Duration of a recording commit, in seconds. */
  readonly recordCommitSeconds: Histogram;
  readonly recordedRows: Counter;
  readonly settledRows: Counter;
  readonly webhookAttempts: Counter<'outcome'>;
  /** Seconds from an event to its delivery, for events delivered at the first attempt. */
  readonly webhookDeliverySeconds: Histogram;
  readonly webhookEndpointsSwitchedOff: Counter;
  readonly completedBounties: Counter;
  /** Failed links of accounts to players, by error code. */
  readonly failedLinks: Counter<'code'>;
  readonly refusedRequests: Counter<'reason'>;
  /** Refused requests that were not stored for the publisher because there were too many. */
  readonly unkeptRefusals: Counter;
}

/** Gauges for the backlog of the whole database, as last read by this process's worker. */
export interface BacklogMetrics {
  postingDelaySeconds: Gauge;
  webhookDelaySeconds: Gauge;
  failingEndpoints: Gauge;
  unattendedPayouts: Gauge;
  unexplainedLedgers: Gauge;
  readAtSeconds: Gauge;
}

/** Sources of the metrics, read on each request for /metrics. */
export interface MetricSources {
  isReady(): Promise<boolean>;
  /** Returns the free bytes on an embedded database's disk, or null if the database is external. */
  freeBytes(): number | null;
  queuedRows(): number;
  poolUsage(): { total: number; idle: number; waiting: number };
  bodyBytes(): number;
  answerBytes(): number;
  connections(): number;
  replica: ReplicaSource | null;
}

interface ReplicaSource {
  state(): string;
  ageMs(): number | null;
  counts(): Readonly<Record<'replica' | 'primary', number>>;
}

/** Sources of the metrics about stored data. */
export interface StoredSources {
  /** Returns null until the disk use is known. */
  diskUse(): Promise<DiskUse | null>;
  /** True if labels may name publishers. */
  namesPublishers: boolean;
  /** Returns the end of the days that have partitions for new rows, or null until it is known. */
  coveredUntil(): Date | null;
}

/** Registers the gauges of one process: queued rows, connections and bytes. */
export function showSources(metrics: Metrics, sources: MetricSources): void {
  const { registry } = metrics;
  const registers = [registry];
  if (sources.replica !== null) showReplica(metrics, sources.replica);
  new Gauge({
    name: 'attribution_record_queue_rows',
    help: 'Rows waiting to be recorded by this process.',
    registers,
    collect() {
      this.set(sources.queuedRows());
    },
  });
  new Gauge({
    name: 'attribution_body_bytes',
    help: 'Bytes of request bodies that this process is reading or processing.',
    registers,
    collect() {
      this.set(sources.bodyBytes());
    },
  });
  new Gauge({
    name: 'attribution_answer_bytes',
    help: 'Bytes of large responses in this process that clients have not read yet.',
    registers,
    collect() {
      this.set(sources.answerBytes());
    },
  });
  new Gauge({
    name: 'attribution_http_connections',
    help: 'Client connections to this process.',
    registers,
    collect() {
      this.set(sources.connections());
    },
  });
  new Gauge({
    name: 'attribution_ready',
    help: '1 if this process is ready (as on /readyz, its database must accept writes), otherwise 0.',
    registers,
    async collect() {
      this.set((await sources.isReady()) ? 1 : 0);
    },
  });
  if (sources.freeBytes() !== null)
    new Gauge({
      name: 'attribution_data_free_bytes',
      help: 'Free bytes on the disk of the embedded database.',
      registers,
      collect() {
        this.set(sources.freeBytes() ?? 0);
      },
    });
  new Gauge({
    name: 'attribution_database_connections',
    help: 'Database connections of this process for requests, and queries waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = sources.poolUsage();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}

/** Registers the gauges for stored bytes and partitions. They have no values while the database can't be read. */
export function showStored({ registry }: Metrics, sources: StoredSources, clock: Clock): void {
  const registers = [registry];
  new Gauge({
    name: 'attribution_disk_bytes',
    help: 'Bytes of tables and their indexes, by kind of data.',
    labelNames: ['tables'],
    registers,
    async collect() {
      this.reset();
      for (const [tables, bytes] of (await sources.diskUse())?.tables ?? []) this.set({ tables }, bytes);
    },
  });
  if (sources.namesPublishers)
    new Gauge({
      name: 'attribution_publisher_disk_bytes',
      help: 'Estimated bytes of the twenty largest publishers.',
      labelNames: ['publisher'],
      registers,
      async collect() {
        this.reset();
        for (const { publisherId, bytes } of (await sources.diskUse())?.publishers ?? [])
          this.set({ publisher: publisherId }, bytes);
      },
    });
  new Gauge({
    name: 'attribution_partition_days',
    help: 'Number of days from now that have partitions.',
    registers,
    collect() {
      const until = sources.coveredUntil();
      if (until !== null) this.set((until.getTime() - clock.now().getTime()) / 86_400_000);
    },
  });
}

/** Registers the metrics of the read replica: its lag and the number of statements it has served. */
function showReplica({ registry }: Metrics, replica: ReplicaSource): void {
  const registers = [registry];
  new Gauge({
    name: 'attribution_read_replica_age_seconds',
    help: 'Upper bound of the lag of the read replica; NaN if unknown.',
    registers,
    collect() {
      this.set((replica.ageMs() ?? Number.NaN) / 1_000);
    },
  });
  new Gauge({
    name: 'attribution_read_replica_used',
    help: '1 if reports are read from the replica, 0 when it is unavailable or too far behind.',
    registers,
    collect() {
      this.set(replica.state() === 'used' ? 1 : 0);
    },
  });
  new Counter({
    name: 'attribution_report_statements_total',
    help: 'Report statements since this process started, by the database that ran them.',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset();
      for (const [from, count] of Object.entries(replica.counts())) this.inc({ from }, count);
    },
  });
}

/** Registers the backlog gauges. Only processes that run workers have them. */
export function showBacklog({ registry }: Metrics): BacklogMetrics {
  const registers = [registry];
  return {
    postingDelaySeconds: new Gauge({
      name: 'attribution_posting_delay_seconds',
      help: 'Age of the oldest unposted purchase.',
      registers,
    }),
    webhookDelaySeconds: new Gauge({
      name: 'attribution_webhook_delay_seconds',
      help: 'Time that the oldest due delivery has waited for a worker.',
      registers,
    }),
    failingEndpoints: new Gauge({
      name: 'attribution_webhook_failing_endpoints',
      help: 'Enabled endpoints whose last attempt failed.',
      registers,
    }),
    unattendedPayouts: new Gauge({
      name: 'attribution_unattended_payouts',
      help: 'Unfinished payouts that no process is working on.',
      registers,
    }),
    unexplainedLedgers: new Gauge({
      name: 'attribution_unexplained_ledgers',
      help: 'Publishers whose last ledger verification from the dashboard found discrepancies.',
      registers,
    }),
    readAtSeconds: new Gauge({
      name: 'attribution_backlog_read_timestamp_seconds',
      help: 'Unix time when the backlog metrics were last read.',
      registers,
    }),
  };
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'attribution_http_request_seconds',
      help: 'Time from a request to its response.',
      labelNames: ['operation', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    recordBatchRequests: new Histogram({
      name: 'attribution_record_batch_requests',
      help: 'Requests recorded together in one commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    recordBatchRows: new Histogram({
      name: 'attribution_record_batch_rows',
      help: 'Rows recorded in one commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024],
      registers,
    }),
    recordCommitSeconds: new Histogram({
      name: 'attribution_record_commit_seconds',
      help: 'Duration of one recording commit.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    recordedRows: new Counter({
      name: 'attribution_recorded_rows_total',
      help: 'Rows recorded by this process since it started.',
      registers,
    }),
    settledRows: new Counter({
      name: 'attribution_settled_rows_total',
      help: 'Rows posted by this process since it started.',
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'attribution_webhook_attempts_total',
      help: 'Webhook delivery attempts by this process since it started.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookDeliverySeconds: new Histogram({
      name: 'attribution_webhook_delivery_seconds',
      help: 'Time from an event to its delivery, for events delivered at the first attempt.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    }),
    webhookEndpointsSwitchedOff: new Counter({
      name: 'attribution_webhook_endpoints_switched_off_total',
      help: 'Endpoints that this process disabled after five days of failed attempts.',
      registers,
    }),
    completedBounties: new Counter({
      name: 'attribution_completed_bounties_total',
      help: 'Bounties completed by this process since it started, counting every completion.',
      registers,
    }),
    failedLinks: new Counter({
      name: 'attribution_failed_links_total',
      help: 'Failed links of accounts to players.',
      labelNames: ['code'],
      registers,
    }),
    refusedRequests: new Counter({
      name: 'attribution_refused_requests_total',
      help: 'Requests rejected to protect the service.',
      labelNames: ['reason'],
      registers,
    }),
    unkeptRefusals: new Counter({
      name: 'attribution_unkept_refusals_total',
      help: 'Refused requests that this process did not store for the publisher because there were too many.',
      registers,
    }),
  };
}
