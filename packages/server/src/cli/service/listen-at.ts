import type { Config } from '../../platform/config.ts';
import type { App } from '../../platform/http/app-type.ts';
import { createHttpApp, type HttpOptions } from '../../platform/http/create-app.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/**
 * Connections that wait to be taken while the process is busy. Of Node's 511, one client that opens 500 at once leaves
 * the others too few: theirs are reset. The system may allow fewer (`net.core.somaxconn`, 4,096 on Linux).
 */
const waitingConnections = 4_096;

interface Place {
  host: string;
  port: number;
  /** The settings that name it. */
  hostSetting: string;
  portSetting: string;
}

/** Where the API is served. */
export const apiPlace = ({ host, port }: Config): Place => ({
  host,
  port,
  hostSetting: 'HOST',
  portSetting: 'PORT',
});

/** Where metrics and the reference are served, when on an address of their own. */
export function operationsPlace({ host, operationsHost, operationsPort }: Config): Place | null {
  if (typeof operationsPort !== 'number') return null;
  return {
    host: operationsHost ?? host,
    port: operationsPort,
    hostSetting: operationsHost === null ? 'HOST' : 'OPERATIONS_HOST',
    portSetting: 'OPERATIONS_PORT',
  };
}

/**
 * The application for metrics and the reference.
 * @returns null when they are switched off, undefined when they are served beside the API
 */
export function createOperationsApp(
  config: Config,
  options: Pick<HttpOptions, 'log' | 'metrics'>,
): App | null | undefined {
  const { operationsPort, requestTimeoutMs, answerTimeoutMs } = config;
  if (operationsPort === null) return undefined;
  if (operationsPort === 'off') return null;
  return createHttpApp({
    ...options,
    requestTimeoutMs,
    answerTimeoutMs,
    sockets: config,
    tenantOf: () => null,
  }).app;
}

/**
 * Listens.
 * @returns the address, as a URL
 * @throws OperatorError naming the setting that cannot be used
 */
export function listenAt(app: App, place: Place): Promise<string> {
  return app.listen({ host: place.host, port: place.port, backlog: waitingConnections }).catch((error) => {
    throw listenError(place, error);
  });
}

function listenError({ host, port, hostSetting, portSetting }: Place, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new OperatorError(
      `Port ${port} on ${host} is in use. Set ${portSetting} to another one, or 0 for any free one.`,
    );
  }
  if (error.code === 'EACCES')
    return new OperatorError(
      `Port ${port} may not be used without privileges. Set ${portSetting} to 1024 or above.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new OperatorError(`${hostSetting} ${host} is not an address of this machine.`);
  }
  return error;
}
