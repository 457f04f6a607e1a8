import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Page, type PageKey, Pages } from './page.ts';
import { Refusal } from './refusal.ts';

const pages = new Pages(randomBytes(32));
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.uuid());
const key = fc.array(text, { minLength: 1, maxLength: 4 });
const listing = fc.array(fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text)), { minLength: 1 });

function cursorOf(list: unknown, place: PageKey): string {
  const { nextCursor } = pages.cut(list, [place, ['beyond']], 1, (row) => row);
  if (nextCursor === null) throw new Error('another page follows');
  return nextCursor;
}

/** Decodes a cursor. Returns its position, or the refusal's code. */
function read(list: unknown, cursor: string, by = pages): PageKey | null | string {
  try {
    return by.after(list, cursor);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

test('returns the position where the page ended, from a cursor of URL-safe characters', () => {
  fc.assert(
    fc.property(key, listing, (place, list) => {
      const cursor = cursorOf(list, place);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(read(list, cursor)).toEqual(place);
    }),
  );
});

test('rejects a cursor of another list, publisher, filter, order or installation', () => {
  fc.assert(
    fc.property(key, listing, listing, (place, list, other) => {
      fc.pre(JSON.stringify(list) !== JSON.stringify(other));
      const cursor = cursorOf(list, place);
      expect(read(other, cursor)).toBe('InvalidCursor');
      expect(read(list, cursor, new Pages(randomBytes(32)))).toBe('InvalidCursor');
    }),
  );
});

test('makes different cursors for different lists and positions', () => {
  fc.assert(
    fc.property(listing, key, listing, key, (list, place, other, otherPlace) => {
      fc.pre(JSON.stringify([list, place]) !== JSON.stringify([other, otherPlace]));
      expect(cursorOf(list, place)).not.toBe(cursorOf(other, otherPlace));
    }),
  );
});

test('rejects a cursor with one bit flipped, or one character more or less', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  fc.assert(
    fc.property(key, (place) => {
      const cursor = cursorOf('list', place);
      const edited = [cursor.slice(1), cursor.slice(0, -1), `${cursor}=`, ` ${cursor}`, `${cursor}\n`];
      for (const [index, old] of [...cursor].entries())
        for (const letter of `${alphabet}+/=`)
          if (letter !== old) edited.push(cursor.slice(0, index) + letter + cursor.slice(index + 1));
      for (const letter of alphabet) edited.push(letter + cursor, cursor + letter);
      for (const each of edited)
        if (read('list', each) !== 'InvalidCursor') throw new Error(`${each} was read`);
    }),
    { numRuns: 5 },
  );
});

test('rejects any other text', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.base64String()), (sent) => {
      expect(read('list', sent)).toBe('InvalidCursor');
    }),
  );
});

test('makes a cursor of a time and an id shorter than the 200 characters that the API accepts', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), fc.uuid(), (moment, id) => {
      expect(cursorOf('list', [String(moment.getTime()), id]).length).toBeLessThanOrEqual(120);
    }),
  );
});

test('returns every row once and in order with any page size, and no cursor on the last page', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 99_999 }), { maxLength: 60 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 70 }), (rows, size) => {
      rows.sort((one, other) => one - other);
      const seen: number[] = [];
      let count = 0;
      let cursor: string | null = null;
      do {
        const after: PageKey | null = pages.after('numbers', cursor);
        const found = rows.filter((row) => after === null || row > Number(after[0])).slice(0, size + 1);
        const page: Page<number> = pages.cut('numbers', found, size, (row) => [String(row)]);
        expect(page.rows.length).toBeLessThanOrEqual(size);
        seen.push(...page.rows);
        count += 1;
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(rows);
      expect(count).toBe(Math.max(1, Math.ceil(rows.length / size)));
    }),
  );
});
