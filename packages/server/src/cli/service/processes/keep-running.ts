import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../../platform/operator-error.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import { nameOption } from '../roles.ts';
import type { Addresses } from '../serving.ts';
import { forwardLines } from './forward-lines.ts';
import type { Order, Report } from './messages.ts';

/** Process to keep running: its name, and the role of its `serve` command. */
export interface Job {
  readonly name: string;
  readonly role: 'api' | 'worker';
}

export interface KeptProcess {
  readonly job: Job;
  /** Resolves when the process is ready for the first time, and rejects if it ends before. */
  readonly ready: Promise<Addresses>;
  /** @returns false if the process isn't running */
  send(order: Order): boolean;
  /** Stops the process, and kills it if that takes too long. */
  stop(): Promise<void>;
}

interface Options {
  log: Log;
  /** Environment of the process. */
  environment: Readonly<Record<string, string | undefined>>;
  stopWithinMs: number;
  onReport(report: Report, from: KeptProcess): void;
  onRestart(job: Job): void;
}

const executable = fileURLToPath(new URL('../../../../bin/attribution.js', import.meta.url));

/** Pause before a process that ended is started again. It doubles each time, until the process has run for a minute. */
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;
const isSteadyAfterMs = 60_000;

/** A process that gives no sign of life this many times in a row is killed. */
const askEveryMs = 5_000;
const maxMissed = 12;

/** Starts a process, and starts it again whenever it ends. */
export function keepRunning(
  job: Job,
  { log, environment, stopWithinMs, onReport, onRestart }: Options,
): KeptProcess {
  const ready = Promise.withResolvers<Addresses>();
  let child: ChildProcess | null = null;
  let isStopping = false;
  let wasReady = false;
  let pauseMs = shortestPauseMs;
  let restart: NodeJS.Timeout | undefined;
  let ended = Promise.resolve();

  const send = (order: Order): boolean => {
    if (child?.connected !== true) return false;
    child.send(order, () => undefined); // it may end before the message arrives
    return true;
  };
  const start = (): void => {
    const startedAt = performance.now();
    const started = startProcess(job, environment);
    const watch = watchLife(started, () => {
      log.error(`the process ${job.name} doesn't respond; it will be killed`);
      started.kill('SIGKILL');
    });
    child = started;
    started.on('message', (report: Report) => {
      watch.noteLife();
      if (report.kind === 'ready') {
        wasReady = true;
        ready.resolve({ address: report.address, shownAt: report.shownAt });
      } else if (report.kind !== 'alive') onReport(report, kept);
    });
    ended = endOf(started).then((how) => {
      watch.stop();
      child = null;
      if (isStopping) return;
      if (!wasReady) {
        ready.reject(new OperatorError(`The process ${job.name} could not start.`));
        return;
      }
      if (performance.now() - startedAt > isSteadyAfterMs) pauseMs = shortestPauseMs;
      log.error(`the process ${job.name} ended (${how}); it starts again in ${pauseMs / 1_000} s`);
      restart = setTimeout(() => {
        onRestart(job);
        start();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    });
  };
  const kept: KeptProcess = {
    job,
    ready: ready.promise,
    send,
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      send({ kind: 'stop' });
      const kill = setTimeout(() => child?.kill('SIGKILL'), stopWithinMs);
      await ended;
      clearTimeout(kill);
    },
  };
  ready.promise.catch(() => undefined);
  start();
  return kept;
}

/** Resolves with how a process ended, or why the system couldn't start it. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.on('error', (error) => child.pid === undefined && resolve(error.message));
  });

function startProcess(
  { name, role }: Job,
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  const child = fork(executable, ['serve', '--role', role, nameOption, name], {
    // The variable is the one that bin/attribution.js sets for itself, and removes again.
    env: { ...environment, MALLOC_MMAP_THRESHOLD_: '131072' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced', // metrics contain NaN
  });
  if (child.stdout !== null) forwardLines(child.stdout, process.stdout);
  if (child.stderr !== null) forwardLines(child.stderr, process.stderr);
  return child;
}

/** Asks a process for signs of life. Counts questions rather than time, which jumps if the machine sleeps. */
function watchLife(child: ChildProcess, onMissed: () => void): { noteLife(): void; stop(): void } {
  let missed = 0;
  const timer = setInterval(() => {
    missed += 1;
    if (missed > maxMissed) onMissed();
    else if (child.connected) child.send({ kind: 'answer' } satisfies Order, () => undefined);
  }, askEveryMs);
  return {
    noteLife() {
      missed = 0;
    },
    stop: () => clearInterval(timer),
  };
}
