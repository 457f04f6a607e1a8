import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

test('evicts only the least recently used entry when it is full', () => {
  const cache = boundedCache<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  expect(cache.get('a')).toBe(0);
  cache.set('d', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
});

test('expires entries after the given time', async () => {
  const cache = boundedCache<number>(3, 50);
  cache.set('a', 1);
  expect(cache.get('a')).toBe(1);
  await sleep(80);
  expect(cache.get('a')).toBeUndefined();
});

test('takes less than 20 MB for a thousand empty caches of 100,000 entries', () => {
  const before = process.memoryUsage();
  const caches = Array.from({ length: 1_000 }, () => boundedCache<number>(100_000));
  const after = process.memoryUsage();
  expect(caches.every(({ size }) => size === 0)).toBe(true);
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(20e6);
});
