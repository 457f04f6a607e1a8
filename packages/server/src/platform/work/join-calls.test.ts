import { describe, expect, test } from 'vitest';
import { joinCalls } from './join-calls.ts';

describe('calls that are joined', () => {
  test('are one at a time, with all that was asked for meanwhile, each key once', async () => {
    const calls: string[][] = [];
    let underWay = 0;
    const ask = joinCalls<string>(async (keys) => {
      underWay += 1;
      expect(underWay).toBe(1);
      calls.push([...keys]);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key.toUpperCase()]));
    }, 3);
    const keys = ['a', 'b', 'nobody', 'b', 'c', 'd'];
    expect(await Promise.all(keys.map(ask))).toEqual(['A', 'B', null, 'B', 'C', 'D']);
    expect(calls).toEqual([['a'], ['b', 'nobody', 'c'], ['d']]);
    expect(await ask('a')).toBe('A');
  });

  test('fail together, and the next ones go on', async () => {
    let isBroken = true;
    const ask = joinCalls<string>(async (keys) => {
      if (isBroken) throw new Error('away');
      return new Map(keys.map((key) => [key, key]));
    }, 10);
    const failed = await Promise.allSettled([ask('a'), ask('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b']);
  });
});
