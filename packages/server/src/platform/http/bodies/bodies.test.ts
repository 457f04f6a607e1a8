import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../../test/fixtures.ts';
import { rawRequest } from '../../../../test/raw-request.ts';
import { transactionsPath, useTransactions } from '../../../../test/transactions.ts';

const log: string[] = [];
const { service, keys, record, get, patch } = useTransactions({
  log,
  environment: { REQUEST_TIMEOUT_SECONDS: '2' },
});

const fiveMiB = 5 * 1024 * 1024;
const json = { 'content-type': 'application/json' };
const head = (start: string, ...headers: string[]): string =>
  [start, 'host: x', 'content-type: application/json', ...headers].join('\r\n').concat('\r\n\r\n');
const create = (...headers: string[]): string =>
  head(`POST ${transactionsPath} HTTP/1.1`, `x-shared-secret: ${keys().backend}`, ...headers);
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function bodyBytes(): Promise<number> {
  const { text } = await service().call('GET', '/metrics');
  return Number(/^attribution_body_bytes (\d+)$/m.exec(text)?.[1]);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 5_000;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('it did not come about within five seconds');
    await sleep(10);
  }
}

describe('the memory of a body is freed', () => {
  const big = (): string => JSON.stringify({ ...purchase(), junk: 'x'.repeat(200_000) });

  test('after the response, whatever its status', async () => {
    const { body } = await record(purchase());
    for (const [sent, status] of [
      [big(), 200],
      [big().slice(0, -1), 400],
      [`[${big()},{}]`, 400],
      [JSON.stringify({ ...JSON.parse(big()), transactionId: body.transaction.transactionId }), 409],
    ] as const) {
      const answer = await service().call('POST', transactionsPath, {
        key: keys().backend,
        headers: json,
        raw: sent,
      });
      expect(answer.status).toBe(status);
      expect(await bodyBytes()).toBe(0);
    }
    expect((await patch('nothing', { form: { action: 'Refund' } })).status).toBe(404);
    expect(await bodyBytes()).toBe(0);
  });

  test('when the client disconnects in the middle of it', async () => {
    for (const [headers, part] of [
      [create(`content-length: ${fiveMiB}`), 'x'.repeat(50_000)],
      [create('transfer-encoding: chunked'), chunk('x'.repeat(50_000))],
    ] as const) {
      const socket = await open();
      socket.write(headers);
      await sleep(50);
      expect(await bodyBytes(), 'an announced length takes no memory').toBe(0);
      socket.write(part);
      await until(async () => (await bodyBytes()) === 50_000);
      socket.destroy();
      await until(async () => (await bodyBytes()) === 0);
    }
  });

  test('when the client disconnects before the response', async () => {
    for (let count = 0; count < 20; count += 1) {
      const body = big();
      const socket = await open();
      socket.write(create(`content-length: ${Buffer.byteLength(body)}`) + body);
      await until(async () => (await bodyBytes()) > 0 || socket.bytesRead > 0);
      socket.destroy();
    }
    await until(async () => (await bodyBytes()) === 0);
  });

  test('when it is incomplete in time or has invalid chunks', async () => {
    for (const [sent, status] of [
      [`${create('content-length: 1000')}{"code"`, 408],
      [`${create('transfer-encoding: chunked')}${chunk('{"code"')}zz\r\n`, 400],
    ] as const) {
      const socket = await open();
      socket.write(sent);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      socket.destroy();
    }
    await until(async () => (await bodyBytes()) === 0);
  });
});

test('logs no warnings about aborted uploads', () => {
  const given = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(given).toEqual([]);
  expect(log.join()).not.toContain('database');
});

describe('chunked bodies take only the memory of their content', () => {
  test('so that 50 at once are all recorded', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = await open();
        const body = JSON.stringify(purchase());
        socket.write(create('transfer-encoding: chunked') + chunk(body.slice(0, 50)));
        await sleep(100);
        socket.write(`${chunk(body.slice(50))}0\r\n\r\n`);
        const [answer] = await once(socket, 'data');
        socket.destroy();
        return String(answer).slice(0, 12);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200']));
  });
});

