import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import {
  contractHeader,
  contractRequest,
  envelope,
  otherSecret,
  secret,
  sentAt,
  standardHeaders,
} from '../../test/webhooks/contract-request.ts';
import { rawPost } from '../../test/webhooks/raw-post.ts';
import { webhookHandler as expressHandler } from './express.ts';
import { webhookPlugin } from './fastify.ts';
import type { WebhookEvent } from './index.ts';
import { type HandlerOptions, type HandleWebhook, webhookHandler } from './node.ts';

type Serve = (handle: HandleWebhook, options: HandlerOptions) => Promise<string>;

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

const adapters: [string, Serve][] = [
  ['node:http', (handle, options) => listen(webhookHandler(secret, handle, options))],
  [
    'Express',
    (handle, options) =>
      listen(
        express()
          .use('/webhooks', expressHandler(secret, handle, options))
          .use(express.json()),
      ),
  ],
  [
    'Express after express.raw',
    (handle, options) => {
      const raw = express.raw({ type: 'application/json', limit: '1mb' });
      return listen(express().use('/webhooks', raw, expressHandler(secret, handle, options)));
    },
  ],
  [
    'Express after express.text',
    (handle, options) => {
      const text = express.text({ type: '*/*', limit: '1mb' });
      return listen(express().use('/webhooks', text, expressHandler(secret, handle, options)));
    },
  ],
  [
    'Fastify',
    async (handle, options) => {
      const app = fastify();
      await app.register(webhookPlugin('/webhooks', secret, handle, options));
      app.post('/json', (request) => request.body);
      closings.push(() => app.close());
      return `${await app.listen({ port: 0, host: '127.0.0.1' })}/webhooks`;
    },
  ],
];

