import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, kindOfKey, newKey } from './key-format.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test.each([
  ['secret', /^svc_sk_[0-9A-Za-z]{38}$/],
  ['public', /^svc_pk_[0-9A-Za-z]{38}$/],
] as const)('recognizes a new %s key by its prefix', (kind, shape) => {
  const keys = Array.from({ length: 500 }, () => newKey(kind));
  for (const key of keys) {
    expect(key).toMatch(shape);
    expect(kindOfKey(key)).toBe(kind);
  }
  expect(new Set(keys).size).toBe(500);
});

test('accepts keys of key format 1 by their checksum', () => {
  expect(kindOfKey(checked('svc_sk_00000000000000000000000000000000'))).toBe('secret');
  expect(kindOfKey(checked('svc_pk_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'))).toBe('public');
});

test('rejects a key with any single character changed, including the prefix', () => {
  for (const key of [newKey('secret'), newKey('public')]) {
    for (let index = 0; index < key.length; index += 1) {
      for (const letter of `${alphabet}_-`) {
        if (letter === key[index]) continue;
        expect(kindOfKey(key.slice(0, index) + letter + key.slice(index + 1))).toBeNull();
      }
    }
  }
});

test('rejects a key that is too short, too long, or has two adjacent characters swapped', () => {
  const key = newKey('secret');
  for (const edited of [
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key} `,
    `${key}\n`,
    key.toUpperCase(),
    '',
  ]) {
    expect(kindOfKey(edited)).toBeNull();
  }
  fc.assert(
    fc.property(fc.integer({ min: 7, max: key.length - 2 }), (index) => {
      const swapped = `${key.slice(0, index)}${key[index + 1]}${key[index]}${key.slice(index + 2)}`;
      fc.pre(swapped !== key);
      expect(kindOfKey(swapped)).toBeNull();
    }),
  );
});

test('rejects any other text', () => {
  fc.assert(fc.property(fc.string(), (text) => kindOfKey(text) === null));
});

test('stores a SHA-256, which does not reveal the key', () => {
  const key = newKey('secret');
  expect(hashKey(key)).toHaveLength(32);
  expect(hashKey(key).equals(hashKey(newKey('secret')))).toBe(false);
});

/** Returns a body with its CRC-32 in base62, calculated independently of the code under test. */
function checked(body: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const value = BigInt((crc ^ 0xffffffff) >>> 0);
  return (
    body + [5n, 4n, 3n, 2n, 1n, 0n].map((place) => alphabet[Number((value / 62n ** place) % 62n)]).join('')
  );
}
