import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfirmedCache } from './confirmed-cache.ts';

/** Stands for the database: what it holds, whether it answers, and what it was asked. */
let held: Map<string, { name: string }>;
let isAway: boolean;
let loads: string[];
let confirmations: string[][];
let cache: ConfirmedCache<{ name: string }>;

beforeEach(() => {
  vi.useFakeTimers();
  held = new Map([
    ['a', { name: 'A' }],
    ['b', { name: 'B' }],
  ]);
  isAway = false;
  loads = [];
  confirmations = [];
  cache = new ConfirmedCache({
    async load(key) {
      loads.push(key);
      if (isAway) throw new Error('the database is away');
      return held.get(key) ?? null;
    },
    async confirm(entries) {
      confirmations.push([...entries.keys()]);
      if (isAway) throw new Error('the database is away');
      return new Set([...entries].filter(([key, value]) => held.get(key) === value).map(([key]) => key));
    },
    maxEntries: 2,
  });
});
afterEach(() => {
  cache.stop();
  vi.useRealTimers();
});

describe('a kept value', () => {
  test('is read once, however many ask at the same time, and then costs nothing', async () => {
    const values = await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]);
    expect(values).toEqual(Array(3).fill({ name: 'A' }));
    expect(await cache.get('a')).toBe(values[0]);
    expect(cache.peek('a')).toBe(values[0]);
    expect(loads).toEqual(['a']);
  });

  test('stays warm for as long as the database confirms it, with one question for all', async () => {
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

  test('that nobody has asked for in half a minute costs nothing more, and is read anew when it is wanted', async () => {
    cache.start();
    await cache.get('a');
    await vi.advanceTimersByTimeAsync(20_000);
    await cache.get('b');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(confirmations.at(-1)).toEqual(['b']);
    await vi.advanceTimersByTimeAsync(20_000);
    const asked = confirmations.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(confirmations).toHaveLength(asked);
    held.set('a', { name: 'A2' });
    expect(await cache.get('a')).toEqual({ name: 'A2' });
  });

  test('is gone within five seconds of its change', async () => {
    cache.start();
    await cache.get('a');
    await vi.advanceTimersByTimeAsync(10_000);
    held.delete('a');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(cache.peek('a')).toBeUndefined();
    expect(await cache.get('a')).toBeNull();
  });

  test('is not trusted for five seconds without a confirmation: readers get the error instead', async () => {
    cache.start();
    await cache.get('a');
    isAway = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(cache.peek('a')).toEqual({ name: 'A' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(cache.peek('a')).toBeUndefined();
    await expect(cache.get('a')).rejects.toThrow('away');
    isAway = false;
    expect(await cache.get('a')).toEqual({ name: 'A' });
  });

  test('is read anew after 4.5 s where nobody confirms', async () => {
    await cache.get('a');
    await vi.advanceTimersByTimeAsync(4_499);
    expect(cache.peek('a')).toEqual({ name: 'A' });
    await vi.advanceTimersByTimeAsync(1);
    expect(cache.peek('a')).toBeUndefined();
    expect(confirmations).toEqual([]);
  });
});

test('what is not there is not kept, so that it is found the moment it is', async () => {
  expect(await cache.get('c')).toBeNull();
  held.set('c', { name: 'C' });
  expect(await cache.get('c')).toEqual({ name: 'C' });
});

test('reload replaces what is kept, whatever it is', async () => {
  await cache.get('a');
  held.set('a', { name: 'A2' });
  expect(await cache.reload('a')).toEqual({ name: 'A2' });
  expect(cache.peek('a')).toEqual({ name: 'A2' });
});

test('a read that began before a reload does not overwrite it', async () => {
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

test('no more than so many values are kept: the oldest makes room', async () => {
  held.set('c', { name: 'C' });
  for (const key of ['a', 'b', 'c']) await cache.get(key);
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([
    undefined,
    { name: 'B' },
    { name: 'C' },
  ]);
});
