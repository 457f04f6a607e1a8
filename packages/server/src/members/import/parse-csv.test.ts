import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../platform/refusal.ts';
import { parseCsv } from './parse-csv.ts';

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells);

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
  ['a\n6" tall', [['a'], ['6" tall']]],
  ['a\r"1\r\n2"\r', [['a'], ['1\n2']]],
  ['', []],
])('parses %j', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test('returns the line at which a record starts, with line breaks in cells', () => {
  const records = parseCsv('a,b\n"1\n2\r\n3",x\n\n , \n4,5');
  expect(records.map(({ line }) => line)).toEqual([1, 2, 7]);
});

test.each([
  ['a,b\n1,2\n"3,4\n5,6', 'A quote that opens after line 2 is never closed.'],
  ['a,b\r\n"1\r\n2",x\r\n"x"y,z', 'Line 4 has text after a closing quote.'],
])('rejects %j', (text, message) => {
  expect(() => parseCsv(text)).toThrow(message);
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

test('parses any text or rejects it as invalid input', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'",;\t\r\n a') }), (text) => {
      try {
        parseCsv(text);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }),
  );
});
