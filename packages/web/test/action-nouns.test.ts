import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actionNouns } from '../src/dashboard/screens/audit/action-nouns.ts';
import { actionInWords } from '../src/dashboard/screens/audit/action-words.ts';

test('the filter of Audit offers the nouns of all documented actions', () => {
  const page = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const codes = rows.flatMap((line) => line.split('|')[1]?.match(/[a-z-]+\.[a-z-]+/g) ?? []);
  const nouns = new Set(codes.filter((code) => !code.startsWith('actor.')).map((code) => code.split('.')[0]));
  expect([...actionNouns].toSorted()).toEqual([...nouns].toSorted());
});

test.each([
  ['payout.claw-back', 'Purchase: clawed back'],
  ['payout.mark-paid', 'Payout: marked paid'],
  ['staff.invite', 'Team: invited'],
])('Audit names %s by the thing that it changes', (action, words) => {
  expect(actionInWords(action)).toBe(words);
});
