import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { DiskUse } from '../database/disk-use.ts';
import {
  backlogMetrics,
  type Declared,
  processMetrics,
  readMetrics,
  supervisorMetrics,
} from './metric-table.ts';

/** Registry, and the metrics that the service sets itself. */
export type Metrics = Registered<typeof processMetrics> & { readonly registry: Registry };

/** Reads metrics in Prometheus' text format. */
export type ReadMetrics = () => Promise<string>;

/** Gauges for the backlog of the whole database, as last read by this process's worker. */
export type BacklogMetrics = Registered<typeof backlogMetrics>;

type Registered<Table> = { readonly [Key in keyof Table]: Collector<Table[Key]> };

type Collector<Metric> =
  Metric extends Declared<'counter', infer Label>
    ? Counter<Label>
    : Metric extends Declared<'histogram', infer Label>
      ? Histogram<Label>
      : Metric extends Declared<'gauge', infer Label>
        ? Gauge<Label>
        : never;

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
  /** Returns null until the disk usage is known and while the database can't be read. */
  diskUse(): Promise<DiskUse | null>;
  /** True if labels may identify publishers. */
  namesPublishers: boolean;
  /** Returns the end of the last day that has partitions, or null until it is known. */
  coveredUntil(): Date | null;
  clock: Clock;
}

interface ReplicaSource {
  state(): string;
  ageMs(): number | null;
  counts(): Readonly<Record<'replica' | 'primary', number>>;
}

/** Value of a metric, or one value for each of its label's values. Null if unknown. */
type Reading = number | null | Iterable<readonly [labelValue: string, value: number]>;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, ...registerAll(processMetrics, registry) };
}

/** Creates the metrics of a process that supervises others. */
export function createSupervisorMetrics(): Registered<typeof supervisorMetrics> & {
  readonly registry: Registry;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry, ...registerAll(supervisorMetrics, registry) };
}

/** Registers the backlog gauges. Only processes that run workers have them. */
export const showBacklog = ({ registry }: Metrics): BacklogMetrics => registerAll(backlogMetrics, registry);

export function showSources({ registry }: Metrics, sources: MetricSources): void {
  const { replica, clock } = sources;
  const show = (metric: keyof typeof readMetrics, read: () => Reading | Promise<Reading>): void =>
    registerRead(readMetrics[metric], registry, read);

  show('queuedRows', () => sources.queuedRows());
  show('bodyBytes', () => sources.bodyBytes());
  show('answerBytes', () => sources.answerBytes());
  show('connections', () => sources.connections());
  show('isReady', async () => ((await sources.isReady()) ? 1 : 0));
  if (sources.freeBytes() !== null) show('freeBytes', () => sources.freeBytes() ?? 0);
  show('poolUsage', () => {
    const { total, idle, waiting } = sources.poolUsage();
    return Object.entries({ busy: total - idle, idle, waiting });
  });
  if (replica !== null) {
    show('replicaAgeSeconds', () => (replica.ageMs() ?? Number.NaN) / 1_000);
    show('replicaUsed', () => (replica.state() === 'used' ? 1 : 0));
    show('reportStatements', () => Object.entries(replica.counts()));
  }
  show('diskBytes', async () => (await sources.diskUse())?.tables ?? []);
  if (sources.namesPublishers)
    show('publisherDiskBytes', async () =>
      ((await sources.diskUse())?.publishers ?? []).map(({ publisherId, bytes }) => [publisherId, bytes]),
    );
  show('partitionDays', () => {
    const until = sources.coveredUntil();
    return until === null ? null : (until.getTime() - clock.now().getTime()) / 86_400_000;
  });
}

function registerRead(
  metric: Declared<'counter' | 'gauge', string>,
  registry: Registry,
  read: () => Reading | Promise<Reading>,
): void {
  const [label = ''] = metric.labels;
  const collector = new { counter: Counter, gauge: Gauge }[metric.kind]({
    ...optionsOf(metric, registry),
    async collect() {
      const reading = await read();
      if (reading === null) return;
      collector.reset();
      if (typeof reading === 'number') collector.inc(reading);
      else for (const [value, count] of reading) collector.inc({ [label]: value }, count);
    },
  });
}

function registerAll<Table extends Readonly<Record<string, Declared<Kind, string>>>>(
  table: Table,
  registry: Registry,
): Registered<Table> {
  const collectors = Object.entries(table).map(([key, metric]) => [key, register(metric, registry)]);
  return Object.fromEntries(collectors);
}

type Kind = 'counter' | 'gauge' | 'histogram';

function register(metric: Declared<Kind, string>, registry: Registry): Counter | Gauge | Histogram {
  const options = optionsOf(metric, registry);
  if (metric.kind === 'counter') return new Counter(options);
  if (metric.kind === 'gauge') return new Gauge(options);
  return new Histogram({ ...options, buckets: [...(metric.buckets ?? [])] });
}

const optionsOf = ({ name, help, labels }: Declared<Kind, string>, registry: Registry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});
