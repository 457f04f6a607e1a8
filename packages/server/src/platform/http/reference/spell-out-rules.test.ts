import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { anyOfThese, oneOfThese } from '../schemas/schemas.ts';
import { spellOutRules } from './spell-out-rules.ts';

const ajv = new Ajv2020({ strict: false });
const fields = {
  kept: Type.Boolean(),
  one: Type.Optional(Type.Integer()),
  list: Type.Optional(Type.Array(Type.Integer())),
};
const filled = { required: ['list'], properties: { list: { minItems: 1 } } };

it.each([
  ['exactly one of two', Type.Object(fields, oneOfThese('one', 'list'))],
  ['at least one of two', Type.Object(fields, anyOfThese('one', 'list'))],
  [
    'at least one of two, and the list filled',
    Type.Object(fields, { anyOf: [{ required: ['one'] }, filled] }),
  ],
  [
    'some, and no others',
    Type.Object({ one: fields.one, list: fields.list }, { minProperties: 1, additionalProperties: false }),
  ],
  ['at least one, and no other', Type.Object(fields, { ...anyOfThese('one'), additionalProperties: false })],
])('accepts the same values as the original schema: %s', (_name, schema) => {
  const spelledOut = spellOutRules(schema as never);
  expect(spelledOut).not.toHaveProperty('properties');
  const takes = ajv.compile(schema);
  const documentTakes = ajv.compile(spelledOut);
  const value = fc.record(
    {
      kept: fc.constantFrom(true, 1),
      one: fc.constant(1),
      list: fc.constantFrom([], [1]),
      more: fc.constant(1),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, (each) => {
      expect(documentTakes(each)).toBe(takes(each));
    }),
    { numRuns: 300 },
  );
});

it('leaves an object without a rule unchanged', () => {
  expect(spellOutRules(Type.Object(fields) as never)).toEqual(Type.Object(fields));
});
