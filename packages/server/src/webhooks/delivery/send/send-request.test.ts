import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answer,
  type Behavior,
  dripBody,
  dripHeaders,
  endlessBody,
  hang,
  type Receiver,
  raw,
  reset,
  startReceiver,
} from '../../../../test/receiver.ts';
import { closing, movedClock } from '../../../../test/webhooks.ts';
import { createSender, type Sender } from './send-request.ts';

const timeoutMs = 700;
const clock = movedClock();
let sender: Sender;
let receiver: Receiver;
let canary: Receiver;
beforeAll(async () => {
  sender = createSender({ clock, allowPrivateTargets: true, timeoutMs });
  receiver = await startReceiver();
  canary = await startReceiver();
});
afterAll(() => Promise.all([sender.close(), receiver.close(), canary.close()]));

const send = async (behavior: Behavior) => {
  receiver.behave(behavior);
  const startedMs = performance.now();
  const attempt = await sender.send(receiver.url, { 'webhook-id': 'e-1' }, '{"a":1}');
  return { ...attempt, answer: attempt.answer.toString(), tookMs: performance.now() - startedMs };
};

test('sends a JSON POST with the given headers', async () => {
  expect(await send(answer(200, {}, 'thanks'))).toMatchObject({
    statusCode: 200,
    error: null,
    answer: 'thanks',
    retryAfterMs: null,
  });
  expect(receiver.received.at(-1)).toMatchObject({
    path: '/hooks',
    body: '{"a":1}',
    headers: {
      'content-type': 'application/json',
      'content-length': '7',
      'webhook-id': 'e-1',
      host: `127.0.0.1:${receiver.port}`,
    },
  });
});

test.each([201, 202, 204, 206, 301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 429, 500, 502, 503, 599])(
  'reports a response of %i and follows no redirect',
  async (status) => {
    const headers = { location: canary.url };
    expect(await send(answer(status, headers, status === 204 ? '' : 'why'))).toMatchObject({
      statusCode: status,
      error: null,
      answer: status === 204 ? '' : 'why',
    });
    expect(canary.connections()).toBe(0);
  },
);

