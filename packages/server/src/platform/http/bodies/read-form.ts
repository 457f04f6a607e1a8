import { isUtf8 } from 'node:buffer';
import { ApiError } from '../answers/api-error.ts';
import { type Pairs, parsePairs } from './parse-pairs.ts';

/** A form has a handful of fields; many more would only cost time. */
const maxFormBytes = 64 * 1024;
const anything = /^/;

/**
 * The fields of a form.
 * @throws ApiError 400 when it is not percent-encoded UTF-8; 413 over 64 KiB
 */
export function readForm(bytes: Buffer): Pairs {
  if (bytes.length > maxFormBytes) throw new ApiError('PayloadTooLarge', 'A form may have 64 KiB.');
  const pairs = isUtf8(bytes) ? parsePairs(bytes.toString('utf8'), anything) : null;
  if (pairs === null || Object.values(pairs).includes(null)) {
    throw new ApiError('InvalidInput', 'The form is not percent-encoded UTF-8.');
  }
  return pairs;
}
