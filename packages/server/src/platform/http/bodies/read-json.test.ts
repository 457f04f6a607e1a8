import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './read-json.ts';

const read = (text: string): unknown => readJson(Buffer.from(text));
const reason = (text: string): string => {
  try {
    read(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
// Pads a body, without adding a value, so that the body is long enough to be checked.
const weighed = (json: string): string => json + ' '.repeat(20_000);

describe('readJson', () => {
  test('parses JSON with any strings', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^["\\[\]{},]{0,200}$/),
      fc.nat(200).map((count) => `${'x'.repeat(count)}\\"`),
    );
    const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    }));
    fc.assert(
      fc.property(value, (any) => {
        const json = JSON.stringify(any);
        fc.pre(!/__proto__|constructor/.test(json));
        expect(read(weighed(json))).toEqual(JSON.parse(json));
      }),
      { numRuns: 500 },
    );
  });

  test('accepts a byte order mark', () => {
    expect(read('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  test('accepts up to 64 levels and 50,000 values', () => {
    const nested = (levels: number): string => weighed('['.repeat(levels) + ']'.repeat(levels));
    expect([reason(nested(64)), reason(nested(65))]).toEqual([
      '',
      'The body is nested more than 64 levels deep.',
    ]);
    const values = (count: number): string => `[${'0,'.repeat(count)}0]`;
    expect([reason(values(50_000)), reason(values(50_001))]).toEqual([
      '',
      'The body contains more than 50000 values.',
    ]);
    // Characters within strings don't count, regardless of how the strings are escaped.
    expect(reason(weighed(JSON.stringify('[,'.repeat(100_000))))).toBe('');
    expect(reason(weighed(JSON.stringify(`\\"${'"[,'.repeat(100_000)}`)))).toBe('');
    expect(reason(weighed(`["\\\\",${'0,'.repeat(50_001)}0]`))).toContain('values');
  });

  test('rejects keys that reach into a prototype, however they are escaped', () => {
    for (const key of ['__proto__', '\\u005f_proto__', '_\\u005Fproto__', '__\\u0070roto__']) {
      expect(reason(`{"a":{"${key}":{"b":1}}}`)).toContain('__proto__');
      expect(reason(weighed(`{"a":{"${key}":{"b":1}}}`))).toContain('__proto__');
    }
    for (const key of ['constructor', '\\u0063onstructor'])
      expect(reason(`{"${key}":{"prototype":{}}}`)).not.toBe('');
    expect(read('{"a":"__proto__ constructor"}')).toEqual({ a: '__proto__ constructor' });
  });
});
