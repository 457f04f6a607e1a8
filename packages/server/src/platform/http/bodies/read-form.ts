import { isUtf8 } from 'node:buffer';
import { ApiError } from '../answers/api-error.ts';
import { type Pairs, parsePairs } from './parse-pairs.ts';

/**
 * Maximum size of a form. Forms have only a handful of fields, so reading a larger form would only waste
 * time.
 */
const maxFormBytes = 64 * 1024;
const anything = /^/;

/** @throws ApiError 400 if the form isn't percent-encoded UTF-8, 413 above 64 KiB */
export function readForm(bytes: Buffer): Pairs {
  if (bytes.length > maxFormBytes) throw new ApiError('PayloadTooLarge', 'The form is larger than 64 KiB.');
  const pairs = isUtf8(bytes) ? parsePairs(bytes.toString('utf8'), anything) : null;
  if (pairs === null || Object.values(pairs).includes(null)) {
    throw new ApiError('InvalidInput', 'The form is not percent-encoded UTF-8.');
  }
  return pairs;
}
