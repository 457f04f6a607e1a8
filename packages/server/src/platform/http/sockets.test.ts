import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { connect as connectTo } from '../../../test/test-database.ts';
import { startService } from '../../../test/test-service.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record } = useTransactions({
  environment: {
    ANSWER_TIMEOUT_SECONDS: '2',
    MAX_CONNECTIONS: '60',
    MAX_CONNECTIONS_PER_ADDRESS: '25',
    TRUST_PROXY: '127.0.0.9',
  },
});

const opened = new Set<Socket>();
afterEach(() => {
  for (const socket of opened) socket.destroy();
  opened.clear();
});
beforeAll(async () => {
  // A page of these purchases is 4 MB.
  for (const [key, code] of [
    [keys().backend, 'ALICE'],
    [keys().rival, 'RIVAL'],
  ] as const) {
    const entries = Array.from({ length: 1_000 }, () => purchase({ code, description: 'é'.repeat(2_000) }));
    expect((await record(entries, { key })).status).toBe(200);
  }
});

async function open(localAddress = '127.0.0.1', { url } = service()): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  opened.add(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

async function gauge(name: string): Promise<number> {
  const { text } = await service().call('GET', '/metrics');
  return Number(new RegExp(`^attribution_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('it did not come about within ten seconds');
    await sleep(20);
  }
}
const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-shared-secret: ${key}\r\n\r\n`;
const largePage = `${transactionsPath}?pageSize=1000`;

describe('a client that never reads', () => {
  test('is cut off after the timeout, and the memory of its responses is freed', async () => {
    const socket = await open();
    socket.pause();
    const startedAtMs = performance.now();
    socket.write(get(largePage, keys().backend).repeat(4));
    await until(async () => (await gauge('answer_bytes')) > 0);
    // The client notices only when it reads, but the service doesn't wait for that.
    await until(async () => (await gauge('answer_bytes')) === 0);
    expect(performance.now() - startedAtMs).toBeGreaterThan(1_900);
    socket.resume();
    await closed(socket);
  });

  test('is not cut off when it is only slow', async () => {
    const socket = await open();
    let read = 0;
    socket.on('data', (part: Buffer) => {
      read += part.length;
      socket.pause();
      setTimeout(() => socket.resume(), 30);
    });
    socket.write(get(largePage, keys().backend).repeat(3));
    await sleep(4_000);
    expect(socket.closed).toBe(false);
    expect(read).toBeGreaterThan(0);
  });
});

describe('large responses that clients don’t read', () => {
  test('are limited; further ones are answered with 503 immediately, and another publisher still receives its own', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open('127.0.0.2')));
    const starts: string[] = [];
    for (const socket of sockets) {
      socket.once('data', (part) => {
        starts.push(String(part).slice(0, 12));
        socket.pause();
      });
      socket.write(get(largePage, keys().backend));
    }
    await until(() => starts.length === sockets.length);
    const refused = starts.filter((start) => start === 'HTTP/1.1 503').length;
    expect(refused).toBeGreaterThanOrEqual(10);
    expect(refused).toBeLessThan(20);
    const heldBytes = await gauge('answer_bytes');
    expect(heldBytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    const other = await service().call('GET', largePage, { key: keys().rival });
    expect([other.status, other.body.length]).toEqual([200, 1_000]);
    const small = await service().call('GET', `${transactionsPath}?pageSize=1`, { key: keys().backend });
    expect(small.status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await gauge('answer_bytes')) === 0);
    expect((await service().call('GET', largePage, { key: keys().backend })).status).toBe(200);
  });

  test('are counted even if they are small and queued on one connection', async () => {
    const socket = await open();
    socket.pause();
    socket.write(get(`${transactionsPath}?pageSize=5`, keys().backend).repeat(600));
    await until(async () => (await gauge('answer_bytes')) > 100_000);
    expect(await gauge('answer_bytes')).toBeLessThanOrEqual(32 * 1024 * 1024);
    socket.destroy();
    await until(async () => (await gauge('answer_bytes')) === 0);
  });
});

describe('connections', () => {
  const ask = async (socket: Socket, key = keys().backend): Promise<string> => {
    socket.write(get('/v1/attributions/ping', key));
    return String((await once(socket, 'data'))[0]).slice(0, 12);
  };

  test('from one address are limited, and the oldest without a key are closed for new ones', async () => {
    const known = await open('127.0.0.3');
    expect(await ask(known)).toBe('HTTP/1.1 200');
    const withoutKey: Socket[] = [];
    for (let count = 0; count < 40; count += 1) withoutKey.push(await open('127.0.0.3'));
    await until(() => withoutKey.filter(({ closed }) => closed).length === 16);
    expect(withoutKey.slice(0, 16).every(({ closed }) => closed)).toBe(true);
    expect(await ask(known)).toBe('HTTP/1.1 200');
    const next = await open('127.0.0.3');
    expect(await ask(next)).toBe('HTTP/1.1 200');
  });

  test('are limited in total, and clients with a key are still accepted', async () => {
    const known = await open('127.0.0.4');
    expect(await ask(known)).toBe('HTTP/1.1 200');
    for (const address of ['127.0.0.5', '127.0.0.6', '127.0.0.7', '127.0.0.8'])
      for (let count = 0; count < 20; count += 1) await open(address);
    expect(await gauge('http_connections')).toBeLessThanOrEqual(60);
    expect(await ask(known)).toBe('HTTP/1.1 200');
    expect(await ask(await open('127.0.0.4'))).toBe('HTTP/1.1 200');
  });

  test('that are idle are closed for new ones if all of them have a key', async () => {
    const first = await open('127.0.0.5');
    expect(await ask(first)).toBe('HTTP/1.1 200');
    for (let count = 0; count < 25; count += 1) {
      expect(await ask(await open('127.0.0.5'))).toBe('HTTP/1.1 200');
    }
    await closed(first);
  });

  test('from a trusted proxy are not limited by its address', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open('127.0.0.9')));
    for (const socket of sockets) expect(await ask(socket)).toBe('HTTP/1.1 200');
  });

  test('without a request do not delay the shutdown, and pending requests get their responses', async () => {
    const beside = await startService({ beside: service() });
    const [silent, half, waiting] = await Promise.all([1, 2, 3].map(() => open('127.0.0.6', beside)));
    half?.write('GET /v1/attributions/ping HTTP/1.1\r\nhost: x\r\n');
    const holder = await connectTo(service().testDatabase.ownerConnection);
    await holder.query('begin');
    await holder.query('lock table attribution');
    let answer = '';
    waiting?.on('data', (part) => {
      answer += part;
    });
    waiting?.write(get(`${transactionsPath}?pageSize=1`, keys().backend));
    await until(async () => {
      const { rows } = await holder.query(
        "select from pg_locks where not granted and relation = 'attribution'::regclass",
      );
      return rows.length > 0;
    });
    const startedAtMs = performance.now();
    const ended = beside.close();
    await Promise.all([silent, half].map((socket) => socket && closed(socket)));
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    expect(answer).toBe('');
    await holder.query('commit');
    await ended;
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });
});
