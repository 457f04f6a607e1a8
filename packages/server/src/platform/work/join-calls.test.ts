import { describe, expect, test } from 'vitest';
import { joinCalls } from './join-calls.ts';

describe('joinCalls', () => {
  test('makes one call at a time, with each key requested in the meantime once', async () => {
    const calls: string[][] = [];
    let underWay = 0;
    const call = joinCalls<string>(async (keys) => {
      underWay += 1;
      expect(underWay).toBe(1);
      calls.push([...keys]);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, key.toUpperCase()]));
    }, 3);
    const keys = ['a', 'b', 'missing', 'b', 'c', 'd'];
    expect(await Promise.all(keys.map(call))).toEqual(['A', 'B', null, 'B', 'C', 'D']);
    expect(calls).toEqual([['a'], ['b', 'missing', 'c'], ['d']]);
    expect(await call('a')).toBe('A');
  });

  test('rejects all keys of a failed call, then works again', async () => {
    let isBroken = true;
    const call = joinCalls<string>(async (keys) => {
      if (isBroken) throw new Error('down');
      return new Map(keys.map((key) => [key, key]));
    }, 10);
    const failed = await Promise.allSettled([call('a'), call('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await Promise.all([call('a'), call('b')])).toEqual(['a', 'b']);
  });
});
