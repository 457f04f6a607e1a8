import { expect, test } from 'vitest';
import { daysOf } from '../src/ui/dates/period-days.ts';

test.each([
  ['2026-11-30', 'month', '2026-11-01', '2026-11-30'],
  ['2026-11-30', 'lastMonth', '2026-10-01', '2026-10-31'],
  ['2026-01-31', 'lastMonth', '2025-12-01', '2025-12-31'],
  ['2026-12-01', 'month', '2026-12-01', '2026-12-31'],
  ['2028-02-29', 'month', '2028-02-01', '2028-02-29'],
  ['2026-03-01', 'yesterday', '2026-02-28', '2026-02-28'],
  ['2026-03-01', '7days', '2026-02-23', '2026-03-01'],
  ['2026-03-01', '30days', '2026-01-31', '2026-03-01'],
  ['2026-03-01', 'today', '2026-03-01', '2026-03-01'],
] as const)('on %s, %s is from %s to %s', (today, period, first, last) => {
  expect(daysOf(period, today)).toEqual([first, last]);
});
