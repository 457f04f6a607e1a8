import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../network-of.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app-type.ts';
import type { TenantOf } from './bodies/bound-bodies.ts';

export interface SocketBounds {
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Trusted proxies. One connection from such a proxy carries requests from many clients. */
  trustProxy: readonly string[];
}

/** Interval at which connections without a request are closed while the service is stopping. */
const quietMs = 1_000;

interface Connection {
  readonly socket: Socket;
  /** Address that the connection counts against; null for a trusted proxy. */
  readonly address: string | null;
  /** True if a valid key was sent on the connection. */
  isKnown: boolean;
  requests: number;
  responses: number;
}

/** Counts the requests on each connection. */
export interface SocketUse {
  readonly connections: ReadonlyMap<Socket, object>;
  /** Returns whether all requests on a connection have been answered, and the client has read the responses. */
  isQuiet(socket: Socket): boolean;
  /** Notes a request with a valid key. */
  begin(socket: Socket): void;
  end(socket: Socket): void;
  /** Takes back a noted request, which is noted again later. */
  cancel(socket: Socket): void;
}

/**
 * Limits the number of connections per address and in total. At the limit, a new connection replaces the oldest
 * connection on which no valid key was sent, or otherwise the oldest idle connection. If neither exists, the new
 * connection is refused. A shutdown doesn't wait for connections without a request. On its own, Node only closes
 * connections that are idle when the shutdown starts, and would wait forever for a connection that a browser opened in
 * advance or for the rest of a request's headers.
 */
export function boundSockets(
  app: App,
  tenantOf: TenantOf,
  metrics: Metrics,
  { maxConnections, maxConnectionsPerAddress, trustProxy }: SocketBounds,
): SocketUse {
  // Connections in the order in which they were opened.
  const connections = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  const isTrusted = compile([...trustProxy]);

  const forget = ({ socket, address }: Connection): void => {
    if (!connections.delete(socket) || address === null) return;
    const left = (counts.get(address) ?? 0) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
  };
  // Closes a connection from the address, or from any address if it is null. Returns false if there is no
  // connection to close.
  const makeRoom = (address: string | null): boolean => {
    let victim: Connection | null = null;
    for (const connection of connections.values()) {
      if (address !== null && connection.address !== address) continue;
      if (!connection.isKnown && connection.address !== null) {
        victim = connection;
        break;
      }
      if (connection.requests <= connection.responses) victim ??= connection;
    }
    if (victim === null) return false;
    metrics.refusedRequests.inc({ reason: 'connections' });
    forget(victim);
    victim.socket.destroy();
    return true;
  };

  app.server.on('connection', (socket: Socket) => {
    const address = countedAddress(socket, isTrusted);
    const own = address === null ? 0 : (counts.get(address) ?? 0);
    const hasRoom =
      (own < maxConnectionsPerAddress || makeRoom(address)) &&
      (connections.size < maxConnections || makeRoom(null));
    if (!hasRoom) {
      metrics.refusedRequests.inc({ reason: 'connections' });
      socket.destroy();
      return;
    }
    const connection = { socket, address, isKnown: false, requests: 0, responses: 0 };
    connections.set(socket, connection);
    if (address !== null) counts.set(address, (counts.get(address) ?? 0) + 1);
    socket.once('close', () => forget(connection));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection !== undefined) connection.requests += 1;
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection?.isKnown === false) connection.isKnown = tenantOf(request) !== null;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection !== undefined) connection.responses += 1;
    done();
  });
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      for (const { socket, requests, responses } of connections.values())
        if (requests <= responses) socket.destroySoon();
    }, quietMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
  return {
    connections,
    isQuiet(socket) {
      const connection = connections.get(socket);
      return connection?.requests === connection?.responses && socket.writableLength === 0;
    },
    begin(socket) {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.requests += 1;
      connection.isKnown = true;
    },
    end(socket) {
      const connection = connections.get(socket);
      if (connection !== undefined) connection.responses += 1;
    },
    cancel(socket) {
      const connection = connections.get(socket);
      if (connection !== undefined) connection.requests -= 1;
    },
  };
}

/** Returns the network whose limit a connection counts against, or null for a trusted proxy or a Unix socket. */
function countedAddress(socket: Socket, isTrusted: (address: string, hop: number) => boolean): string | null {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return null;
  if (isTrusted(ipaddr.process(remoteAddress).toString(), 0)) return null;
  return networkOf(remoteAddress);
}
