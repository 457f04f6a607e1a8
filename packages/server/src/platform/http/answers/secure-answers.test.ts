import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { rawRequest } from '../../../../test/raw-request.ts';
import { transactionsPath, useTransactions } from '../../../../test/transactions.ts';

const { service, keys } = useTransactions();

describe('every response', () => {
  const strict = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
  const secured = (headers: Headers): Record<string, string | null> =>
    Object.fromEntries(Object.keys(strict).map((name) => [name, headers.get(name)]));

  test.each([
    ['a list', 'GET', transactionsPath],
    ['an error', 'POST', transactionsPath],
    ['a preflight', 'OPTIONS', '/v1/attributions/ping'],
    ['an unknown path', 'GET', '/nope'],
    ['an invalid path', 'GET', '/v1/attributions/transactions/%zz'],
    ['health', 'GET', '/healthz'],
    ['metrics', 'GET', '/metrics'],
  ])('has headers that prevent caching and sniffing: %s', async (_what, method, path) => {
    for (const key of [keys().backend, null]) {
      const { headers } = await service().call(method, path, { key });
      expect(secured(headers)).toEqual(strict);
    }
  });

  test('has these headers even for invalid HTTP', async () => {
    expect(secured((await rawRequest(service().url, ['HELLO'])).headers)).toEqual(strict);
  });
});

describe('content that is the same for all clients', () => {
  const fetchAs = (path: string, headers: Record<string, string> = {}) =>
    fetch(service().url + path, { headers });

  test.each(['/docs', '/docs/', '/docs/js/scalar.js', '/docs/js/start.js', '/openapi.json'])(
    '%s is compressed, and gets 304 when it is revalidated',
    async (path) => {
      const plain = await fetchAs(path, { 'accept-encoding': 'identity' });
      const text = await plain.text();
      const etag = plain.headers.get('etag') ?? '';
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip;q=0.5', 'gzip'],
        ['deflate', null],
      ] as const) {
        const answer = await fetchAs(path, { 'accept-encoding': accepted });
        expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, encoding]);
        expect(answer.headers.get('vary')).toBe('accept-encoding');
        expect(await answer.text()).toBe(text);
      }
      for (const known of [etag, `"x", ${etag}`, '*']) {
        const again = await fetchAs(path, { 'if-none-match': known });
        expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      }
      const other = await fetchAs(path, { 'if-none-match': '"x"' });
      expect([other.status, await other.text()]).toEqual([200, text]);
    },
  );

  test('the reference’s page runs only its own scripts, and no inline ones', async () => {
    const page = await fetchAs('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const scripts = [...(await page.text()).matchAll(/<script([^>]*)>([^<]*)/g)];
    expect(scripts.length).toBe(2);
    for (const [, attributes, text] of scripts) {
      expect(text).toBe('');
      const src = /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? '';
      const script = await fetchAs(src);
      await script.text(); // an unread response would prevent the service from closing
      expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
    }
  });

  test('400 clients that never read it do not use up memory or delay others', async () => {
    await fetchAs('/docs/js/scalar.js').then((answer) => answer.arrayBuffer());
    const memory = (): number => {
      const { external, arrayBuffers } = process.memoryUsage();
      return (external + arrayBuffers) / 2 ** 20;
    };
    const beforeMiB = memory();
    const answers: string[] = [];
    const sockets = Array.from({ length: 400 }, () => {
      const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.once('data', (part) => {
        answers.push(String(part).slice(0, 12));
        socket.pause();
      });
      socket.write('GET /docs/js/scalar.js HTTP/1.1\r\nhost: x\r\n\r\n');
      return socket;
    });
    while (answers.length < sockets.length) await fetchAs('/healthz').then((answer) => answer.text());
    expect(memory() - beforeMiB).toBeLessThan(20);
    expect(answers.filter((start) => start === 'HTTP/1.1 200').length).toBe(40);
    expect(answers.filter((start) => start === 'HTTP/1.1 503').length).toBe(360);
    for (const socket of sockets) socket.destroy();
    for (let status = 0; status !== 200; ) {
      const answer = await fetchAs('/docs/js/scalar.js');
      await answer.arrayBuffer();
      status = answer.status;
    }
  });
});