describe.each(adapters)('%s', (name, serve) => {
  const start = async (handle?: HandleWebhook, options: HandlerOptions = {}) => {
    const handled: WebhookEvent[] = [];
    const errors: unknown[] = [];
    const address = await serve(handle ?? ((webhook) => handled.push(webhook)), {
      now: () => sentAt,
      onError: (error) => errors.push(error),
      ...options,
    });
    return { address, handled, errors };
  };
  const post = async (
    address: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
  ) => {
    const response = await fetch(address, { method: 'POST', body, headers });
    return { status: response.status, text: await response.text() };
  };
  const { body, headers } = contractRequest();

  test('passes on a signed event and responds with 200', async () => {
    const { address, handled } = await start();
    expect(await post(address, body, headers)).toEqual({ status: 200, text: 'OK\n' });
    const standard = standardHeaders(envelope.eventId, body, [secret]);
    expect(await post(address, body, { 'content-type': 'application/json', ...standard })).toMatchObject({
      status: 200,
    });
    expect(handled.map(({ event }) => event)).toEqual([envelope.event, envelope.event]);
    expect(handled[0]?.createdAt).toEqual(new Date('2026-11-21T10:00:00.123Z'));
  });

  test('responds with 403 to unsigned, altered, foreign or old requests without calling the handler', async () => {
    const { address, handled, errors } = await start();
    const json = { 'content-type': 'application/json' };
    const foreign = contractRequest(envelope, [otherSecret]);
    const old = contractRequest(envelope, [secret], sentAt - 301_000);
    expect(await post(address, body, json)).toEqual({ status: 403, text: 'MissingSignature\n' });
    expect(await post(address, body.replace('m-1', 'm-2'), headers)).toEqual({
      status: 403,
      text: 'InvalidSignature\n',
    });
    expect(await post(address, foreign.body, foreign.headers)).toEqual({
      status: 403,
      text: 'InvalidSignature\n',
    });
    expect(await post(address, old.body, old.headers)).toEqual({ status: 403, text: 'StaleTimestamp\n' });
    expect(handled).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('follows the options of verifyWebhook', async () => {
    const byContract = { 'content-type': 'application/json', ...contractHeader(envelope, secret) };
    const usual = await start();
    expect(await post(usual.address, body, byContract)).toEqual({ status: 403, text: 'MissingTimestamp\n' });
    expect(await post(usual.address, body, headers)).toMatchObject({ status: 200 });
    const { address } = await start(undefined, { allowReplayableRequests: true });
    expect(await post(address, body, byContract)).toMatchObject({ status: 200 });
  });

  test('responds with 400 to a signed body that is not an event', async () => {
    const { address } = await start();
    for (const wrong of ['{}', '[', JSON.stringify({ ...envelope, createdAt: '' })]) {
      const signed = { ...headers, ...standardHeaders(envelope.eventId, wrong, [secret]) };
      expect(await post(address, wrong, signed)).toEqual({ status: 400, text: 'InvalidBody\n' });
    }
    expect((await post(address, '', headers)).status).toBeOneOf([400, 403]);
  });

  test('responds with 200 after the handler resolves', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { address } = await start(() => held);
    let answered = false;
    const answer = post(address, body, headers).finally(() => {
      answered = true;
    });
    await new Promise((later) => setTimeout(later, 100));
    expect(answered).toBe(false);
    release();
    expect((await answer).status).toBe(200);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('password=hunter2'))],
    [
      'throws',
      () => {
        throw new Error('password=hunter2');
      },
    ],
  ])('responds with 500 without the reason and reports it if the handler %s', async (_, handle) => {
    const { address, errors } = await start(handle);
    expect(await post(address, body, headers)).toEqual({ status: 500, text: 'Failed\n' });
    expect(errors).toEqual([new Error('password=hunter2')]);
  });

  test('responds with 500 even if the report fails', async () => {
    const fail = () => {
      throw new Error('no log');
    };
    const { address } = await start(fail, { onError: fail });
    expect((await post(address, body, headers)).status).toBe(500);
  });

  test('responds with 413 to more than 1 MiB, announced or not, and continues to work', async () => {
    const { address, handled } = await start();
    const { port } = new URL(address);
    const length = 2 ** 20 + 1;
    expect(await rawPost(port, `content-length: ${length}`, 'x'.repeat(length))).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const chunks = `${chunk.repeat(17)}0\r\n\r\n`;
    expect(await rawPost(port, 'transfer-encoding: chunked', chunks)).toMatch(/^HTTP\/1.1 413 /);
    expect(await post(address, body, headers)).toMatchObject({ status: 200 });
    expect(handled).toHaveLength(1);
  });

  // Express's own parsers wait for the rest of the body first.
  test.skipIf(name.includes('after'))('responds with 413 without waiting for the rest', async () => {
    const { port } = new URL((await start()).address);
    expect(await rawPost(port, 'content-length: 9999999999', '{')).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    expect(await rawPost(port, 'transfer-encoding: chunked', chunk.repeat(17))).toMatch(/^HTTP\/1.1 413 /);
  });

  test('accepts a body of exactly 1 MiB', async () => {
    const { address } = await start();
    const empty = contractRequest({ ...envelope, event: { text: '' } }).body.length;
    const largest = contractRequest({ ...envelope, event: { text: 'x'.repeat(2 ** 20 - empty) } });
    expect(await post(address, largest.body, largest.headers)).toMatchObject({ status: 200 });
  });

  test('survives broken connections', async () => {
    const { address, handled } = await start();
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"eventId"',
    );
    await new Promise((later) => setTimeout(later, 50));
    socket.destroy();
    expect(await post(address, body, headers)).toMatchObject({ status: 200 });
    expect(handled).toHaveLength(1);
  });

  test('responds to another method with 405, or as its router does', async () => {
    const { address, handled } = await start();
    const response = await fetch(address, { headers });
    expect(response.status).toBe(name === 'Fastify' ? 404 : 405);
    expect(response.headers.get('allow')).toBe(name === 'Fastify' ? null : 'POST');
    expect(handled).toEqual([]);
  });

  test('rejects an invalid secret at setup, not when a request arrives', async () => {
    for (const wrong of ['', 'whsec_', undefined as unknown as string]) {
      expect(() => webhookHandler(wrong, () => {})).toThrow(TypeError);
      expect(() => expressHandler(wrong, () => {})).toThrow(TypeError);
      expect(() => webhookPlugin('/', wrong, () => {})).toThrow(TypeError);
    }
  });
});

describe('Express', () => {
  test('responds with 500 if the body was parsed before, and gives the reason only to the receiver', async () => {
    const errors: unknown[] = [];
    const options = { now: () => sentAt, onError: (error: unknown) => errors.push(error) };
    const app = express()
      .use(express.json())
      .post(
        '/webhooks',
        expressHandler(secret, () => {}, options),
      );
    const { body, headers } = contractRequest();
    const response = await fetch(await listen(app), { method: 'POST', body, headers });
    expect([response.status, await response.text()]).toEqual([500, 'Failed\n']);
    expect(String(errors[0])).toContain('before express.json()');
  });

  test('reads the body after a parser for another content type', async () => {
    const app = express()
      .use(express.urlencoded())
      .use((request, _response, next) => {
        // As body-parser does for Express 4.
        request.body ??= {};
        next();
      })
      .post(
        '/webhooks',
        expressHandler(secret, () => {}, { now: () => sentAt }),
      );
    const { body, headers } = contractRequest();
    expect((await fetch(await listen(app), { method: 'POST', body, headers })).status).toBe(200);
  });
});

test('Fastify keeps its parsers outside the plugin', async () => {
  const app = fastify();
  await app.register(webhookPlugin('/webhooks', secret, () => {}));
  app.post('/json', (request) => request.body);
  const response = await app.inject({ method: 'POST', url: '/json', payload: { a: 1 } });
  expect(response.json()).toEqual({ a: 1 });
  await app.close();
});
