import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashAuthCode, newAuthCode } from './auth-code.ts';

const secret = randomBytes(32);
const hash = (code: string): string | undefined => hashAuthCode(secret, code)?.toString('hex');

describe('an auth code', () => {
  test('has eight unambiguous characters and a dash', () => {
    const codes = Array.from({ length: 2_000 }, newAuthCode);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(codes.join('')).size, 'all characters are used').toBe(31 + 1);
  });

  test('is accepted in any case, with or without the dash, and with surrounding whitespace', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
        fc.boolean(),
        fc.constantFrom('', ' ', '\t', '\r\n', '\u00a0 '),
        fc.constantFrom('', ' ', '\n'),
        (isSmall, hasDash, before, after) => {
          const code = newAuthCode();
          const typed = [...code].map((each, index) => (isSmall[index] ? each.toLowerCase() : each)).join('');
          return hash(before + (hasDash ? typed : typed.replace('-', '')) + after) === hash(code);
        },
      ),
    );
  });

  test('is a different code if one character differs', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.constantFrom(...'23456789ABCDEFGHJKMNPQRSTUVWXYZ'), (index, character) => {
        const code = newAuthCode();
        fc.pre(code[index] !== '-' && code[index] !== character);
        const other = code.slice(0, index) + character + code.slice(index + 1);
        return hash(other) !== hash(code) && hash(other) !== undefined;
      }),
    );
  });

  test('has a different hash with a different secret', () => {
    const code = newAuthCode();
    expect(hashAuthCode(randomBytes(32), code)?.toString('hex')).not.toBe(hash(code));
  });

  test.each([
    '',
    'ABCD',
    'ABCD-EFG',
    'ABCD-EFGHJ',
    'ABC-DEFGH',
    'ABCD--EFGH',
    'ABCD EFGH',
    'ABCD-EFG0',
    'ABCD-EFG1',
    'ABCD-EFGI',
    'ABCD-EFGL',
    'ABCD-EFGO',
    'ABCD–EFGH',
    'ABCD-EFG\u017f', // its uppercase form is S
    'ABCD-EFG\u212a', // the Kelvin sign, not a K
    'ABCD-EFGH\0',
    'ＡBCD-EFGH',
  ])('is not %j', (text) => {
    expect(hash(text)).toBeUndefined();
  });
});
