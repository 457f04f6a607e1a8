import { OperatorError } from '../../../platform/operator-error.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { nameOption } from '../roles.ts';
import type { Serving } from '../serving.ts';
import type { Order, Report } from './messages.ts';

/** Time between two reports of writes, so that many requests cause few messages. */
const reportWritesEveryMs = 50;

/** Connection of a process to its supervisor. */
export interface SupervisorLink {
  readonly stopRequested: Promise<void>;
  /** Lets the process end. */
  leave(): void;
  /** Reports that the process is ready. The supervisor's orders apply to what it serves. */
  serves(serving: Serving): void;
  reportWrite(): void;
  /** Reads the metrics of all processes. */
  readMetrics(): Promise<string>;
}

/** @throws OperatorError if this process has no supervisor */
export function listenToSupervisor({ registry }: Metrics): SupervisorLink {
  if (process.send === undefined)
    throw new OperatorError(
      `${nameOption} is for processes that a supervisor starts; set PROCESSES instead.`,
    );
  const report = (message: Report): void => {
    // If the supervisor is gone, this process is about to end.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  const readings = new Map<number, (text: string) => void>();
  let lastReading = 0;
  let reportsWrite = false;
  let isPreparing = false;
  let serving: Serving | null = null;
  const stop = Promise.withResolvers<void>();
  const prepareToStop = (): void => {
    isPreparing = true;
    serving?.prepareToStop();
  };
  const measure = async (id: number): Promise<void> =>
    report({ kind: 'measured', id, metrics: await registry.getMetricsAsJSON() });
  const obey = (order: Order): void => {
    if (order.kind === 'prepareToStop') prepareToStop();
    else if (order.kind === 'stop') stop.resolve();
    else if (order.kind === 'wake') serving?.wake();
    else if (order.kind === 'answer') report({ kind: 'alive' });
    else if (order.kind === 'measure') void measure(order.id);
    else {
      readings.get(order.id)?.(order.text);
      readings.delete(order.id);
    }
  };
  process.on('message', obey);
  // The supervisor was killed, so that another one may start with the same database and port.
  process.on('disconnect', () => process.exit(1));
  return {
    stopRequested: stop.promise,
    leave: () => process.channel?.unref(),
    serves(started) {
      serving = started;
      if (isPreparing) started.prepareToStop();
      report({ kind: 'ready', address: started.address, shownAt: started.shownAt });
    },
    reportWrite() {
      if (reportsWrite) return;
      reportsWrite = true;
      setTimeout(() => {
        reportsWrite = false;
        report({ kind: 'wrote' });
      }, reportWritesEveryMs).unref();
    },
    readMetrics: () =>
      new Promise((resolve) => {
        lastReading += 1;
        readings.set(lastReading, resolve);
        report({ kind: 'readMetrics', id: lastReading });
      }),
  };
}
