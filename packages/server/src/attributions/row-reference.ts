import { createHash } from 'node:crypto';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { readableCharacters, rowIdAt, timeOfRowId } from '../platform/ids.ts';

/*
 * A row's reference is what a creator tells the publisher's support: seven characters for the time of its recording, and
 * five of a hash of its id. It leads to neither the buyer nor the purchase's id, and support finds the row by it in the
 * primary key, because a row's id starts with its time.
 */

const epochMs = Date.UTC(2020, 0, 1);
/** Length of the periods that a reference tells apart. Few rows of a publisher are recorded within one. */
const periodMs = 64;
const timeLength = 7;
const hashLength = 5;
const base = BigInt(readableCharacters.length);

/** Returns the reference of a row, such as `2A7K-9QXM-4DFT`. */
export function referenceOfRow(attributionId: AttributionId): string {
  const period = Math.floor((timeOfRowId(attributionId).getTime() - epochMs) / periodMs);
  const text = toReadable(BigInt(Math.max(0, period)), timeLength) + hashOf(attributionId);
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

/** Ids that a row with a reference can have: at least `from` and less than `until`. */
export interface ReferenceRange {
  from: string;
  until: string;
}

/** Returns the range of a reference as a person typed it; null if the text isn't one. */
export function rangeOfReference(typed: string): ReferenceRange | null {
  const text = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  if (text.length !== timeLength + hashLength) return null;
  let period = 0n;
  for (const character of text.slice(0, timeLength)) {
    const digit = readableCharacters.indexOf(character);
    if (digit === -1) return null;
    period = period * base + BigInt(digit);
  }
  const startMs = epochMs + Number(period) * periodMs;
  return { from: firstIdAt(startMs), until: firstIdAt(startMs + periodMs) };
}

/** Returns whether a typed reference is a row's. */
export const isReferenceOf = (typed: string, attributionId: AttributionId): boolean =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '') === referenceOfRow(attributionId).replaceAll('-', '');

/** Returns an id that sorts before all ids of rows recorded at a time or later. */
const firstIdAt = (ms: number): string => `${rowIdAt(new Date(ms)).slice(0, 13)}-0000-0000-000000000000`;

const hashOf = (attributionId: string): string =>
  toReadable(createHash('sha256').update(attributionId).digest().readBigUInt64BE(), hashLength);

/** Returns the last digits of a number in the readable characters. */
function toReadable(number: bigint, length: number): string {
  let left = number;
  let text = '';
  while (text.length < length) {
    text = (readableCharacters[Number(left % base)] ?? '') + text;
    left /= base;
  }
  return text;
}
