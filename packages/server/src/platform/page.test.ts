import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Page, type PageKey, Pages } from './page.ts';
import { Refusal } from './refusal.ts';

const pages = new Pages(randomBytes(32));
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.uuid());
const key = fc.array(text, { minLength: 1, maxLength: 4 });
const listing = fc.array(fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text)), { minLength: 1 });

/** The cursor of a page that ended at a place. */
function cursorOf(list: unknown, place: PageKey): string {
  const { nextCursor } = pages.cut(list, [place, ['beyond']], 1, (row) => row);
  if (nextCursor === null) throw new Error('another page follows');
  return nextCursor;
}

/** Returns what a cursor decodes to: a position, or the refusal's code. */
function read(list: unknown, cursor: string, by = pages): PageKey | null | string {
  try {
    return by.after(list, cursor);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

test('a cursor says where the page ended, in letters that a URL takes as they are', () => {
  fc.assert(
    fc.property(key, listing, (place, list) => {
      const cursor = cursorOf(list, place);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(read(list, cursor)).toEqual(place);
    }),
  );
});

test('a cursor of another list, publisher, filter, order or installation is none', () => {
  fc.assert(
    fc.property(key, listing, listing, (place, list, other) => {
      fc.pre(JSON.stringify(list) !== JSON.stringify(other));
      const cursor = cursorOf(list, place);
      expect(read(other, cursor)).toBe('InvalidCursor');
      expect(read(list, cursor, new Pages(randomBytes(32)))).toBe('InvalidCursor');
    }),
  );
});

test('what a list is called and where its page ended cannot be told apart anew', () => {
  fc.assert(
    fc.property(listing, key, listing, key, (list, place, other, otherPlace) => {
      fc.pre(JSON.stringify([list, place]) !== JSON.stringify([other, otherPlace]));
      expect(cursorOf(list, place)).not.toBe(cursorOf(other, otherPlace));
    }),
  );
});

test('a cursor with any one bit flipped, a letter more or a letter less is none', () => {
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

test('any other text is none', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.base64String()), (sent) => {
      expect(read('list', sent)).toBe('InvalidCursor');
    }),
  );
});

test('a cursor of a moment and an id has less than the 200 characters that the API takes', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), fc.uuid(), (moment, id) => {
      expect(cursorOf('list', [String(moment.getTime()), id]).length).toBeLessThanOrEqual(120);
    }),
  );
});

test('pages of any size show every row once, in order, and only the last has no cursor', () => {
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
