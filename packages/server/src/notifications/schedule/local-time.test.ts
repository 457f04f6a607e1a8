import { expect, test } from 'vitest';
import { isTimeZone, lastOccurrence, nextOccurrence, periodOf } from './local-time.ts';

const next = (timeZone: string, hour: number, now: string, frequency: 'daily' | 'weekly' = 'daily') =>
  nextOccurrence({ timeZone, hour }, frequency, new Date(now)).at.toISOString();

test('an hour that the clocks skip is sent after the skip, and one that they repeat is sent once', () => {
  // On March 8, 2026, New York's clocks skip from 2:00 to 3:00; on November 1, they repeat 1:00 to 2:00.
  expect(next('America/New_York', 2, '2026-03-08T00:00:00Z')).toBe('2026-03-08T07:00:00.000Z');
  expect(next('America/New_York', 2, '2026-03-08T07:00:00Z')).toBe('2026-03-09T06:00:00.000Z');
  expect(next('America/New_York', 1, '2026-11-01T00:00:00Z')).toBe('2026-11-01T05:00:00.000Z');
  expect(next('America/New_York', 1, '2026-11-01T05:00:00Z')).toBe('2026-11-02T06:00:00.000Z');
  expect(next('Australia/Lord_Howe', 2, '2026-10-03T14:00:00Z')).toBe('2026-10-03T15:30:00.000Z');
  expect(next('Europe/Berlin', 8, '2026-05-06T06:00:00Z', 'weekly')).toBe('2026-05-11T06:00:00.000Z');
});

test.each(['Australia/Sydney', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
  'in %s, digests cover each UTC day once, and only days that are over, also when the clocks change',
  (timeZone) => {
    for (const hour of [0, 2, 10, 16])
      for (const start of ['2026-03-05T00:00:00Z', '2026-10-01T00:00:00Z']) {
        let now = new Date(start);
        let covered: string | null = null;
        for (let sent = 0; sent < 35; sent += 1) {
          const occurrence = nextOccurrence({ timeZone, hour }, 'daily', now);
          expect(lastOccurrence({ timeZone, hour }, 'daily', occurrence.at)).toEqual(occurrence);
          const { from, until } = periodOf({ timeZone, hour }, 'daily', occurrence.dayStart);
          if (covered !== null) expect(from, `${timeZone} at ${hour}`).toBe(covered);
          expect(Date.parse(until)).toBeLessThanOrEqual(occurrence.at.getTime());
          expect(occurrence.at.getTime() - Date.parse(until)).toBeLessThan(26 * 3_600_000);
          covered = until;
          now = occurrence.at;
        }
      }
  },
);

test('accepts only names of time zones', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect(isTimeZone(name), name).toBe(true);
  for (const name of ['', '+02:00', 'Mars/Base', 'Europe/Berlin\n', '../etc', 'x'.repeat(80)])
    expect(isTimeZone(name), name).toBe(false);
});
