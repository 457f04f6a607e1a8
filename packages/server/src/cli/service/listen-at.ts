import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../../platform/config.ts';
import type { App } from '../../platform/http/app-type.ts';
import { createHttpApp, type HttpOptions } from '../../platform/http/create-app.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/**
 * Maximum number of connections waiting to be accepted. With Node's default of 511, a client that opens 500
 * connections at once would cause other clients' connections to be reset. The system may impose a lower limit
 * (`net.core.somaxconn`, 4,096 on Linux).
 */
const backlog = 4_096;

/** Address to listen on, with the names of its settings for error messages. */
interface ListenAddress {
  host: string;
  port: number;
  hostSetting: string;
  portSetting: string;
}

export const apiAddress = ({ host, port }: Config): ListenAddress => ({
  host,
  port,
  hostSetting: 'HOST',
  portSetting: 'PORT',
});

/** Returns the separate address for metrics and the API reference, or null when there is none. */
export function operationsAddress({ host, operationsHost, operationsPort }: Config): ListenAddress | null {
  if (typeof operationsPort !== 'number') return null;
  return {
    host: operationsHost ?? host,
    port: operationsPort,
    hostSetting: operationsHost === null ? 'HOST' : 'OPERATIONS_HOST',
    portSetting: 'OPERATIONS_PORT',
  };
}

/**
 * Creates the separate application for metrics and the API reference.
 * @returns null when metrics and reference are disabled, undefined when the API's application serves them
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
 * Starts listening.
 * @param sharesPort true if several processes listen on the same port, among which the system divides connections
 * @returns the URL of the address
 * @throws OperatorError that names the setting to change
 */
export function listenAt(app: App, address: ListenAddress, sharesPort = false): Promise<string> {
  // Fastify passes options on to Node, but its types lack this one.
  const shared = sharesPort ? { reusePort: true } : {};
  return app.listen({ host: address.host, port: address.port, backlog, ...shared }).catch((error) => {
    throw listenError(address, error);
  });
}

/**
 * Finds the port that several processes will share, which can't detect another program on it themselves.
 * @returns the port; a free one if the address's port is 0
 * @throws OperatorError that names the setting to change
 */
export function findSharedPort(address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(listenError(address, error)));
    server.listen({ host: address.host, port: address.port }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function listenError(
  { host, port, hostSetting, portSetting }: ListenAddress,
  error: NodeJS.ErrnoException,
): Error {
  if (error.code === 'EADDRINUSE') {
    return new OperatorError(
      `Port ${port} on ${host} is in use. Set ${portSetting} to another port, or to 0 for any free port.`,
    );
  }
  if (error.code === 'EACCES')
    return new OperatorError(`Port ${port} requires privileges. Set ${portSetting} to 1024 or above.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new OperatorError(`${hostSetting} ${host} is not an address of this machine.`);
  }
  return error;
}
