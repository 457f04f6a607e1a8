import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { rawRequest } from '../../../test/raw-request.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record } = useTransactions();

describe('without a key, operators can read', () => {
  test('whether the process is alive and ready', async () => {
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const answer = await service().call('GET', path);
      expect([answer.status, answer.body]).toEqual([200, { status }]);
    }
  });

  test('metrics, which don’t identify publishers, members, keys or purchases', async () => {
    const recorded = async (): Promise<number> => {
      const { text } = await service().call('GET', '/metrics');
      return Number(/^attribution_recorded_rows_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await recorded();
    await record([purchase({ transactionId: 'named-in-no-metric' }), purchase()]);
    await service().call('GET', '/v1/attributions/transactions/secret-path');
    expect(await recorded()).toBe(before + 2);
    const repeated = ['named-in-no-metric', 'new-beside-a-repeat'].map((transactionId) =>
      record(purchase({ transactionId })),
    );
    expect((await Promise.all(repeated)).map((each) => each.status)).toEqual([409, 200]);
    expect(await recorded()).toBe(before + 3);
    const { status, text, headers } = await service().call('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /attribution_http_request_seconds_count\{operation="createTransactions",method="POST",status="200"\} \d/,
    );
    expect(text).toMatch(/operation="getTransaction",method="GET",status="401"/);
    expect(text).toMatch(/^attribution_disk_bytes\{tables="purchases"\} [1-9]\d+$/m);
    for (const name of [
      'publisher_disk',
      'aurora',
      'acc_alice',
      'ALICE',
      'named-in-no-metric',
      'secret-path',
      keys().backend,
    ]) {
      expect(text).not.toContain(name);
    }
  });
});

describe('the document of the API', () => {
  test('contains the operations of the contract with their keys and error responses', async () => {
    const { status, body } = await service().call('GET', '/openapi.json');
    expect([status, body.openapi]).toEqual([200, '3.1.0']);
    for (const [path, method, ...statuses] of [
      [
        '/v1/attributions/transactions',
        'post',
        '200',
        '400',
        '401',
        '403',
        '409',
        '413',
        '415',
        '429',
        '503',
      ],
      ['/v1/attributions/transactions', 'get', '200', '400', '401', '403', '404', '429', '503'],
      [
        '/v1/attributions/transactions/{transactionId}',
        'get',
        '200',
        '400',
        '401',
        '403',
        '404',
        '429',
        '503',
      ],
      [
        '/v1/attributions/transactions/{transactionId}',
        'patch',
        '200',
        '400',
        '401',
        '403',
        '404',
        '409',
        '413',
        '415',
        '429',
        '503',
      ],
    ] as const) {
      const operation = body.paths[path][method];
      expect(operation.security).toEqual([{ secretKey: [] }]);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(statuses));
      expect(operation.operationId).toBeTruthy();
    }
    const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('does not contain the routes for operators', async () => {
    const { body } = await service().call('GET', '/openapi.json');
    for (const path of ['/metrics', '/healthz', '/readyz', '/openapi.json', '/docs'])
      expect(body.paths).not.toHaveProperty([path]);
  });

  test('is shown at /docs by a page that loads nothing from other hosts', async () => {
    const page = await fetch(`${service().url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const html = await page.text();
    const loaded = [...html.matchAll(/(?:src|href|action|data-url)\s*=\s*["']?([^"'\s>]+)/gi)].map(
      ([, url = '']) => url,
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const url of [
      ...loaded,
      ...[...html.matchAll(/url\(\s*["']?([^"')]+)/gi)].map(([, each = '']) => each),
    ]) {
      const target = new URL(url, page.url);
      expect([url, target.origin === service().url || target.protocol === 'data:']).toEqual([url, true]);
      if (target.protocol !== 'data:') expect((await fetch(target)).status, url).toBe(200);
    }
    expect(html).not.toMatch(/cdn|googleapis|jsdelivr|unpkg/i);
  });
});

describe('every response has a request id', () => {
  const idOf = async (sent: string): Promise<string | null> =>
    (await service().call('GET', '/healthz', { headers: { 'x-request-id': sent } })).headers.get(
      'x-request-id',
    );

  test.each(['a', 'trace-1.2:3_4', '0123456789abcdef0123456789ABCDEF', 'x'.repeat(64)])(
    "the client's own when it is a sane one: %s",
    async (sent) => {
      expect(await idOf(sent)).toBe(sent);
    },
  );

  test.each([
    '',
    ' ',
    'x'.repeat(65),
    'x'.repeat(8_000),
    'a b',
    'a,b',
    '<script>',
    'a"b',
    'ä',
    'a%0d%0ax:1',
    '../..',
    '{}',
  ])('a new one when the sent one is invalid: %s', async (sent) => {
    const id = await idOf(sent);
    expect(id).toMatch(/^[\w-]{5,40}$/);
    expect(id).not.toBe(sent);
  });

  test('a new, unique one when it is sent twice', async () => {
    const twice = await rawRequest(service().url, [
      'GET /healthz HTTP/1.1',
      'host: x',
      'x-request-id: a',
      'x-request-id: b',
      'connection: close',
    ]);
    expect(twice.headers.get('x-request-id')).toMatch(/^[\w-]{5,40}$/);
    const ids = await Promise.all(Array.from({ length: 50 }, () => idOf('')));
    expect(new Set(ids).size).toBe(50);
  });

  test('even on errors: no key, unknown path, unknown method, invalid HTTP', async () => {
    const sent = { 'x-request-id': 'mine' };
    for (const [method, path] of [
      ['GET', transactionsPath],
      ['GET', '/nowhere'],
      ['DELETE', transactionsPath],
      ['GET', `${transactionsPath}/%zz`],
    ] as const) {
      const { headers } = await service().call(method, path, { headers: sent });
      expect([path, headers.get('x-request-id')]).toEqual([path, 'mine']);
    }
    expect((await rawRequest(service().url, ['HELLO'])).headers.get('x-request-id')).toBeTruthy();
  });
});
