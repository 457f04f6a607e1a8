import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { DiskUse } from '../database/disk-use.ts';

/**
 * Metrics that /metrics shows. No label ever names a member or a key, and only one names a publisher, where /metrics has a
 * port of its own.
 */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds from request to answer, by operation, method and status. */
  readonly requestSeconds: Histogram<'operation' | 'method' | 'status'>;
  /** Requests recorded together by one commit. */
  readonly recordBatchRequests: Histogram;
  /** Rows recorded by one commit. */
  readonly recordBatchRows: Histogram;
  /** Seconds of one recording commit. */
  readonly recordCommitSeconds: Histogram;
  readonly recordedRows: Counter;
  readonly settledRows: Counter;
  readonly webhookAttempts: Counter<'outcome'>;
  /** Seconds from an event to its delivery, of those delivered at the first attempt. */
  readonly webhookDeliverySeconds: Histogram;
  readonly webhookEndpointsSwitchedOff: Counter;
  readonly completedBounties: Counter;
  /** Links of accounts to players that failed, by error code. */
  readonly failedLinks: Counter<'code'>;
  readonly refusedRequests: Counter<'reason'>;
  /** Refused requests past what is kept for their publisher to look at. */
  readonly unkeptRefusals: Counter;
}

/** Gauges of the whole database's backlog, as a working process last read it. */
export interface BacklogMetrics {
  postingDelaySeconds: Gauge;
  webhookDelaySeconds: Gauge;
  failingEndpoints: Gauge;
  unattendedPayouts: Gauge;
  unexplainedLedgers: Gauge;
  readAtSeconds: Gauge;
}

/** Sources that are read when metrics are requested. */
export interface MetricSources {
  isReady(): Promise<boolean>;
  /** Free disk space of an embedded database; null where there is none. */
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
  /** Null where it is not known yet. */
  diskUse(): Promise<DiskUse | null>;
  /** True when the reader of the metrics may learn which publishers there are. */
  namesPublishers: boolean;
  /** End of the days that have partitions for new rows; null until that is known. */
  coveredUntil(): Date | null;
}

