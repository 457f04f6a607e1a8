import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Deadline, Deadlines } from './deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('ends each item at its own deadline, unless it has ended, whatever the order', () => {
  const step = fc.record({
    what: fc.constantFrom('begin', 'end'),
    which: fc.nat(),
    waitMs: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const late = new Map<number, number>();
      const deadlines = new Deadlines<number>(100, (item) => void late.set(item, performance.now()));
      const begun: { deadline: Deadline<number>; atMs: number; endedMs: number | null }[] = [];
      for (const { what, which, waitMs } of steps) {
        const nowMs = performance.now();
        if (what === 'begin')
          begun.push({ deadline: deadlines.begin(begun.length, nowMs), atMs: nowMs, endedMs: null });
        else {
          const one = begun[which % Math.max(1, begun.length)];
          if (one !== undefined) {
            deadlines.end(one.deadline); // possibly for the second time, or after it was late
            one.endedMs ??= nowMs;
          }
        }
        vi.advanceTimersByTime(waitMs);
      }
      vi.advanceTimersByTime(200);
      for (const [item, { atMs, endedMs }] of begun.entries()) {
        const isLate = endedMs === null || endedMs >= atMs + 100;
        expect(late.has(item), `item ${item}`).toBe(isLate);
        if (isLate) expect((late.get(item) ?? 0) - atMs).toBeLessThanOrEqual(102);
      }
      expect(vi.getTimerCount(), 'timers without items').toBe(0);
    }),
  );
});

test('an item that begins while another is ended late has its own deadline', () => {
  const late: string[] = [];
  const deadlines = new Deadlines<string>(100, (item) => {
    late.push(item);
    if (item === 'first') deadlines.begin('next', performance.now());
  });
  deadlines.begin('first', performance.now());
  vi.advanceTimersByTime(60);
  deadlines.begin('second', performance.now());
  vi.advanceTimersByTime(41);
  expect(late).toEqual(['first']);
  vi.advanceTimersByTime(60);
  expect(late).toEqual(['first', 'second']);
  vi.advanceTimersByTime(60);
  expect(late).toEqual(['first', 'second', 'next']);
  expect(vi.getTimerCount()).toBe(0);
});

test('ends nothing after it is closed', () => {
  const late: string[] = [];
  const deadlines = new Deadlines<string>(100, (item) => void late.push(item));
  for (const item of ['a', 'b', 'c']) deadlines.begin(item, performance.now());
  deadlines.close();
  vi.advanceTimersByTime(1_000);
  expect(late).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
