import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { ApiError } from '../answers/api-error.ts';

/** Maximum nesting depth, which is greater than that of any body the API accepts. */
const maxDepth = 64;
/**
 * Maximum number of values: 1,000 entries with 50 values each. An object with this many distinct keys takes 50 ms to
 * parse.
 */
const maxValues = 50_000;
/** Bodies of this size or larger are checked. Smaller bodies can't be too complex. */
const checkedFromBytes = 16 * 1024;

/**
 * Parses a JSON body. The body must be valid UTF-8. It must not be so deeply nested, or contain so many
 * values, that parsing it would block other requests: 5 MiB of `[` takes a second.
 * @throws ApiError 400
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw refused('is empty');
  if (!isUtf8(bytes)) throw refused('is not UTF-8');
  if (bytes.length >= checkedFromBytes) checkComplexity(bytes);
  try {
    const text = bytes.toString('utf8');
    // Only text that may contain a key that modifies a prototype is parsed by the slower, safe parser.
    return suspects.some((suspect) => text.includes(suspect)) ? parse(text) : JSON.parse(withoutMark(text));
  } catch {
    throw refused('is not valid JSON, or contains a key named __proto__');
  }
}

/**
 * Text that may be part of a key that modifies a prototype. The third entry matches letters written as
 * escapes.
 */
const suspects = ['__proto__', 'constructor', '\\u00'];
const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/**
 * Rejects JSON that is too deeply nested or has too many values. Malformed JSON may pass, but the parser
 * rejects it quickly anyway.
 */
function checkComplexity(bytes: Buffer): void {
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
        if (values > maxValues) throw refused(`contains more than ${maxValues} values`);
        break;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
/** Length from which `indexOf` finds the end of a string faster than a loop. */
const longText = 64;

/**
 * Returns the end of the string that starts at `at`, or the end of the body if the string is unterminated.
 */
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
