import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { rawRequest } from '../../../test/raw-request.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, countRows } = useTransactions({
  environment: { REQUEST_TIMEOUT_SECONDS: '1' },
});

let rowsBefore: number;
beforeEach(async () => {
  rowsBefore = await countRows();
});
afterEach(async () => {
  expect(await countRows(), 'a rejected request saves nothing').toBe(rowsBefore);
  expect((await service().call('GET', '/readyz')).status, 'the service goes on').toBe(200);
});

const fiveMiB = 5 * 1024 * 1024;
const head = (...headers: string[]): string[] => [
  `POST ${transactionsPath} HTTP/1.1`,
  'host: x',
  `x-shared-secret: ${keys().backend}`,
  'content-type: application/json',
  ...headers,
  'connection: close',
];
const raw = (headers: string[], body: string | Buffer = '') => rawRequest(service().url, headers, body);
const sendJson = (body: string | Buffer) =>
  service().call('POST', transactionsPath, {
    key: keys().backend,
    raw: body,
    headers: { 'content-type': 'application/json' },
  });

describe('a body that is not JSON gets 400', () => {
  const entry = JSON.stringify(purchase());
  test.each([
    ['empty', ''],
    ['white space', ' \n\t '],
    ['text', 'hello'],
    ['cut short', entry.slice(0, -1)],
    ['with trailing text', `${entry}x`],
    ['two values', `${entry}${entry}`],
    ['with an extra comma', `${entry.slice(0, -1)},}`],
    ['single quotes', entry.replaceAll('"', "'")],
    ['NaN', entry.replace('999', 'NaN')],
    ['Infinity', entry.replace('999', 'Infinity')],
    ['hexadecimal', entry.replace('999', '0x3E7')],
    ['a comment', `/* */${entry}`],
    ['a raw control character', entry.replace('Battle', 'Bat\ntle')],
    ['a form', 'code=ALICE&subtotal=1'],
    ['XML', '<purchase/>'],
    ['a byte order mark of UTF-16', Buffer.from(entry, 'utf16le')],
    ['U+0000', '\0'],
    ['only an opening bracket, 100,000 times', '['.repeat(100_000)],
    ['only an opening brace, 100,000 times', '{"a":'.repeat(100_000)],
  ])('%s', async (_what, body) => {
    const { status, body: answer } = await sendJson(body);
    expect(status).toBe(400);
    expect(answer).toEqual({ message: expect.any(String) });
    expect(answer.message).not.toMatch(/Unexpected|position|\n/);
  });

  test.each(['[[', '{"a":'])(
    'nested 100,000 levels deep it is refused, never a failure: %s',
    async (open) => {
      const close = open === '[[' ? ']]' : '}';
      const nested = open.repeat(100_000) + (open === '[[' ? '' : '1') + close.repeat(100_000);
      for (const body of [
        nested,
        entry.replace('"Battle pass"', nested),
        entry.replace('}', `,"metrics":{"joinDate":${nested}}}`),
      ]) {
        expect((await sendJson(body)).status).toBe(400);
      }
    },
  );
});