describe("ends the attempt in time, with a reason, if the endpoint doesn't answer and", () => {
  test.each<[string, Behavior, string | RegExp]>([
    ['hangs', hang, 'no response within 0.7 s'],
    ['drips headers', dripHeaders, 'no response within 0.7 s'],
    [
      'keeps sending 103 responses',
      raw('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
      /closed|match|response/,
    ],
    ['resets the connection', reset, /reset|closed/],
    ['closes the connection', raw(''), 'the connection was closed before a response'],
    ['speaks another protocol', raw('SSH-2.0-OpenSSH_9.0\r\n'), /HTTP|response/i],
    ['answers with a partial status', raw('HTTP/1.1 20'), /closed|HTTP/i],
    ['answers with an invalid status', raw('HTTP/1.1 2000 OK\r\n\r\n'), /./],
    ['answers with a zero in a header', raw('HTTP/1.1 200 OK\r\nx: a\u0000b\r\n\r\n'), /./],
    ['sends endless headers', raw(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`), /header/i],
    [
      'switches protocols',
      raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n'),
      /./,
    ],
  ])('%s', async (_what, behavior, error) => {
    const { tookMs, ...attempt } = await send(behavior);
    expect(attempt).toMatchObject({ statusCode: null, answer: '' });
    expect(attempt.error).toMatch(error);
    expect(attempt.error).not.toContain('\u0000');
    expect(tookMs).toBeLessThan(timeoutMs + 400);
    expect(Math.abs(attempt.durationMs - tookMs)).toBeLessThan(50);
  });

  test('refuses the connection', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await sender.send(gone.url, {}, '{}')).toMatchObject({
      statusCode: null,
      error: 'the connection was refused',
    });
  });

  test('accepts connections and never reads', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    server.removeAllListeners('connection');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const startedMs = performance.now();
    expect(await sender.send(`http://127.0.0.1:${port}/`, {}, 'x'.repeat(2 ** 24))).toMatchObject({
      statusCode: null,
      error: 'no response within 0.7 s',
    });
    expect(performance.now() - startedMs).toBeLessThan(timeoutMs + 400);
    server.close();
  });

  test.each(['not a url', 'ftp://127.0.0.1/', 'http://', 'http://nowhere.invalid/'])(
    'has the URL %s',
    async (url) => {
      const { statusCode, error } = await sender.send(url, {}, '{}');
      expect(statusCode).toBeNull();
      expect(error).toBeTruthy();
    },
  );
});

describe('after the status, the body is only stored', () => {
  test.each<[string, Behavior, number]>([
    ['drips', dripBody, 1],
    ['has no end', endlessBody, 4_096],
    ['is huge', answer(200, {}, Buffer.alloc(50_000_000, 'h')), 4_096],
    ['stops in the middle', raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'), 4],
    ['is broken', raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'), 0],
    ['never begins', (response) => void response.writeHead(200, { 'content-length': '9' }).flushHeaders(), 0],
  ])('a 200 whose body %s counts as 200', async (_what, behavior, atLeast) => {
    const { statusCode, error, answer, tookMs } = await send(behavior);
    expect({ statusCode, error }).toEqual({ statusCode: 200, error: null });
    expect(answer.length).toBeGreaterThanOrEqual(atLeast);
    expect(answer.length).toBeLessThanOrEqual(4_096);
    expect(tookMs).toBeLessThan(1_500);
  });

  test('stores exactly the first 4 KB', async () => {
    const body = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
    receiver.behave(answer(500, {}, body));
    const attempt = await sender.send(receiver.url, {}, '{}');
    expect(attempt.answer.equals(body.subarray(0, 4_096))).toBe(true);
  });
});

test('reads Retry-After in seconds and as a date', async () => {
  expect(await send(answer(429, { 'retry-after': '120' }))).toMatchObject({ retryAfterMs: 120_000 });
  const at = new Date(clock.now().getTime() + 3_600_000).toUTCString();
  const { retryAfterMs } = await send(answer(503, { 'retry-after': at }));
  expect(Math.abs((retryAfterMs ?? 0) - 3_600_000)).toBeLessThan(2_000);
  expect(await send(answer(503, { 'retry-after': 'later' }))).toMatchObject({ retryAfterMs: null });
});

test('a canceled attempt ends at once, even if it is canceled before it begins', async () => {
  receiver.behave(hang);
  const given = new AbortController();
  setTimeout(() => given.abort(), 50);
  for (let times = 0; times < 2; times += 1) {
    const startedMs = performance.now();
    expect(await sender.send(receiver.url, {}, '{}', given.signal)).toMatchObject({ statusCode: null });
    expect(performance.now() - startedMs).toBeLessThan(300);
  }
});

test('reuses connections, and a connection closed by the receiver costs no attempt', async () => {
  const own = closing(await startReceiver());
  for (let times = 0; times < 5; times += 1)
    expect(await sender.send(own.url, {}, '{}')).toMatchObject({ statusCode: 200 });
  expect(own.connections()).toBeLessThan(3);
  own.behave((response) => void response.writeHead(200, { connection: 'close' }).end());
  for (let times = 0; times < 3; times += 1)
    expect(await sender.send(own.url, {}, '{}')).toMatchObject({ statusCode: 200 });
});

test('each request has its own timeout, regardless of earlier requests', async () => {
  receiver.behave(hang);
  const tookMs = async (afterMs: number): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const startedMs = performance.now();
    expect(await sender.send(receiver.url, {}, '{}')).toMatchObject({ error: 'no response within 0.7 s' });
    return performance.now() - startedMs;
  };
  for (const each of await Promise.all([0, 100, 250, 650].map(tookMs))) {
    expect(each).toBeGreaterThan(timeoutMs - 5);
    expect(each).toBeLessThan(timeoutMs + 400);
  }
});