describe('one publisher cannot take all the memory', () => {
  test('another publisher can still reserve some while the first is rejected', async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, open));
    for (const socket of sockets) {
      socket.write(create(`content-length: ${fiveMiB}`));
      socket.write('x'.repeat(fiveMiB - 1));
    }
    await until(async () => (await bodyBytes()) > 20 * 1024 * 1024);
    await sleep(100);
    const own = await service().call('POST', transactionsPath, {
      key: keys().backend,
      headers: json,
      raw: ' '.repeat(fiveMiB),
    });
    expect([own.status, own.headers.get('retry-after')]).toEqual([503, '1']);
    const other = await service().call('POST', transactionsPath, {
      key: keys().rival,
      headers: json,
      raw: ' '.repeat(fiveMiB),
    });
    expect(other.status).toBe(400);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await bodyBytes()) === 0);
  });
});

describe('an unexpected body is neither read nor counted', () => {
  test.each([
    ['no such operation', 'POST', '/nope', 404],
    ['no such method', 'PUT', transactionsPath, 404],
    ['a preflight', 'OPTIONS', '/v1/attributions/ping', 204],
    ['no key', 'POST', transactionsPath, 401],
  ])('%s', async (_what, method, path, status) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, open));
    const answers = sockets.map((socket) => once(socket, 'data'));
    // These bodies would exceed the memory limit if memory were reserved for them.
    for (const socket of sockets)
      socket.write(head(`${method} ${path} HTTP/1.1`, `content-length: ${fiveMiB}`));
    for (const [answer] of await Promise.all(answers)) {
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
    for (const socket of sockets) socket.write('['.repeat(50_000));
    await sleep(50);
    expect(await bodyBytes()).toBe(0);
    expect((await record(purchase())).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('and gets no 100 Continue', async () => {
    const socket = await open();
    const body = JSON.stringify(purchase());
    const expecting = ['expect: 100-continue', `content-length: ${body.length}`];
    socket.write(head(`POST ${transactionsPath} HTTP/1.1`, ...expecting));
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 401 /);
    socket.destroy();
    const welcome = await open();
    welcome.write(create(...expecting));
    expect(String((await once(welcome, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    welcome.write(body);
    expect(String((await once(welcome, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    welcome.destroy();
  });
});

describe('a rejected body is received completely, so that the client receives the reason', () => {
  const tooLarge = 'x'.repeat(fiveMiB + 3 * 1024 * 1024);

  test('with fetch, every time', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { status } = await service().call('POST', transactionsPath, {
        key: keys().backend,
        headers: json,
        raw: tooLarge,
      });
      expect(status).toBe(413);
    }
  });

  test.each([
    ['with its length', `content-length: ${tooLarge.length}`, tooLarge],
    ['in chunks', 'transfer-encoding: chunked', `${chunk(tooLarge)}0\r\n\r\n`],
  ])('with a client that reads only after sending everything: %s', async (_how, header, body) => {
    const socket = await open();
    socket.pause();
    const received: Buffer[] = [];
    socket.write(create(header, 'connection: close'));
    for (let at = 0; at < body.length; at += 65_536) {
      if (!socket.write(body.slice(at, at + 65_536))) await once(socket, 'drain');
    }
    socket.on('data', (part: Buffer) => received.push(part)).resume();
    await once(socket, 'close');
    const answer = Buffer.concat(received).toString();
    expect([answer.slice(0, 12), answer]).toEqual([
      'HTTP/1.1 413',
      expect.stringContaining('PayloadTooLarge'),
    ]);
  });

  test('but beyond 32 MiB the connection is closed', async () => {
    const socket = await open();
    socket.write(head('POST /nope HTTP/1.1', 'content-length: 1000000000'));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let sentBytes = 0;
    const part = Buffer.alloc(1024 * 1024, 'x');
    while (!socket.destroyed && sentBytes < 100 * part.length) {
      const drained = new Promise((resolve) => socket.once('drain', resolve));
      if (!socket.write(part)) await Promise.race([drained, closed]);
      sentBytes += part.length;
    }
    await closed;
    expect(sentBytes).toBeLessThan(60 * part.length);
  });

  test('and the connection can be used for the next request', async () => {
    const socket = await open();
    const received: string[] = [];
    socket.on('data', (part) => received.push(String(part)));
    socket.write(`${head('POST /nope HTTP/1.1', 'content-length: 100000')}${'x'.repeat(100_000)}`);
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(received.join('').match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });
});

describe('text that is not UTF-8 gets 400 and is never repaired', () => {
  test('in JSON, so that two ids that differ in one Latin-1 byte stay different', async () => {
    for (const byte of [0xe9, 0xe8, 0xff, 0xc3, 0x80]) {
      const bytes = Buffer.from(JSON.stringify(purchase({ transactionId: 'caf@' })));
      bytes[bytes.indexOf('@')] = byte;
      const answer = await service().call('POST', transactionsPath, {
        key: keys().backend,
        headers: json,
        raw: bytes,
      });
      expect([answer.status, answer.body]).toEqual([400, { message: 'The body is not UTF-8.' }]);
    }
    for (const id of ['caf\ufffd', 'caf']) expect((await get(id)).status).toBe(404);
  });

  test('in JSON with separately encoded surrogates or overlong sequences', async () => {
    for (const bytes of ['\xed\xa0\xbd\xed\xb8\x80', '\xc0\x80', '\xf5\x80\x80\x80', '\xf0\x9f\x98']) {
      const [before, after] = JSON.stringify(purchase({ description: '@' })).split('@');
      const raw = Buffer.from(`${before}${bytes}${after}`, 'latin1');
      const answer = await service().call('POST', transactionsPath, {
        key: keys().backend,
        headers: json,
        raw,
      });
      expect(answer.status).toBe(400);
    }
  });

  test('in raw paths', async () => {
    for (const name of ['caf\xe9', 'caf\xc3\xa9']) {
      for (const path of [`${transactionsPath}/${name}`, `${transactionsPath}?code=${name}`]) {
        const { status, text } = await rawRequest(service().url, [
          `GET ${path} HTTP/1.1`,
          'host: x',
          `x-shared-secret: ${keys().backend}`,
          'connection: close',
        ]);
        expect([path, status, JSON.parse(text).code]).toEqual([path, 400, 'InvalidInput']);
      }
    }
  });

  test('in forms, raw and percent-encoded', async () => {
    const { body } = await record(purchase());
    const { transactionId } = body.transaction;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const raw of [
      Buffer.from('playerId=caf\xe9', 'latin1'),
      'playerId=caf%E9',
      'playerId=%ED%A0%80',
      'playerId=a&%FF=b',
      'playerId=%',
    ]) {
      const answer = await patch(transactionId, { raw, headers: form });
      expect([answer.status, answer.body.code]).toEqual([400, 'InvalidInput']);
    }
    const good = await patch(transactionId, { raw: 'playerId=caf%C3%A9+caf\u00e9%26', headers: form });
    expect(good.body[0].transaction.playerId).toBe('café café&');
    const huge = await patch(transactionId, { raw: `playerId=a&${'b=1&'.repeat(100_000)}`, headers: form });
    expect(huge.status).toBe(413);
  });
});

describe('JSON that would block other requests is rejected before it is parsed', () => {
  test.each([
    ['deep', '['.repeat(fiveMiB), 'nested'],
    ['deep objects', '{"a":'.repeat(fiveMiB / 5), 'nested'],
    ['very many values', `[${'0,'.repeat(fiveMiB / 2 - 2)}0]`, 'values'],
    ['very many keys', `{${Array.from({ length: 400_000 }, (_, key) => `"${key}":1`).join(',')}}`, 'values'],
  ])('%s', async (_what, raw, word) => {
    const answer = await service().call('POST', transactionsPath, {
      key: keys().backend,
      headers: json,
      raw,
    });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(word)]);
  });

  test('but strings may contain any number of brackets, commas and quotes', async () => {
    const description = '[{,"\\'.repeat(300);
    const entries = Array.from({ length: 200 }, () => purchase({ description }));
    const { status, body } = await record(entries);
    expect(status).toBe(200);
    expect(body[199].transaction.description).toBe(description);
  });
});

test('rejects a compressed body with 415', async () => {
  for (const encoding of ['gzip', 'br', 'GZIP', 'deflate, gzip']) {
    const answer = await service().call('POST', transactionsPath, {
      key: keys().backend,
      headers: { ...json, 'content-encoding': encoding },
      raw: JSON.stringify(purchase()),
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'InvalidInput']);
  }
  const plain = await service().call('POST', transactionsPath, {
    key: keys().backend,
    headers: { ...json, 'content-encoding': 'identity' },
    raw: JSON.stringify(purchase()),
  });
  expect(plain.status).toBe(200);
});

test('responds to a request before closing its connection', async () => {
  const body = JSON.stringify(purchase());
  const { status } = await rawRequest(
    service().url,
    create(`content-length: ${body.length}`, 'connection: close').trimEnd().split('\r\n'),
    body,
  );
  expect(status).toBe(200);
});
