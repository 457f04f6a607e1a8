import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { timestamp } from './schemas.ts';
import { firstProblem, problemText, validatorCompiler } from './validation.ts';

const person = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 3 }),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  tags: Type.Optional(Type.Array(Type.Object({ label: Type.String() }), { minItems: 1, maxItems: 2 })),
});
const says = (value: unknown): string | null => {
  const problem = firstProblem(person, value);
  return problem === null ? null : problemText(problem);
};

describe('a problem names its place and what must be', () => {
  test.each([
    [{ name: 'Al' }, null],
    [{ name: 'Al', other: 1 }, null],
    [{}, 'name is required'],
    [{ name: null }, 'name must be a string'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'Alice' }, 'name must have at most 3 characters'],
    [{ name: '😀😀😀' }, null],
    [{ name: 'Al', age: '5' }, 'age must be a whole number'],
    [{ name: 'Al', age: 1.5 }, 'age must be a whole number'],
    [{ name: 'Al', age: -1 }, 'age must be at least 0'],
    [{ name: 'Al', age: 151 }, 'age must be at most 150'],
    [{ name: 'Al', tags: [] }, 'tags must have at least 1 entry'],
    [{ name: 'Al', tags: [{ label: 'a' }, {}] }, 'tags[1].label is required'],
    [[], 'The body must be an object'],
    [null, 'The body must be an object'],
    ['x', 'The body must be an object'],
  ])('%j: %s', (value, text) => {
    expect(says(value)).toBe(text);
  });
});

test('what is checked is left as it is: nothing is coerced, removed or filled in', () => {
  const schema = Type.Object({ page: Type.Optional(Type.Integer({ default: 1 })) });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = JSON.stringify(value);
      firstProblem(schema, value);
      firstProblem(person, value);
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});

describe('a query string', () => {
  const schema = Type.Object({
    groupId: Type.Optional(Type.String()),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_999 })),
    flag: Type.Optional(Type.Boolean()),
    since: Type.Optional(timestamp('Since.')),
    status: Type.Optional(Type.Array(Type.String({ enum: ['a', 'b'] }), { 'x-case-insensitive': true })),
    origin: Type.Optional(Type.Array(Type.String({ enum: ['a', 'b'] }))),
  });
  const read = (query: Record<string, unknown>) => {
    const validate = validatorCompiler({ schema, method: 'GET', url: '/', httpPart: 'querystring' });
    const { value, error } = validate(query) as { value?: unknown; error?: { code: string } };
    return error === undefined ? value : error.code;
  };

  test.each([
    [{}, {}],
    [
      { page: '7', flag: 'false' },
      { page: 7, flag: false },
    ],
    [{ unknown: ['a', 'b'] }, {}],
    [{ groupId: '' }, {}],
    [{ status: 'A,b' }, { status: ['a', 'b'] }],
    [{ status: ['A', 'b,B'] }, { status: ['a', 'b', 'b'] }],
    [{ since: '2026-05-01T00:00:00 02:00' }, { since: '2026-05-01T00:00:00+02:00' }],
    [{ origin: 'A' }, 'InvalidOrigin'],
    [{ page: ['1', '1'] }, 'InvalidPage'],
    [{ page: '01' }, { page: 1 }],
    [{ page: '1e1' }, 'InvalidPage'],
    [{ page: ' 1' }, 'InvalidPage'],
    [{ flag: 'TRUE' }, 'InvalidInput'],
    [{ since: '2026-05-01 00:00:00Z' }, 'InvalidInput'],
    [{ groupId: ['a', 'b'] }, 'InvalidInput'],
  ])('%j reads as %j', (query, expected) => {
    expect(read(query)).toEqual(expected);
  });
});
