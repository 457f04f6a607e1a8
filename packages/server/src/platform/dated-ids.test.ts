import { afterEach, expect, test } from 'vitest';
import { coverIds, newDatedId } from './dated-ids.ts';
import { isRowId, rowIdAt, timeOfRowId } from './ids.ts';

afterEach(() => coverIds(null));

const dayMs = 86_400_000;
const dayFromNow = (days: number): string => rowIdAt(new Date(Date.now() + days * dayMs));

test('creates an id with the current time if there is a partition for it', () => {
  coverIds({ first: dayFromNow(-1), end: dayFromNow(1) });
  expect(Math.abs(timeOfRowId(newDatedId()).getTime() - Date.now())).toBeLessThan(1_000);
});

test.each([
  ['ahead of all partitions', -20, -10],
  ['behind all of them', 10, 20],
])('makes unique ids in the nearest partition when the clock is %s', (_what, from, to) => {
  const [first, end] = [dayFromNow(from), dayFromNow(to)];
  coverIds({ first, end });
  const ids = Array.from({ length: 1_000 }, () => newDatedId());
  for (const id of ids) expect([isRowId(id), id >= first, id < end]).toEqual([true, true, true]);
  expect(new Set(ids).size).toBe(1_000);
});
