import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { parseQuery } from './read-query.ts';
import { anyOfThese, oneOfThese, timestamp } from './schemas.ts';
import { checkValue, firstProblem, nullIsAbsent, problemText } from './validation.ts';
import { validatorCompiler } from './validator-compiler.ts';

const person = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 3 }),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  tags: Type.Optional(Type.Array(Type.Object({ label: Type.String() }), { minItems: 1, maxItems: 2 })),
});
const says = (value: unknown): string | null => {
  const problem = firstProblem(person, value);
  return problem === null ? null : problemText(problem);
};

describe('the text of a problem names its place and the expected value', () => {
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

describe('a rule about which properties an object has', () => {
  const named = { code: Type.Optional(Type.String()), id: Type.Optional(Type.String()) };
  const either = Type.Object(named, { ...nullIsAbsent, ...oneOfThese('code', 'id') });
  const some = Type.Object({ of: Type.Object(named, anyOfThese('code', 'id')) }, nullIsAbsent);
  const eitherText = 'The body requires either code or id, but not both';

  test.each([
    [either, {}, eitherText],
    [either, { code: 'a', id: 'b' }, eitherText],
    [either, { code: null }, eitherText],
    [either, { code: 1 }, 'code must be a string'],
    [either, { code: 'a', id: null }, { code: 'a' }],
    [some, { of: {} }, 'of requires code or id'],
    [some, { of: { id: null } }, 'of requires code or id'],
    [some, { of: { code: null, id: 'b' } }, { of: { id: 'b' } }],
    [some, { of: { code: 'a', id: 'b' } }, { of: { code: 'a', id: 'b' } }],
  ])('%#: %j', (schema, value, expected) => {
    const checked = checkValue(schema, value);
    expect('error' in checked ? checked.error.message : checked.value).toEqual(expected);
  });
});

test('does not coerce, remove or add anything', () => {
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

describe('null for an optional property counts as absent if the schema says so', () => {
  const read = (value: unknown, schema = Type.Object(person.properties, nullIsAbsent)) => {
    const checked = checkValue(schema, value);
    return 'error' in checked ? checked.error.message : checked.value;
  };

  test.each([
    [{ name: 'Al', age: null, tags: null }, { name: 'Al' }],
    [
      { name: 'Al', other: null },
      { name: 'Al', other: null },
    ],
    [{ name: null, age: null }, 'name must be a string'],
    [{ name: 'Al', age: null, tags: [{ label: null }] }, 'tags[0].label must be a string'],
    [{ name: 'Al', age: null, tags: [null] }, 'tags[0] must be an object'],
    [null, 'The body must be an object'],
  ])('%j reads as %j', (value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  test('but not otherwise', () => {
    expect(read({ name: 'Al', age: null }, person)).toBe('age must be a whole number');
  });
});

test('names an unknown property, whatever its name, and the allowed ones', () => {
  const strict = Type.Object(
    { action: Type.Optional(Type.String()), playerId: Type.Optional(Type.String()) },
    { additionalProperties: false },
  );
  const says = (name: string): string => {
    const problem = firstProblem(strict, { [name]: 1 });
    return problem === null ? '' : problemText(problem);
  };
  const rest = 'which is not one of the allowed properties: action, playerId';
  expect(says('status')).toBe(`The body contains "status", ${rest}`);
  expect(says('')).toBe(`The body contains "", ${rest}`);
  expect(says('0')).toBe(`The body contains "0", ${rest}`);
  expect(says('a/b~c\n')).toBe(`The body contains "a/b~c\\n", ${rest}`);
  expect(says('x'.repeat(100_000))).toBe(`The body contains "${'x'.repeat(100)}…", ${rest}`);
});

describe('a query string must be percent-encoded UTF-8', () => {
  const validate = validatorCompiler({
    schema: Type.Object({ code: Type.Optional(Type.String()) }),
    method: 'GET',
    url: '/',
    httpPart: 'querystring',
  });
  const read = (text: string) => {
    const { value, error } = validate(parseQuery(text)) as { value?: unknown; error?: { code: string } };
    return error === undefined ? value : error.code;
  };

  test.each([
    ['', {}],
    ['code=%C3%A9+%F0%9F%98%80', { code: 'é 😀' }],
    ['&&code=a%26b%3D&', { code: 'a&b=' }],
    ['code', {}],
    ['code=%FF', 'InvalidInput'],
    ['code=a&code=%C3', 'InvalidInput'],
    ['code=%C3&code=a', 'InvalidInput'],
    ['code=a&other=%C3&%ED%A0%80=a', { code: 'a' }],
    ['code=100%', 'InvalidInput'],
    ['code=%zz', 'InvalidInput'],
    ['code=Ã©', 'InvalidInput'],
    ['__proto__=a&code=b', { code: 'b' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
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
    [{ groupId: '', page: '', flag: '', since: '', status: '', origin: [''] }, { origin: [] }],
    [{ flag: 'True' }, { flag: true }],
    [{ flag: 'False' }, { flag: false }],
    [{ since: '2026-05-01T00:00 0200' }, { since: '2026-05-01T00:00+0200' }],
    [{ since: '2026-05-01T00:00 02' }, { since: '2026-05-01T00:00+02' }],
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
