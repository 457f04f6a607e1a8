import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { ApiError } from './api-error.ts';

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
    return parse(bytes.toString('utf8'), { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw refused('is not JSON that can be read; keys named __proto__ are refused');
  }
}

/** What is no JSON passes: the parser finds that out, and what it reads until then was weighed. */
function weigh(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) isInText = false;
      continue;
    }
    switch (byte) {
      case 0x22:
        isInText = true;
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

const refused = (what: string): ApiError => new ApiError('InvalidInput', `The body ${what}.`);
