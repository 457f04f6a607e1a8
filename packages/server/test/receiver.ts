import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  atMs: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect events of any shape
  json: any;
}

/** Receiver's response to a complete request. */
export type Behavior = (response: ServerResponse, request: Received) => void;

/** Webhook receiver: a real HTTP server on loopback that can misbehave. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Returns the number of connections, including those that sent no request. */
  readonly connections: () => number;
  readonly eventIds: () => string[];
  behave(behavior: Behavior): void;
  close(): Promise<void>;
}

export async function startReceiver(behavior: Behavior = answer(200), host = '127.0.0.1') {
  let behaves = behavior;
  let connections = 0;
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.on('error', () => undefined);
    void read(request).then(
      (found) => {
        received.push(found);
        behaves(response, found);
      },
      () => undefined, // the connection was closed before everything was sent
    );
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    connections: () => connections,
    eventIds: () => received.map(({ json }) => json?.eventId),
    behave(next) {
      behaves = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  return {
    atMs: performance.now(),
    path: request.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    json: parse(body),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const answer =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Behavior =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export const hang: Behavior = () => undefined;

export const reset: Behavior = (response) => void response.socket?.resetAndDestroy();

/** Returns a behavior that writes bytes that no HTTP server would send. */
export const raw =
  (text: string): Behavior =>
  (response) =>
    void response.socket?.end(text, 'latin1');

/** Starts a response whose headers never end. */
export const dripHeaders: Behavior = (response) => {
  const { socket } = response;
  socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
  repeat(response, () => socket?.write('a'));
};

/** Responds with 200 immediately and sends the body one byte at a time. */
export const dripBody: Behavior = (response) => {
  response.writeHead(200, { 'content-length': '100000' }).flushHeaders();
  repeat(response, () => response.write('b'));
};

/** Responds with 200 and an endless body, as fast as it is read. */
export const endlessBody: Behavior = (response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'c');
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', pour);
  };
  pour();
};

function repeat(response: ServerResponse, work: () => void): void {
  const timer = setInterval(work, 50);
  response.socket?.once('close', () => clearInterval(timer));
}
