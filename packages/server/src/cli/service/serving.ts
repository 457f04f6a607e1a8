import { buildApp } from '../../app.ts';
import { composeService, type Foundation, type Service } from '../../composition.ts';
import { hasCitus } from '../../platform/database/has-citus.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { ReadMetrics } from '../../platform/telemetry/metrics.ts';
import { startWorkers, type Workers } from '../../worker.ts';
import { closeInTime, type Stoppable } from './drain.ts';
import { apiAddress, createOperationsApp, listenAt, operationsAddress } from './listen-at.ts';
import type { Role } from './roles.ts';

interface Start {
  foundation: Foundation;
  role: Role;
  /** Ports that the process listens on: its own (the default), ports that several processes share, or none. */
  listens?: 'alone' | 'together' | 'never';
  /** Reads the metrics of all processes; those of this process if absent. */
  readMetrics?: ReadMetrics | undefined;
  /** Called after each request that may have written data, if other processes do the background work. */
  onWrite?: () => void;
  /** Called before the process listens. */
  prepare?: (app: App, service: Service) => Promise<void>;
}

export interface Addresses {
  /** URL of the service; null if the process has no port of its own. */
  readonly address: string | null;
  /** URL of metrics and the API reference, if they have a port of their own. */
  readonly shownAt: string | null;
}

/** Requests and background work of one process. */
export interface Serving extends Addresses, Stoppable {
  /** Starts the background work that waits, if this process does it. */
  wake(): void;
}

/** Starts what a process does: it serves requests, does background work, or both. */
export async function startServing(start: Start): Promise<Serving> {
  const { foundation, role, listens = 'alone', readMetrics } = start;
  const { config, database, log, metrics } = foundation;
  let workers: Workers | null = null;
  const wake = () => workers?.wake();
  const operations = listens === 'never' ? null : createOperationsApp(config, { log, metrics });
  const sharesPort = listens === 'together';
  const stopping = new AbortController();
  const service = composeService(foundation);
  const app = await buildApp(service, {
    stopping: stopping.signal,
    ...(operations !== undefined && { operations }),
    readMetrics,
    servesApi: role !== 'worker',
    onWrite: start.onWrite ?? wake,
  });
  await start.prepare?.(app, service);
  const address = listens === 'never' ? null : await listenAt(app, apiAddress(config), sharesPort);
  const separate = operationsAddress(config);
  const shownAt =
    operations && separate !== null
      ? await listenAt(operations, separate, sharesPort).catch(closing(app))
      : null;
  if (role !== 'api') workers = startWorkers(service, await hasCitus(database.background));
  return {
    address,
    shownAt,
    wake,
    prepareToStop: () => stopping.abort(),
    async stop() {
      await closeInTime(Promise.all([app.close(), workers?.stop()]), config.shutdownTimeoutMs);
      app.server.closeAllConnections(); // including clients that are still sending
      operations?.server.closeAllConnections();
      await operations?.close();
    },
  };
}

/** Closes an application if the other application couldn't start listening. */
const closing =
  (app: App) =>
  async (error: unknown): Promise<never> => {
    await app.close();
    throw error;
  };
