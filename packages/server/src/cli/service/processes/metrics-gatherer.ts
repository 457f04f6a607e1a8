import { AggregatorRegistry, type Registry } from 'prom-client';
import type { MeasuredMetrics } from './messages.ts';

/** Time for a process to measure itself. The page lacks one that takes longer. */
const measureWithinMs = 2_000;

interface Reading {
  /** Number of processes that were asked. */
  asked: number;
  readonly came: MeasuredMetrics[];
  finish(): void;
}

/** Gathers the metrics of several processes, and those of their supervisor, as one page. */
export class MetricsGatherer {
  readonly #own: Registry;
  readonly #readings = new Map<number, Reading>();
  #last = 0;

  constructor(own: Registry) {
    this.#own = own;
  }

  /** @param ask asks each process to measure itself, and returns the number of processes that were asked */
  async read(ask: (id: number) => number): Promise<string> {
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    const reading: Reading = { asked: Number.POSITIVE_INFINITY, came: [], finish: resolve };
    this.#readings.set(id, reading);
    const timer = setTimeout(resolve, measureWithinMs);
    reading.asked = ask(id);
    if (reading.asked === 0) resolve();
    await promise;
    clearTimeout(timer);
    this.#readings.delete(id);
    return joinMetrics([await this.#own.getMetricsAsJSON(), ...reading.came]);
  }

  take(id: number, metrics: MeasuredMetrics): void {
    const reading = this.#readings.get(id);
    if (reading === undefined) return;
    reading.came.push(metrics);
    if (reading.came.length >= reading.asked) reading.finish();
  }
}

/** Joins metrics whose labels name their process, so that adding up equal labels changes nothing. */
const joinMetrics = (all: readonly MeasuredMetrics[]): Promise<string> =>
  AggregatorRegistry.aggregate(
    all.map((metrics) =>
      metrics.map((metric) => ({ ...metric, aggregator: 'sum' as const })),
    ) as unknown as object[],
  ).metrics();
