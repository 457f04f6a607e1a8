import { systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { createLog } from '../../platform/telemetry/log.ts';
import { startTracing } from '../../platform/telemetry/start-tracing.ts';
import type { Surroundings } from '../command-tools.ts';
import { printable } from '../print/printable.ts';
import { dashboardLink } from './dashboard-link.ts';
import { portalLine } from './demo-portal.ts';
import { drain, type Stoppable } from './drain.ts';
import { greet } from './greet.ts';
import { type Prepared, withPreparedDatabase } from './prepare.ts';
import type { Role } from './roles.ts';
import { recordServedOrigin } from './served-origin.ts';
import type { Addresses } from './serving.ts';

interface Run {
  readonly role: Role;
  /** Name that a supervisor gave this process; null if there is none. */
  readonly name: string | null;
  /** Environment of further processes. */
  readonly environment: Surroundings['environment'];
  readonly print: (line: string) => void;
  /** Warnings issued before the log was created. */
  readonly warnings: readonly string[];
}

/** Runs the service until SIGTERM or Ctrl-C, and then finishes pending requests. */
export async function runService(config: Config, run: Run): Promise<void> {
  const { role, name, print, warnings } = run;
  const stopRequested = new Promise<NodeJS.Signals>((resolve) => {
    // The handlers stay registered, so that a second signal, which npm may send, doesn't cut
    // the shutdown short.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
  // The service must keep running when the reader of its output closes the pipe (`npm start | head`).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const write = (line: string) => void process.stderr.write(printable(line));
  const log = createLog(config.logLevel, systemClock, write, name);
  const tracing = await startTracing(config, log);
  try {
    // Ctrl-C reaches all processes, but only the supervisor obeys it, and then stops the others. A supervisor
    // doesn't load the application.
    if (name !== null) {
      const { runSupervised } = await import('./processes/run-supervised.ts');
      return await runSupervised(config, { role, name, log, print });
    }
    for (const warning of warnings) log.warn(warning);
    // Background work needs only one process.
    const processes = role === 'worker' ? 1 : config.processes;
    await withPreparedDatabase({ config, processes, role, log, print }, async (prepared) => {
      const serve =
        processes === 1
          ? (await import('./serve-alone.ts')).serveAlone
          : (await import('./processes/serve-together.ts')).serveTogether;
      const serving = await serve(prepared, { role, processes, environment: run.environment });
      await untilStopped(prepared, { serving, role, print, stopRequested });
    });
  } finally {
    await tracing?.stop();
  }
  print('Stopped.');
}

interface Until {
  serving: Addresses & Stoppable;
  role: Role;
  print: (line: string) => void;
  stopRequested: Promise<unknown>;
}

async function untilStopped(
  prepared: Prepared,
  { serving, role, print, stopRequested }: Until,
): Promise<void> {
  const { config, isEmbedded, database, demo, portal } = prepared;
  const address = serving.address ?? '';
  const origin = config.publicUrl ?? `http://localhost:${new URL(address).port}`;
  const forgetOrigin = isEmbedded && role !== 'worker' ? recordServedOrigin(config, origin) : () => undefined;
  try {
    greet(print, {
      dashboard: demo === null ? `${origin}/sign-in` : await dashboardLink(database.db, 'aurora', origin),
      portal: portal && (await portalLine(database.db, portal.url)),
      role,
      address,
      shownAt: serving.shownAt,
      config,
      isEmbedded,
      demoKeys: demo?.keys ?? null,
    });
    await stopRequested;
  } finally {
    await drain(serving, config, print);
    forgetOrigin();
  }
}
