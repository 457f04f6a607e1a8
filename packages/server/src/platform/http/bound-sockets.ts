import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../network-of.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app-type.ts';
import type { HolderOf } from './bodies/bound-bodies.ts';

export interface SocketBounds {
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Proxies, whose connections carry everybody's requests. */
  trustProxy: readonly string[];
}

/** While the service stops: so long what is not yet a request may become one. */
const quietMs = 1_000;

interface Connection {
  readonly socket: Socket;
  /** Address that the socket is counted for; null for a trusted proxy's. */
  readonly address: string | null;
  /** True when a valid key was sent on it. */
  isKnown: boolean;
  asked: number;
  answered: number;
}

/**
 * Bounds connections, for each address and in all. At a bound the one that matters least makes room: the oldest on
 * which no good key was ever sent, or else the oldest that idles; when there is none, the new one is refused. A stop waits for no
 * connection on which nothing is asked: Node ends those alone that idle when it begins, and would wait for ever for one
 * that a browser opened ahead of need, or for the rest of a request's head.
 */
export function boundSockets(
  app: App,
  holderOf: HolderOf,
  metrics: Metrics,
  { maxConnections, maxConnectionsPerAddress, trustProxy }: SocketBounds,
): { connections: ReadonlyMap<Socket, object> } {
  /** In the order they were opened. */
  const connections = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  const isTrusted = compile([...trustProxy]);

  const forget = ({ socket, address }: Connection): void => {
    if (!connections.delete(socket) || address === null) return;
    const left = (counts.get(address) ?? 0) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
  };
  /** @returns whether a connection was ended, of the address or of anybody */
  const makeRoom = (address: string | null): boolean => {
    let least: Connection | null = null;
    for (const connection of connections.values()) {
      if (address !== null && connection.address !== address) continue;
      if (!connection.isKnown && connection.address !== null) {
        least = connection;
        break;
      }
      if (connection.asked <= connection.answered) least ??= connection;
    }
    if (least === null) return false;
    metrics.refusedRequests.inc({ reason: 'connections' });
    forget(least);
    least.socket.destroy();
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
    const connection = { socket, address, isKnown: false, asked: 0, answered: 0 };
    connections.set(socket, connection);
    if (address !== null) counts.set(address, (counts.get(address) ?? 0) + 1);
    socket.once('close', () => forget(connection));
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection !== undefined) connection.asked += 1;
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection?.isKnown === false) connection.isKnown = holderOf(request) !== null;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection !== undefined) connection.answered += 1;
    done();
  });
  let looks: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    looks = setInterval(() => {
      for (const { socket, asked, answered } of connections.values())
        if (asked <= answered) socket.destroySoon();
    }, quietMs);
  });
  app.addHook('onClose', async () => clearInterval(looks));
  return { connections };
}

/** An address, or its network. null for a trusted proxy, and a socket of files. */
function countedAddress(socket: Socket, isTrusted: (address: string, hop: number) => boolean): string | null {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return null;
  if (isTrusted(ipaddr.process(remoteAddress).toString(), 0)) return null;
  return networkOf(remoteAddress);
}