describe('a key that would modify an object’s prototype', () => {
  const entry = JSON.stringify(purchase());
  test.each([
    '"__proto__":{"subtotal":1}',
    '"__proto__":null',
    '"constructor":{"prototype":{"x":1}}',
    '"\\u005f_proto__":{}',
  ])('%s is refused as JSON', async (property) => {
    expect((await sendJson(entry.replace('}', `,${property}}`))).status).toBe(400);
    expect((await sendJson(entry.replace('}', `,"metrics":{${property}}}`))).status).toBe(400);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('a body that is not valid UTF-8', () => {
  test('is rejected and never repaired', async () => {
    const bytes = Buffer.from(JSON.stringify(purchase({ description: 'X' })));
    bytes[bytes.indexOf('"X"') + 1] = 0xff;
    const { status, body } = await sendJson(bytes);
    expect([status, body]).toEqual([400, { message: 'The body is not UTF-8.' }]);
  });
});

describe('a body over 5 MiB gets 413', () => {
  test('by its content-length, without being read', async () => {
    for (const length of [fiveMiB + 1, 10 ** 12, Number.MAX_SAFE_INTEGER]) {
      const { status, text } = await raw(head(`content-length: ${length}`));
      expect([status, JSON.parse(text).code]).toEqual([413, 'PayloadTooLarge']);
    }
  });

  test('in chunks', async () => {
    const chunk = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const { status } = await raw(head('transfer-encoding: chunked'), chunk.repeat(6));
    expect(status).toBe(413);
  });

  test('but not at exactly 5 MiB', async () => {
    const json = JSON.stringify(purchase({ code: 'UNKNOWN', extra: '' }));
    const padded = json.replace('"extra":""', `"extra":"${'x'.repeat(fiveMiB - json.length)}"`);
    expect(padded).toHaveLength(fiveMiB);
    expect((await sendJson(padded)).status).toBe(400);
    expect((await sendJson(`${padded} `)).status).toBe(413);
  });
});

describe('an invalid HTTP request', () => {
  test('with headers over 16 KiB gets 431', async () => {
    const { status, text, headers } = await raw(head(`x-huge: ${'x'.repeat(20_000)}`));
    expect([status, JSON.parse(text).code]).toEqual([431, 'InvalidInput']);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect((await raw(head(...Array.from({ length: 3_000 }, (_, index) => `x-${index}: y`)))).status).toBe(
      431,
    );
  });

  test.each([
    ['an invalid first line', ['HELLO']],
    ['no host', [`GET ${transactionsPath} HTTP/1.1`, 'connection: close']],
    [
      'two lengths',
      [
        `POST ${transactionsPath} HTTP/1.1`,
        'host: x',
        'content-length: 5',
        'content-length: 6',
        'connection: close',
      ],
    ],
    [
      'a length and chunks',
      [
        `POST ${transactionsPath} HTTP/1.1`,
        'host: x',
        'content-length: 5',
        'transfer-encoding: chunked',
        'connection: close',
      ],
    ],
    [
      'a negative length',
      [`POST ${transactionsPath} HTTP/1.1`, 'host: x', 'content-length: -1', 'connection: close'],
    ],
    [
      'a header with a space in its name',
      [`GET ${transactionsPath} HTTP/1.1`, 'host: x', 'bad name: x', 'connection: close'],
    ],
    [
      'a control character in a header',
      [`GET ${transactionsPath} HTTP/1.1`, 'host: x', 'x-a: \u0001', 'connection: close'],
    ],
    ['another version', [`GET ${transactionsPath} HTTP/9.9`, 'host: x', 'connection: close']],
  ])('gets 400: %s', async (_what, lines) => {
    const { status } = await raw(lines);
    expect(status).toBe(400);
  });

  test('with an unknown expectation is handled as if it had none', async () => {
    const { status, headers } = await raw([
      'GET /v1/attributions/ping HTTP/1.1',
      'host: x',
      `x-shared-secret: ${keys().backend}`,
      'expect: the-impossible',
      'connection: close',
    ]);
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('with invalid chunks gets 400', async () => {
    const { status } = await raw(head('transfer-encoding: chunked'), 'zz\r\nhello\r\n0\r\n\r\n');
    expect(status).toBe(400);
  });

  test.each(['DELETE', 'PUT', 'TRACE', 'PROPFIND'])(
    'with the method %s gets 404 or 405 even without a key',
    async (method) => {
      const { status } = await raw([
        `${method} ${transactionsPath} HTTP/1.1`,
        'host: x',
        'connection: close',
      ]);
      expect([404, 405]).toContain(status);
    },
  );
});

describe('a client that stalls', () => {
  test('is cut off with 408 when its body is slow', async () => {
    const startedAtMs = performance.now();
    const { status } = await rawRequest(service().url, head('content-length: 1000'), '{"code"');
    expect(status).toBe(408);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  test('is cut off when its headers are slow', async () => {
    const startedAtMs = performance.now();
    const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
    socket.resume();
    await once(socket, 'close');
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  test('and disconnects in the middle of its body records nothing', async () => {
    const body = JSON.stringify(purchase());
    for (const [headers, part] of [
      [head(`content-length: ${body.length}`), body.slice(0, -1)],
      [head('transfer-encoding: chunked'), `${body.length.toString(16)}\r\n${body}\r\n`],
    ] as const) {
      const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${headers.join('\r\n')}\r\n\r\n${part}`);
      await sleep(100);
      socket.destroy();
    }
    await sleep(200);
  });

  test('frees the memory of its aborted bodies', async () => {
    for (let count = 0; count < 40; count += 1) {
      const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`${head(`content-length: ${fiveMiB}`).join('\r\n')}\r\n\r\n{`);
      await sleep(5);
      socket.destroy();
    }
    await sleep(200);
    // The service would respond with 503 if the aborted bodies still reserved memory.
    expect((await sendJson(' '.repeat(fiveMiB))).status).toBe(400);
  });
});
