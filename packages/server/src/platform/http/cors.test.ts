import { describe, expect, test } from 'vitest';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys } = useTransactions();
const publicPath = '/v1/attributions/ping';
const origin = { origin: 'https://game.example' };

const preflight = (path: string, method: string) =>
  service().call('OPTIONS', path, {
    headers: {
      ...origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'x-shared-secret',
    },
  });
const corsHeaders = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('a public operation', () => {
  test('accepts preflights from any origin, without a key', async () => {
    const { status, headers, text } = await preflight(publicPath, 'GET');
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET');
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-shared-secret');
    const allowed = headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['traceparent', 'tracestate', 'X-Strict']));
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('lets any origin read its response and the paging headers, even of errors', async () => {
    for (const key of [keys().client, keys().backend, null]) {
      const { headers } = await service().call('GET', publicPath, { key, headers: origin });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining(['X-Next-Cursor', 'Link', 'X-Total-Count', 'X-Warning', 'Retry-After']),
      );
    }
  });

  test.each(['POST', 'DELETE', '', 'get', '*'])(
    'does not allow the method %s that it does not have',
    async (method) => {
      expect(corsHeaders((await preflight(publicPath, method)).headers)).toEqual([]);
    },
  );
});

describe('a secret operation', () => {
  test.each([
    ['GET', transactionsPath],
    ['POST', transactionsPath],
    ['GET', `${transactionsPath}/t`],
    ['PATCH', `${transactionsPath}/t`],
  ])('sends no CORS headers: %s %s', async (method, path) => {
    expect(corsHeaders((await preflight(path, method)).headers)).toEqual([]);
    for (const key of [keys().backend, keys().client, null]) {
      const { headers } = await service().call(method, path, {
        key,
        headers: origin,
        ...(method !== 'GET' && { json: {} }),
      });
      expect(corsHeaders(headers)).toEqual([]);
    }
  });
});

test('sends no CORS headers for operators’ routes and unknown paths', async () => {
  for (const path of ['/metrics', '/healthz', '/readyz', '/nothing', '/v1/nothing']) {
    const { headers } = await service().call('GET', path, { headers: origin });
    expect([path, corsHeaders(headers)]).toEqual([path, []]);
  }
});
