import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTimestamp } from './timestamps.ts';

const instant = fc.date({
  min: new Date('1970-01-02T00:00:00Z'),
  max: new Date('2100-12-30T00:00:00Z'),
  noInvalidDate: true,
});

describe('parseTimestamp', () => {
  test('reads UTC as JavaScript does', () => {
    fc.assert(
      fc.property(instant, (date) => parseTimestamp(date.toISOString()) === date.getTime()),
      { numRuns: 1_000 },
    );
  });

  test('reads any offset', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const pad = (value: number): string => String(value).padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${pad(Math.trunc(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
        expect(parseTimestamp(local + zone)).toBe(date.getTime());
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['+02:00', '+0200', '+02'])('accepts times without seconds and the offset %s', (offset) => {
    for (const time of ['12:34', '12:34:00', '12:34:00.000']) {
      expect(parseTimestamp(`2026-05-01T${time}${offset}`)).toBe(Date.UTC(2026, 4, 1, 10, 34));
      expect(parseTimestamp(`2026-05-01T${time}${offset.replace('+', '-')}`)).toBe(
        Date.UTC(2026, 4, 1, 14, 34),
      );
      expect(parseTimestamp(`2026-05-01T${time}Z`)).toBe(Date.UTC(2026, 4, 1, 12, 34));
    }
    expect(parseTimestamp('2026-05-01T12:34-0030')).toBe(Date.UTC(2026, 4, 1, 13, 4));
  });

  test('truncates to milliseconds and never rounds', () => {
    fc.assert(
      fc.property(instant, fc.stringMatching(/^\d{1,20}$/), (date, finer) => {
        expect(parseTimestamp(date.toISOString().replace('Z', `${finer}Z`))).toBe(date.getTime());
      }),
    );
    expect(parseTimestamp('2026-05-01T00:00:00.9999999Z')).toBe(Date.UTC(2026, 4, 1, 0, 0, 0, 999));
    expect(parseTimestamp('2026-05-01T00:00:00.5Z')).toBe(Date.UTC(2026, 4, 1, 0, 0, 0, 500));
  });

  test('accepts exactly the days of the calendar', () => {
    for (const year of [1970, 1972, 2000, 2023, 2024, 2026, 2100]) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const [mm, dd] = [String(month).padStart(2, '0'), String(day).padStart(2, '0')];
          const real = new Date(Date.UTC(year, month - 1, day));
          const isReal =
            month >= 1 &&
            month <= 12 &&
            real.getUTCMonth() === month - 1 &&
            real.getUTCDate() === day &&
            day > 0;
          expect([year, mm, dd, parseTimestamp(`${year}-${mm}-${dd}T12:00:00Z`) !== null]).toEqual([
            year,
            mm,
            dd,
            isReal,
          ]);
        }
      }
    }
  });

  test.each([
    '1970-01-01T00:00:00Z',
    '2100-12-31T23:59:59.999Z',
    '1969-12-31T23:00:00-01:00',
    '2101-01-01T00:30:00+01:00',
    '2026-05-01t12:00:00z',
  ])('accepts %s, which is within the years 1970 to 2100', (text) => {
    expect(parseTimestamp(text)).not.toBeNull();
  });

  test.each([
    '',
    ' ',
    'now',
    '2026',
    '2026-05-01',
    '2026-05-01T12:00:00',
    '2026-05-01 12:00:00Z',
    '2026-05-01T24:00:00Z',
    '2026-05-01T12:60:00Z',
    '2026-05-01T12:00:60Z',
    '2026-05-01T12:00:00+24:00',
    '2026-05-01T12:00:00+01:60',
    '2026-05-01T12:00.5Z',
    '2026-05-01T12Z',
    '2026-05-01T1200Z',
    '2026-05-01T12:00',
    '2026-05-01T12:00+1',
    '2026-05-01T12:00+010',
    '2026-05-01T12:00+01:0',
    '2026-05-01T12:00+01:',
    '2026-05-01T12:00+2400',
    '2026-05-01T12:00+0160',
    '2026-05-01T12:00:00.Z',
    '2026-05-01T12:00:00,5Z',
    '2026-5-1T12:00:00Z',
    '+2026-05-01T12:00:00Z',
    '-2026-05-01T12:00:00Z',
    '12026-05-01T12:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '2101-01-01T00:00:00Z',
    '1970-01-01T00:00:00+00:01',
    '2100-12-31T23:59:59-00:01',
    '2026-05-01T12:00:00Z ',
    '\n2026-05-01T12:00:00Z',
    '2026-05-01T12:00:00Z\n',
    '２０２６-05-01T12:00:00Z',
    `2026-05-01T12:00:00.${'1'.repeat(10_000)}Z`,
    '0000-00-00T00:00:00Z',
    '2026-W18-5T12:00:00Z',
  ])('rejects %j', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,4})?)?(Z|[+-]\d\d(:?\d\d)?)$/),
        ),
        (text) => {
          const ms = parseTimestamp(text);
          return ms === null || (ms >= 0 && ms < Date.UTC(2101, 0, 1));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
