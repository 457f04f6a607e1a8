import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDate } from '../src/ui/dates/read-date.ts';

describe('readDate', () => {
  test.each([
    '2026-07-01',
    '2026-7-1',
    ' 2026/07/01 ',
    '2026.7.1',
    '20260701',
    '1 Jul 2026',
    '1. July 2026',
    'Jul 1, 2026',
    'July 1 2026',
    '01 JUL  2026',
  ])('reads %j as July 1, 2026', (typed) => {
    expect(readDate(typed, false)).toBe('2026-07-01');
    expect(readDate(typed, true)).toBe('2026-07-01T00:00');
  });

  test.each([
    ['2026-07-01T18:30', '2026-07-01T18:30'],
    ['2026-07-01 18:30', '2026-07-01T18:30'],
    ['2026-07-01 8:05', '2026-07-01T08:05'],
    ['2026-07-01, 18:30:59.999', '2026-07-01T18:30:59.999'],
    ['Jul 1, 2026, 6:30 PM', '2026-07-01T18:30'],
    ['1 Aug 2026 12:00 a.m.', '2026-08-01T00:00'],
    ['2026-08-01 18:30 UTC', '2026-08-01T18:30'],
  ])('reads %j with its time', (typed, value) => {
    expect(readDate(typed, true)).toBe(value);
    expect(readDate(typed, false)).toBeNull();
  });

  // 7/1/2026 is January 7 to some readers and July 1 to others.
  test.each([
    '7/1/2026',
    '1.7.2026',
    '2026-02-30',
    '2026-13-01',
    '2026',
    '12',
    'tomorrow',
    '2026-07/01',
    '1 Jux 2026',
  ])('does not read %j', (typed) => {
    expect(readDate(typed, false)).toBeNull();
    expect(readDate(typed, true)).toBeNull();
  });

  test.each([
    '2026-07-01 24:00',
    '2026-07-01 12:60',
    '2026-07-01 13:00 pm',
    '2026-07-01 0:00 am',
    '2026-07-01 12',
  ])('does not read the time of %j', (typed) => expect(readDate(typed, true)).toBeNull());

  test('reads what it has written, and never fails on any text', () => {
    const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (at) => {
        const value = at.toISOString().slice(0, 16);
        expect(readDate(value, true)).toBe(value);
        expect(readDate(value.replace('T', ' '), true)).toBe(value);
        expect(readDate(value.slice(0, 10), false)).toBe(value.slice(0, 10));
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readDate(text, true);
        expect(read === null || !Number.isNaN(Date.parse(`${read}Z`))).toBe(true);
      }),
    );
  });
});
