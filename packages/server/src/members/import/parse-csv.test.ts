import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from './parse-csv.ts';

const cellsOf = (text: string) => parseCsv(text).records.map(({ cells }) => cells);

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\u{feff}a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n\t2',
    [
      ['a', 'b'],
      ['', '2'],
    ],
  ],
  [
    'a,b\n"1,""x""\n2", 3 ',
    [
      ['a', 'b'],
      ['1,"x"\n2', '3'],
    ],
  ],
  [
    'a,b\n\n,\n1,',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'a,b\n"x"y,z',
    [
      ['a', 'b'],
      ['xy', 'z'],
    ],
  ],
  ['', []],
])('parses %j', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test('returns the line at which a record starts, with line breaks in cells', () => {
  const { records } = parseCsv('a,b\n"1\n2\r\n3",x\n\n4,5');
  expect(records.map(({ line }) => line)).toEqual([1, 2, 6]);
});

test('returns the line of a quote that is never closed', () => {
  expect(parseCsv('a,b\n1,2\n"3,4\n5,6').openQuote).toBe(3);
});

test('parses quoted cells with any text', () => {
  const cell = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map((text) => text.trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 }), (rows) => {
      const table = [['x', 'y', 'z'], ...rows];
      const text = table
        .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
        .join('\n');
      expect(cellsOf(text)).toEqual(table);
    }),
  );
});

test('returns without an error for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'",;\t\r\n a') }), (text) => void parseCsv(text)),
  );
});
