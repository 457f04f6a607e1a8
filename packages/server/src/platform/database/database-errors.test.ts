import { expect, test } from 'vitest';
import { violatedConstraint } from './database-errors.ts';

const violated = (fields: object): Error =>
  Object.assign(new Error('something else'), { code: '23505' }, fields);

test.each([
  ['its field', { constraint: 'attribution_claim' }, 'attribution_claim'],
  ['its field, of a shard', { constraint: 'attribution_claim_102345' }, 'attribution_claim'],
  [
    'its message alone, of a shard',
    { message: 'duplicate key value violates unique constraint "attribution_claim_102345"' },
    'attribution_claim',
  ],
  [
    'its message alone',
    {
      code: '23P01',
      message: 'conflicting key value violates exclusion constraint "scheduled_share_no_overlap"',
    },
    'scheduled_share_no_overlap',
  ],
  ['nothing', {}, null],
  ['an error of another kind', { code: '42704', message: 'constraint "payment_key" does not exist' }, null],
  ['an error that is not the database’s', { code: 'ECONNRESET', constraint: 'a' }, null],
])('reads the violated constraint from %s', (_where, fields, name) => {
  expect(violatedConstraint(violated(fields))).toBe(name);
});
