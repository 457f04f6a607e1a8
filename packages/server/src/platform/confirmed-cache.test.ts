import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfirmedCache } from './confirmed-cache.ts';

// Stand-in for the database: its values, whether it is down, and the queries that it has received.
let stored: Map<string, { name: string }>;
let isDown: boolean;
let loads: string[];
let confirmations: string[][];
let cache: ConfirmedCache<{ name: string }>;

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map([
    ['a', { name: 'A' }],
    ['b', { name: 'B' }],
  ]);
  isDown = false;
  loads = [];
  confirmations = [];
  cache = new ConfirmedCache({
    async load(key) {
      loads.push(key);
      if (isDown) throw new Error('the database is down');
      return stored.get(key) ?? null;
    },
    async confirm(entries) {
      confirmations.push([...entries.keys()]);
      if (isDown) throw new Error('the database is down');
      return new Set([...entries].filter(([key, value]) => stored.get(key) === value).map(([key]) => key));
    },
    maxEntries: 2,
  });
});
afterEach(() => {
  cache.stop();
  vi.useRealTimers();
});

describe('a cached value', () => {
  test('is read once for concurrent callers, and then served from memory', async () => {
    const values = await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]);
    expect(values).toEqual(Array(3).fill({ name: 'A' }));
    expect(await cache.get('a')).toBe(values[0]);
    expect(cache.peek('a')).toBe(values[0]);
    expect(loads).toEqual(['a']);
  });

  test('stays cached while the database confirms it, with one query for all values', async () => {
    cache.start();
    await cache.get('a');
    await cache.get('b');
    for (let seconds = 0; seconds < 60; seconds += 20) {
      await vi.advanceTimersByTimeAsync(20_000);
      expect([cache.peek('a'), cache.peek('b')]).toEqual([{ name: 'A' }, { name: 'B' }]);
    }
    expect(loads).toEqual(['a', 'b']);
    expect(confirmations.length).toBeGreaterThanOrEqual(38);
    expect(confirmations.every((keys) => keys.join() === 'a,b')).toBe(true);
  });

  test('is no longer confirmed after half a minute without a read, and is then reloaded', async () => {
    cache.start();
    await cache.get('a');
    await vi.advanceTimersByTimeAsync(20_000);
    await cache.get('b');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(confirmations.at(-1)).toEqual(['b']);
    await vi.advanceTimersByTimeAsync(20_000);
    const count = confirmations.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(confirmations).toHaveLength(count);
    stored.set('a', { name: 'A2' });
    expect(await cache.get('a')).toEqual({ name: 'A2' });
  });

  test('is evicted within five seconds after a change', async () => {
    cache.start();
    await cache.get('a');
    await vi.advanceTimersByTimeAsync(10_000);
    stored.delete('a');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBeNull();
  });

  test('expires after five seconds without a confirmation, and readers then get the error', async () => {
    cache.start();
    await cache.get('a');
    isDown = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(cache.peek('a')).toEqual({ name: 'A' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(cache.peek('a')).toBeUndefined();
    await expect(cache.get('a')).rejects.toThrow('the database is down');
    isDown = false;
    expect(await cache.get('a')).toEqual({ name: 'A' });
  });

  test('is reloaded after 4.5 s when nothing confirms it', async () => {
    await cache.get('a');
    await vi.advanceTimersByTimeAsync(4_499);
    expect(cache.peek('a')).toEqual({ name: 'A' });
    await vi.advanceTimersByTimeAsync(1);
    expect(cache.peek('a')).toBeUndefined();
    expect(confirmations).toEqual([]);
  });
});

test('does not cache a missing value, so that it is found once it exists', async () => {
  expect(await cache.get('c')).toBeNull();
  stored.set('c', { name: 'C' });
  expect(await cache.get('c')).toEqual({ name: 'C' });
});

test('replaces the cached value on reload', async () => {
  await cache.get('a');
  stored.set('a', { name: 'A2' });
  expect(await cache.reload('a')).toEqual({ name: 'A2' });
  expect(cache.peek('a')).toEqual({ name: 'A2' });
});

test('does not overwrite a reloaded value with a read that started earlier', async () => {
  const gates: ((value: { name: string }) => void)[] = [];
  const slow = new ConfirmedCache<{ name: string }>({
    load: () => new Promise((resolve) => gates.push(resolve)),
    confirm: async () => new Set(),
    maxEntries: 2,
  });
  const first = slow.get('a');
  const second = slow.reload('a');
  gates[1]?.({ name: 'new' });
  await second;
  gates[0]?.({ name: 'old' });
  await first;
  expect(slow.peek('a')).toEqual({ name: 'new' });
});

test('evicts the oldest value when there are too many', async () => {
  stored.set('c', { name: 'C' });
  for (const key of ['a', 'b', 'c']) await cache.get(key);
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([
    undefined,
    { name: 'B' },
    { name: 'C' },
  ]);
});
