import { expect, test } from 'vitest';
import { printTable } from './print-table.ts';

test('aligns columns on a terminal for any characters', () => {
  const lines: string[] = [];
  printTable(
    ['NAME', 'STATE'],
    [
      ['漢字', 'on'],
      ['Zoe\u0308', 'on'],
      ['👩‍👩‍👧 & 🇩🇪', 'on'],
      ['a\tb\nc', 'on'],
      ['x\u202ey', 'on'],
    ],
    (line) => lines.push(line),
  );
  expect(lines).toEqual([
    'NAME      STATE',
    '漢字      on',
    'Zoe\u0308       on',
    '👩‍👩‍👧 & 🇩🇪   on',
    'a b c     on',
    'x\\u202ey  on',
  ]);
});
