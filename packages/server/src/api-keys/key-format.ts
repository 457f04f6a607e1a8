import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62 } from '../platform/ids.ts';

export type KeyKind = 'secret' | 'public';

const prefixes = { secret: 'svc_sk_', public: 'svc_pk_' } as const;
const randomLength = 32;
const checksumLength = 6;
const shape = /^svc_[sp]k_[0-9A-Za-z]{38}$/;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a key from a prefix, 32 random base62 characters and a 6-character checksum. */
export function newKey(kind: KeyKind): string {
  const body = prefixes[kind] + randomBase62(randomLength);
  return body + checksum(body);
}

/** Returns the kind of a key according to its prefix, or null if the key's format or checksum is wrong. */
export function kindOfKey(key: string): KeyKind | null {
  if (!shape.test(key)) return null;
  const body = key.slice(0, -checksumLength);
  if (checksum(body) !== key.slice(-checksumLength)) return null;
  return key.startsWith(prefixes.secret) ? 'secret' : 'public';
}

/**
 * Returns the SHA-256 hash under which a key is stored. The key has 190 random bits, so the hash doesn't need
 * a salt.
 */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/**
 * Returns the CRC-32 of the preceding characters, in base62. The checksum makes it possible to reject
 * mistyped keys without a query.
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
