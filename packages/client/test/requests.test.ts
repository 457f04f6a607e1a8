import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { Attribution } from '../src/index.ts';

const received: IncomingMessage[] = [];
/** Redirects to itself once, as another host. */
const server = createServer((request, response) => {
  received.push(request);
  const { port } = server.address() as AddressInfo;
  if (request.url?.includes('order-moved') && request.headers.host?.startsWith('127.'))
    return response.writeHead(307, { location: `http://localhost:${port}${request.url}` }).end();
  return response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
}).listen(0);
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = new Attribution({ baseUrl: url, key: 'svc_sk_x' });

beforeEach(() => void received.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('does not follow redirects, which would send the key to another host', async () => {
  await expect(client.transactions.get('order-moved')).rejects.toMatchObject({ status: 307, tries: 1 });
  expect(received.map(({ headers }) => headers.host)).toEqual([url.replace('http://', '')]);
});

test('sends the key, a new request id each time, and the trace that it was given', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await client.transactions.refunds('a', { traceparent });
  await client.transactions.refunds('a');
  expect(received[0]?.headers).toMatchObject({ 'x-shared-secret': 'svc_sk_x', traceparent });
  expect(received[1]?.headers).not.toHaveProperty('traceparent');
  expect(new Set(received.map(({ headers }) => headers['x-request-id'])).size).toBe(2);
});

test.each(['', '/', '/v1', '/v1/'])('accepts the base URL with %j at its end', async (end) => {
  await new Attribution({ baseUrl: `${url}/proxied${end}`, key: 'svc_sk_x' }).transactions.refunds('a');
  expect(received[0]?.url).toBe('/proxied/v1/attributions/transactions/a/refunds');
});

test('encodes values of paths and filters', async () => {
  await client.transactions.refunds('a/b?ö#%2F');
  const filters = { transactionId: ['a,b', 'c&d'], startDate: new Date(0) };
  await client.transactions.list(filters).pages().next();
  expect(received.map((request) => request.url)).toEqual([
    '/v1/attributions/transactions/a%2Fb%3F%C3%B6%23%252F/refunds',
    '/v1/attributions/transactions?transactionId=a%2Cb&transactionId=c%26d&startDate=1970-01-01T00%3A00%3A00.000Z',
  ]);
});

test.each(['', '.', '..'])('rejects %j in a path, which URLs resolve to another operation', async (id) => {
  await expect(client.transactions.get(id)).rejects.toBeInstanceOf(TypeError);
  expect(received).toEqual([]);
});