/** Shows what a process holds: rows, connections, bytes. */
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
    help: 'Bytes of request bodies that this process is reading or working on.',
    registers,
    collect() {
      this.set(sources.bodyBytes());
    },
  });
  new Gauge({
    name: 'attribution_answer_bytes',
    help: 'Bytes of large answers that wait in this process for their readers.',
    registers,
    collect() {
      this.set(sources.answerBytes());
    },
  });
  new Gauge({
    name: 'attribution_http_connections',
    help: 'Connections of clients to this process.',
    registers,
    collect() {
      this.set(sources.connections());
    },
  });
  new Gauge({
    name: 'attribution_ready',
    help: 'Whether this process is ready, as /readyz says: its database answers and takes changes.',
    registers,
    async collect() {
      this.set((await sources.isReady()) ? 1 : 0);
    },
  });
  if (sources.freeBytes() !== null)
    new Gauge({
      name: 'attribution_data_free_bytes',
      help: 'Bytes that are free on the disk of the embedded database.',
      registers,
      collect() {
        this.set(sources.freeBytes() ?? 0);
      },
    });
  new Gauge({
    name: 'attribution_database_connections',
    help: 'Connections of this process for what requests read and change, and queries waiting for one.',
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

/** Shows the stored bytes, and how long there are partitions for. Shows no figures while the database cannot be read. */
export function showStored({ registry }: Metrics, sources: StoredSources, clock: Clock): void {
  const registers = [registry];
  new Gauge({
    name: 'attribution_disk_bytes',
    help: 'Bytes of tables with their indexes, by what they hold.',
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
      help: 'Bytes of the twenty publishers that have most, estimated.',
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
    help: 'Days from now for which there are partitions.',
    registers,
    collect() {
      const until = sources.coveredUntil();
      if (until !== null) this.set((until.getTime() - clock.now().getTime()) / 86_400_000);
    },
  });
}

/** Shows how far the read replica is behind, and how much was read from it. */
function showReplica({ registry }: Metrics, replica: ReplicaSource): void {
  const registers = [registry];
  new Gauge({
    name: 'attribution_read_replica_age_seconds',
    help: 'How old what the read replica shows is, at most; NaN when nobody knows.',
    registers,
    collect() {
      this.set((replica.ageMs() ?? Number.NaN) / 1_000);
    },
  });
  new Gauge({
    name: 'attribution_read_replica_used',
    help: 'Whether reports are read from the replica now: 1, or 0 when it is away or too far behind.',
    registers,
    collect() {
      this.set(replica.state() === 'used' ? 1 : 0);
    },
  });
  new Counter({
    name: 'attribution_report_statements_total',
    help: 'Statements of reports since this process started, by where they were read.',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset();
      for (const [from, count] of Object.entries(replica.counts())) this.inc({ from }, count);
    },
  });
}

/** Shows the backlog, in processes that run workers; other processes have none to show. */
export function showBacklog({ registry }: Metrics): BacklogMetrics {
  const registers = [registry];
  return {
    postingDelaySeconds: new Gauge({
      name: 'attribution_posting_delay_seconds',
      help: 'Time that the oldest purchase which is not posted yet has waited.',
      registers,
    }),
    webhookDelaySeconds: new Gauge({
      name: 'attribution_webhook_delay_seconds',
      help: 'Time for which the oldest delivery that is due has been waiting to be taken.',
      registers,
    }),
    failingEndpoints: new Gauge({
      name: 'attribution_webhook_failing_endpoints',
      help: 'Endpoints that are on and whose last attempt failed.',
      registers,
    }),
    unattendedPayouts: new Gauge({
      name: 'attribution_unattended_payouts',
      help: 'Payouts under way that no process works on.',
      registers,
    }),
    unexplainedLedgers: new Gauge({
      name: 'attribution_unexplained_ledgers',
      help: 'Publishers whose ledger, when it was last proved for the dashboard, had something that is not explained.',
      registers,
    }),
    readAtSeconds: new Gauge({
      name: 'attribution_backlog_read_timestamp_seconds',
      help: 'When these were last read, in Unix time.',
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
      help: 'Time from a request to its answer.',
      labelNames: ['operation', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    recordBatchRequests: new Histogram({
      name: 'attribution_record_batch_requests',
      help: 'Requests recorded together by one commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    recordBatchRows: new Histogram({
      name: 'attribution_record_batch_rows',
      help: 'Rows recorded by one commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024],
      registers,
    }),
    recordCommitSeconds: new Histogram({
      name: 'attribution_record_commit_seconds',
      help: 'Time of one recording commit.',
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
      help: 'Rows settled by this process since it started.',
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'attribution_webhook_attempts_total',
      help: 'Attempts of this process to deliver an event, since it started.',
      labelNames: ['outcome'],
      registers,
    }),
    webhookDeliverySeconds: new Histogram({
      name: 'attribution_webhook_delivery_seconds',
      help: 'Time from an event to its delivery, of those delivered at the first attempt.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    }),
    webhookEndpointsSwitchedOff: new Counter({
      name: 'attribution_webhook_endpoints_switched_off_total',
      help: 'Endpoints that this process switched off because every attempt failed for five days.',
      registers,
    }),
    completedBounties: new Counter({
      name: 'attribution_completed_bounties_total',
      help: 'Completions of bounties made by this process since it started.',
      registers,
    }),
    failedLinks: new Counter({
      name: 'attribution_failed_links_total',
      help: 'Links of accounts to players that failed.',
      labelNames: ['code'],
      registers,
    }),
    refusedRequests: new Counter({
      name: 'attribution_refused_requests_total',
      help: 'Requests turned away to protect the service.',
      labelNames: ['reason'],
      registers,
    }),
    unkeptRefusals: new Counter({
      name: 'attribution_unkept_refusals_total',
      help: 'Refused requests past what this process keeps for their publisher to look at.',
      registers,
    }),
  };
}
