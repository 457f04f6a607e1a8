import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Webhook receivers in their own process. The path selects the behavior: /ok responds with 200, and all other
 * paths misbehave. In reply to a message, the process sends the number of a tag's events, or the events'
 * latencies from createdAt to arrival.
 */
const latenciesMs = new Map<string, number[]>();
const seen = new Map<string, Set<string>>();
let repeated = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [, behavior = '', name = ''] = (request.url ?? '').split('/');
  const behave = behaviors[behavior];
  if (behave !== undefined) behave(request, response);
  else
    read(request, (body) => {
      note(name, body);
      response.end();
    });
});

const behaviors: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  hang: () => undefined,
  reset: (request) => request.socket.resetAndDestroy(),
  redirect: (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  drip(_request, response) {
    response.writeHead(500);
    const timer = setInterval(() => response.write('.'), 200);
    response.on('close', () => clearInterval(timer));
  },
  429: (_request, response) => response.writeHead(429, { 'retry-after': '2' }).end(),
  500: (_request, response) => response.writeHead(500).end('no'),
};

function read(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => done(body));
}

function note(name: string, body: string): void {
  const { eventId, createdAt, event } = JSON.parse(body);
  const key = event.tag ?? name;
  const ids = seen.get(key) ?? new Set();
  if (ids.has(eventId)) repeated += 1;
  ids.add(eventId);
  seen.set(key, ids);
  const found = latenciesMs.get(key) ?? [];
  found.push(Date.now() - Date.parse(`${createdAt.slice(0, 23).replace(' ', 'T')}Z`));
  latenciesMs.set(key, found);
}

process.on('message', (message: { count?: string; latencies?: string }) => {
  if (message.count !== undefined) process.send?.({ count: seen.get(message.count)?.size ?? 0, repeated });
  if (message.latencies !== undefined)
    process.send?.({ latencies: latenciesMs.get(message.latencies) ?? [] });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
