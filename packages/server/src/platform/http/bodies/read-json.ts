import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { ApiError } from '../answers/api-error.ts';

/** Deeper than anything the API reads; what nobody reads may lie as deep. */
const maxDepth = 64;
/** A list of 1,000 entries with fifty values each; as many different keys in one object take 50 ms. */
const maxValues = 50_000;
/** Smaller bodies cannot hold enough of anything to be worth a look. */
const weighedFromBytes = 16 * 1024;

/**
 * The value of a JSON body. It must be UTF-8, which is never mended, and neither so deep nor of so many values that
 * parsing it would keep every other request waiting: 5 MiB of `[` take a second.
 * @throws ApiError 400
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw refused('is empty');
  if (!isUtf8(bytes)) throw refused('is not UTF-8');
  if (bytes.length >= weighedFromBytes) weigh(bytes);
  try {
    const text = bytes.toString('utf8');
    // What cannot hold a key that reaches into a prototype need not be searched for one.
    return suspects.some((suspect) => text.includes(suspect)) ? parse(text) : JSON.parse(withoutMark(text));
  } catch {
    throw refused('is not JSON that can be read; keys named __proto__ are refused');
  }
}

/** Letters may be written as escapes, which the third covers. */
const suspects = ['__proto__', 'constructor', '\\u00'];
const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/** Rejects JSON that is too deep or has too many values. Malformed JSON passes: the parser rejects it, within that weight. */
function weigh(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case quote:
        at = endOfText(bytes, at + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > maxDepth) throw refused(`is nested more than ${maxDepth} levels deep`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        values += 1;
        if (values > maxValues) throw refused(`has more than ${maxValues} values`);
        break;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
/** From here on it pays to have the end searched for. */
const longText = 64;

/** Returns the end of the text that starts at `at`; the end of the body when it is not closed. */
function endOfText(bytes: Buffer, at: number): number {
  for (;;) {
    for (const near = Math.min(at + longText, bytes.length); at < near; at += 1) {
      if (bytes[at] === quote) return at;
      if (bytes[at] === backslash) at += 1;
    }
    if (at >= bytes.length) return bytes.length;
    const next = bytes.indexOf(quote, at);
    if (next === -1) return bytes.length;
    let escapes = next;
    while (escapes > at && bytes[escapes - 1] === backslash) escapes -= 1;
    if ((next - escapes) % 2 === 0) return next;
    at = next + 1;
  }
}

const refused = (what: string): ApiError => new ApiError('InvalidInput', `The body ${what}.`);
