import { afterEach, expect, test, vi } from 'vitest';
import { periodsOf, rangeOf } from '../src/ui/dates/filter-period.ts';

afterEach(() => vi.useRealTimers());

test.each([
  ['2026-11-30', 'month', '2026-11-01', '2026-12-01'],
  ['2026-11-30', 'lastMonth', '2026-10-01', '2026-11-01'],
  ['2026-01-31', 'lastMonth', '2025-12-01', '2026-01-01'],
  ['2026-12-01', 'month', '2026-12-01', '2027-01-01'],
  ['2028-02-29', 'month', '2028-02-01', '2028-03-01'],
  ['2026-03-01', 'yesterday', '2026-02-28', '2026-03-01'],
  ['2026-03-01', '7days', '2026-02-23', '2026-03-02'],
  ['2026-03-01', '30days', '2026-01-31', '2026-03-02'],
  ['2026-03-01', 'today', '2026-03-01', '2026-03-02'],
] as const)('on %s, %s is from %s until %s', (today, period, from, until) => {
  vi.useFakeTimers({ now: Date.parse(`${today}T23:59:00Z`) });
  const range = rangeOf(period, 'utc');
  expect(range).toEqual({ from: `${from}T00:00:00Z`, until: `${until}T00:00:00Z` });
  expect(periodsOf(range, 'utc')).toContain(period);
});

test('a range without an end, or of other hours, is no period', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00Z') });
  expect(periodsOf({ from: '2026-11-30T00:00:00Z' }, 'utc')).toEqual([]);
  expect(periodsOf({ from: '2026-11-30T01:00:00Z', until: '2026-12-01T01:00:00Z' }, 'utc')).toEqual([]);
  expect(periodsOf({ from: 'tomorrow', until: 'never' }, 'utc')).toEqual([]);
});
