import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62 } from '../platform/ids.ts';

export type KeyKind = 'secret' | 'public';

const prefixes = { secret: 'svc_sk_', public: 'svc_pk_' } as const;
const randomLength = 32;
const algorithm = 'sha256';
const checksumLength = 6;
const shape = /^svc_[sp]k_[0-9A-Za-z]{38}$/;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a key from a prefix, 32 random base62 characters and a 6-character checksum. */
export function newKey(kind: KeyKind): string {
  const body = prefixes[kind] + randomBase62(randomLength);
  return body + checksum(body);
}

/** Returns a key's kind based on its prefix, or null if its format or checksum is wrong. */
export function kindOfKey(key: string): KeyKind | null {
  if (!shape.test(key)) return null;
  const body = key.slice(0, -checksumLength);
  if (checksum(body) !== key.slice(-checksumLength)) return null;
  return key.startsWith(prefixes.secret) ? 'secret' : 'public';
}

/** Returns the SHA-256 hash that a key is stored under. It doesn't need a salt, because keys have 190 random bits. */
export const hashKey = (key: string): Buffer => hash(algorithm, key, 'buffer');

/** Returns the same hash in base64, for lookups in memory. */
export const hashKeyAsText = (key: string): string => hash(algorithm, key, 'base64');

/**
 * Returns the CRC-32 of the preceding characters, in base62. With the checksum, mistyped keys can be rejected without a
 * query.
 */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
