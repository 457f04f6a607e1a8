import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAttributionId } from '../platform/ids.ts';
import { readCursor, writeCursor } from './list-cursor.ts';

const secret = randomBytes(32);
const position = fc.record({
  transactionDateMs: fc.integer({ min: 0, max: Date.UTC(2101, 0, 1) - 1 }),
  attributionId: fc.uuid().map(toAttributionId),
});

test('a cursor says where the page ended, in letters that a URL takes as they are', () => {
  fc.assert(
    fc.property(position, fc.string(), (place, listing) => {
      const cursor = writeCursor(secret, listing, place);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]{56}$/);
      expect(readCursor(secret, listing, cursor)).toEqual(place);
    }),
  );
});

test('a cursor of another listing or another installation is none', () => {
  fc.assert(
    fc.property(position, fc.string(), fc.string(), (place, listing, other) => {
      fc.pre(listing !== other);
      const cursor = writeCursor(secret, listing, place);
      expect(readCursor(secret, other, cursor)).toBeNull();
      expect(readCursor(randomBytes(32), listing, cursor)).toBeNull();
    }),
  );
});

test('a cursor with any one character changed is none: no bit of it is idle', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  fc.assert(
    fc.property(position, (place) => {
      const cursor = writeCursor(secret, 'listing', place);
      for (let index = 0; index < cursor.length; index += 1) {
        for (const letter of alphabet) {
          if (letter === cursor[index]) continue;
          const edited = cursor.slice(0, index) + letter + cursor.slice(index + 1);
          if (readCursor(secret, 'listing', edited) !== null) throw new Error(`${edited} was read`);
        }
      }
    }),
    { numRuns: 5 },
  );
});

test('any other text is none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.base64String()), (text) => {
      expect(readCursor(secret, 'listing', text)).toBeNull();
    }),
  );
});
