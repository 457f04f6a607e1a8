import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new row id: UUIDv7, increasing within this process, so rows made in order sort in order. */
export const newRowId = (): string => v7();

const rowId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be a row's id; the database refuses to compare an id with anything else. */
export const isRowId = (text: string): boolean => rowId.test(text);

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @returns `length` characters of base62, each equally likely, from the system's secure source */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 = 4 × 62: the bytes above would favour the first characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

const clocksDifferMs = 60_000;

/**
 * An id below, or with `later` above, those of rows made at a moment: ids begin with their time in milliseconds.
 * The clocks of machines may differ by a minute.
 */
export function rowIdFloor(moment: Date, side: 'earlier' | 'later' = 'earlier'): string {
  const ms = Math.max(0, moment.getTime() + (side === 'later' ? clocksDifferMs : -clocksDifferMs));
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
