import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Addresses } from '../serving.ts';

/** Metrics of one process, as its registry returns them. */
export type MeasuredMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Messages from a process to its supervisor. */
export type Report =
  | ({ kind: 'ready' } & Addresses)
  /** A request may have written data that needs processing. */
  | { kind: 'wrote' }
  | { kind: 'alive' }
  /** Asks for the metrics of all processes. */
  | { kind: 'readMetrics'; id: number }
  | { kind: 'measured'; id: number; metrics: MeasuredMetrics };

/** Messages from a supervisor to a process. */
export type Order =
  | { kind: 'prepareToStop' }
  | { kind: 'stop' }
  | { kind: 'wake' }
  /** Asks for a sign of life. */
  | { kind: 'answer' }
  | { kind: 'measure'; id: number }
  | { kind: 'metrics'; id: number; text: string };
