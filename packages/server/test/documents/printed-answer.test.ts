import { describe, expect, test } from 'vitest';
import { difference } from './printed-answer.ts';

const one = '01a1fc3e-64b1-75ff-9d00-533d2bb49dde';
const other = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';

describe('matches', () => {
  test.each<[string, string, string, string?]>([
    ['the same', '{"a":[1,"b"]}', '{ "a": [1, "b"] }'],
    ['an id that nobody names', `{"id":"${one}"}`, `{"id":"${other}"}`],
    ['a time that nobody names', '["2026-05-01T12:00:00.000Z"]', '["2027-01-01T00:00:00.123Z"]'],
    ['more properties', '{"a":1,…,"c":3}', '{"a":1,"b":2,"c":3}'],
    ['more elements', '[{"a":1},…,{"a":4}]', '[{"a":1},{"a":2},{"a":3},{"a":4}]'],
    ['a part of a text', '["7d0c…"]', `["${other}"]`],
    [
      'a number of plain text',
      '12 entries of 2026-01-01, 1,203 balances.',
      '7 entries of 2027-02-03, 0 balances.',
    ],
  ])('%s', (_what, printed, answered, named = '') => {
    expect(difference(printed, answered, named)).toBeNull();
  });
});

describe('does not match', () => {
  test.each<[string, string, string, string?]>([
    ['another number', '{"a":1}', '{"a":2}'],
    ['another text', '{"a":"Gold"}', '{"a":"Silver"}'],
    ['a property that is not printed', '{"a":1}', '{"a":1,"b":2}'],
    ['a property that is not answered', '{"a":1,"b":2}', '{"a":1}'],
    ['fewer elements', '[1,2]', '[1]'],
    ['another last element', '[1,…,4]', '[1,2,3]'],
    ['an id that the commands name', `["${one}"]`, `["${other}"]`, `curl $BASE/${one}`],
    [
      'a time that the commands name',
      '["2026-05-01T12:00:00.000Z"]',
      '["2027-01-01T00:00:00.000Z"]',
      '"2026-05-01T12:00:00Z"',
    ],
    ['an id of another form', `["${one}"]`, '["acc_alice"]'],
    ['an error in place of JSON', '{"a":1}', 'Conflict'],
    ['other words', 'The ledger is correct', 'DISCREPANCY'],
  ])('%s', (_what, printed, answered, named = '') => {
    expect(difference(printed, answered, named)).not.toBeNull();
  });
});
