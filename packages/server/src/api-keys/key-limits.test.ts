import { describe, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { useService } from '../../test/test-service.ts';
import { useTransactions } from '../../test/transactions.ts';
import { newKey } from './key-format.ts';

let nowMs = Date.UTC(2026, 4, 1);
const clock = { now: () => new Date(nowMs) };
const ping = (at: TestService, key: string | null, headers: Record<string, string> = {}) =>
  at.call('GET', '/v1/attributions/ping', { key, headers });

describe('invalid keys from one address', () => {
  const { service, keys } = useTransactions({ clock, environment: { FAILED_KEYS_PER_SECOND: '5' } });

  test('are answered 429 with Retry-After past the limit, and 401 again a second later', async () => {
    const codes = async (count: number): Promise<string[]> => {
      const seen: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const key = [null, 'x', newKey('secret')][index % 3] ?? null;
        const { status, headers, body } = await ping(service(), key);
        expect(status).toBe(body.code === 'Unauthorized' ? 401 : 429);
        expect(headers.get('retry-after')).toBe(status === 429 ? '1' : null);
        seen.push(body.code);
      }
      return seen;
    };
    const five = Array(5).fill('Unauthorized');
    expect(await codes(8)).toEqual([...five, 'RateLimited', 'RateLimited', 'RateLimited']);
    nowMs += 1_000;
    expect(await codes(6)).toEqual([...five, 'RateLimited']);
    nowMs += 200;
    expect(await codes(2)).toEqual(['Unauthorized', 'RateLimited']);
  });

  test('do not count against a valid key', async () => {
    for (let count = 0; count < 30; count += 1) await ping(service(), 'bad');
    expect((await ping(service(), 'bad')).status).toBe(429);
    for (const key of Object.values(keys())) expect((await ping(service(), key)).status).toBe(200);
  });

  test('are counted by the connecting address, and ignore X-Forwarded-For of an untrusted client', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 10; count += 1) {
      statuses.add((await ping(service(), 'bad', { 'x-forwarded-for': `10.0.0.${count}` })).status);
    }
    expect(statuses.has(429)).toBe(true);
  });
});

describe('behind a trusted proxy', () => {
  const service = useService({
    clock,
    environment: { FAILED_KEYS_PER_SECOND: '1', TRUST_PROXY: '127.0.0.1' },
  });

  test('invalid keys are counted by the forwarded address', async () => {
    for (const address of ['10.0.0.1', '10.0.0.2', '2001:db8::1']) {
      const statuses = [];
      for (let count = 0; count < 2; count += 1) {
        statuses.push((await ping(service(), 'bad', { 'x-forwarded-for': address })).status);
      }
      expect([address, ...statuses]).toEqual([address, 401, 429]);
    }
  });
});

describe('requests per second of one key', () => {
  const { service, keys } = useTransactions({ clock, environment: { REQUESTS_PER_SECOND_PER_KEY: '3' } });

  test('are answered 429 past a configured limit, without affecting other keys', async () => {
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await ping(service(), keys().backend)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await ping(service(), keys().client)).status).toBe(200);
    nowMs += 1_000;
    expect((await ping(service(), keys().backend)).status).toBe(200);
  });

  test('are counted down in each response, also for a key of another kind', async () => {
    nowMs += 1_000;
    const left = [];
    for (let count = 0; count < 4; count += 1) {
      const { headers } = await ping(service(), keys().moba);
      expect(headers.get('ratelimit-policy')).toBe('"key";q=3;w=1');
      left.push(headers.get('ratelimit'));
    }
    expect(left).toEqual(['"key";r=2;t=1', '"key";r=1;t=1', '"key";r=0;t=1', '"key";r=0;t=1']);
    const secretOnly = await service().call('GET', '/v1/attributions/transactions', { key: keys().client });
    expect([secretOnly.status, secretOnly.headers.get('ratelimit')]).toEqual([403, '"key";r=2;t=1']);
    expect((await ping(service(), 'bad')).headers.get('ratelimit'), 'without a valid key').toBeNull();
  });
});

describe('with the default settings', () => {
  const { service, keys } = useTransactions({ clock });

  test('a key has no limit, and an address may send 20 invalid keys a second', async () => {
    for (let count = 0; count < 300; count += 1) {
      const { status, headers } = await ping(service(), keys().backend);
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
    const statuses = [];
    for (let count = 0; count < 21; count += 1) statuses.push((await ping(service(), 'bad')).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
  });
});
