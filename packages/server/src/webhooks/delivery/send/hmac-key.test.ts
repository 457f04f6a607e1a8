import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HmacKey } from './hmac-key.ts';

const expected = (key: Buffer, message: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(message).digest(encoding);

test("signs as Node's HMAC does, with any key and any text", () => {
  const keys = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 4 });
  fc.assert(
    fc.property(keys, texts, (key, messages) => {
      const signing = new HmacKey(key);
      for (const message of messages)
        for (const encoding of ['hex', 'base64'] as const)
          expect(signing.sign(message, encoding)).toBe(expected(key, message, encoding));
    }),
  );
});

test.each([
  ['ends at the buffer', 16_384],
  ['exceeds the buffer', 16_385],
  ['is huge', 1_000_000],
])('signs a text that %s, in letters of one, two and three bytes', (_what, length) => {
  const key = Buffer.alloc(32, 7);
  const signing = new HmacKey(key);
  for (const letter of ['a', 'é', '\u2028'])
    expect(signing.sign(letter.repeat(length), 'hex')).toBe(expected(key, letter.repeat(length), 'hex'));
  expect(signing.sign('short', 'hex'), 'the buffer holds the end of a longer text').toBe(
    expected(key, 'short', 'hex'),
  );
});

test('keys of 64 bytes and of one more are used as they are and hashed', () => {
  for (const length of [0, 63, 64, 65, 128]) {
    const key = Buffer.alloc(length, 200);
    expect(new HmacKey(key).sign('text', 'base64'), `${length}`).toBe(expected(key, 'text', 'base64'));
  }
});
