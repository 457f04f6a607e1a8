import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyFor } from './sealer.ts';

const bin = fileURLToPath(new URL('../bin/attribution.js', import.meta.url));

export interface ProcessOptions {
  /** Settings of the process, which does not inherit the test run's environment. */
  environment?: Record<string, string>;
  input?: string;
  /** System user to run the process as, for tests that run as root. */
  user?: string;
  /** Executable of another version; this version's by default. */
  program?: string | undefined;
}

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Real `attribution` process in its own process group, as in a terminal. */
export interface AttributionProcess {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
  stdout(): string;
  stderr(): string;
  /** Sends a signal only to this process, as `kill` does. */
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGINT to the whole process group, as Ctrl-C in a terminal does. */
  pressCtrlC(): void;
}

export interface AttributionServer extends AttributionProcess {
  readonly url: string;
  /** Time from the start of the process until it printed its address, in milliseconds. */
  readonly startedInMs: number;
}

const live = new Set<ChildProcess>();
process.once('exit', killLeftovers);

/** Kills (-9) processes left by a failed test. */
export function killLeftovers(): void {
  for (const child of live) child.kill('SIGKILL');
}

export function spawnAttribution(args: readonly string[], options: ProcessOptions = {}): AttributionProcess {
  const { environment = {}, input = '', user, program = bin } = options;
  const command = [program, ...args];
  const [file = '', ...rest] =
    user === undefined
      ? command
      : ['setpriv', `--reuid=${user}`, '--regid=65534', '--clear-groups', ...command];
  const child = spawn(file, rest, {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      TMPDIR: process.env.TMPDIR,
      LOG_LEVEL: 'warn',
      ...keyFor(environment),
      ...environment,
    },
    detached: true,
    stdio: 'pipe',
  });
  live.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8');
    child[name].on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  child.stdin.on('error', () => undefined); // it may exit without reading
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code, signal]) => {
    live.delete(child);
    return { code, signal, ...output } as Outcome;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot run ${file}`);
  return {
    pid,
    ended,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal) => void child.kill(signal),
    pressCtrlC: () => void process.kill(-pid, 'SIGINT'),
  };
}

/** Runs a command to completion. */
export const runAttribution = (args: readonly string[], options: ProcessOptions = {}): Promise<Outcome> =>
  spawnAttribution(args, options).ended;

/** Starts `attribution serve` on a free port and waits until it is listening. */
export async function startServer(
  environment: Record<string, string>,
  user?: string,
  args: readonly string[] = [],
  program?: string,
): Promise<AttributionServer> {
  const startedAt = performance.now();
  const server = spawnAttribution(['serve', ...args], {
    environment: { PORT: '0', ...environment },
    ...(user !== undefined && { user }),
    program,
  });
  const url = await until(
    `the server to listen`,
    () => /listens on (http:\/\/\S+)/.exec(server.stdout())?.[1],
    server.ended.then(({ code, stdout, stderr }) => {
      throw new Error(`the server ended with ${code} before it was listening:\n${stdout}\n${stderr}`);
    }),
  );
  return { ...server, url, startedInMs: performance.now() - startedAt };
}

const waitMs = 60_000;

/** Polls until `look` returns a value. Fails after a time limit or if `failure` rejects. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | null | false | Promise<Value | undefined | null | false>,
  failure: Promise<never> = new Promise(() => undefined),
  patienceMs = waitMs,
): Promise<Value> {
  const deadline = performance.now() + patienceMs;
  failure.catch(() => undefined); // it may reject after the wait has ended
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline)
      throw new Error(`timed out waiting for ${what} (${patienceMs / 1_000} s)`);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 20)), failure]);
  }
}
