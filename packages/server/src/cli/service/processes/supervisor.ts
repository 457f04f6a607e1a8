import type { Log } from '../../../platform/telemetry/log.ts';
import { createSupervisorMetrics } from '../../../platform/telemetry/metrics.ts';
import type { Stoppable } from '../drain.ts';
import type { Addresses } from '../serving.ts';
import { type Job, type KeptProcess, keepRunning } from './keep-running.ts';
import type { Order, Report } from './messages.ts';
import { MetricsGatherer } from './metrics-gatherer.ts';

/** Processes that share a port, as one service. */
export interface Supervisor extends Stoppable {
  /** Resolves when all processes are ready; rejects if one of them can't start. */
  readonly ready: Promise<Addresses>;
}

interface Options {
  log: Log;
  /** Environment of the processes. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Time that a process may take to stop. After that, it is killed. */
  stopWithinMs: number;
}

/** Runs several processes, and starts each again if it ends. */
export function startSupervisor(jobs: readonly Job[], options: Options): Supervisor {
  const { registry, restarts } = createSupervisorMetrics();
  for (const { role } of jobs) restarts.inc({ role }, 0);
  registry.setDefaultLabels({ process: 'supervisor' });
  const gatherer = new MetricsGatherer(registry);
  const tell = (order: Order, to: readonly KeptProcess[] = processes): number =>
    to.filter((each) => each.send(order)).length;
  const answerMetrics = async (id: number, to: KeptProcess): Promise<void> => {
    const text = await gatherer.read((reading) => tell({ kind: 'measure', id: reading }));
    to.send({ kind: 'metrics', id, text });
  };
  const onReport = (report: Report, from: KeptProcess): void => {
    if (report.kind === 'wrote') tell({ kind: 'wake' }, workers);
    else if (report.kind === 'readMetrics') void answerMetrics(report.id, from);
    else if (report.kind === 'measured') gatherer.take(report.id, report.metrics);
  };
  const onRestart = ({ role }: Job): void => restarts.inc({ role });
  const processes = jobs.map((job) => keepRunning(job, { ...options, onReport, onRestart }));
  const workers = processes.filter(({ job }) => job.role === 'worker');
  return {
    ready: Promise.all(processes.map(({ ready }) => ready)).then(
      (all) => all.find(({ address }) => address !== null) ?? { address: null, shownAt: null },
    ),
    prepareToStop: () => void tell({ kind: 'prepareToStop' }),
    stop: async () => void (await Promise.all(processes.map((each) => each.stop()))),
  };
}
