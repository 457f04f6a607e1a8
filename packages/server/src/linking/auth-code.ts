import { createHmac } from 'node:crypto';
import { randomReadable, readableCharacters } from '../platform/ids.ts';

const halfLength = 4;

/**
 * Pattern for half of a code. There are 31^8 (8.5 × 10^11) codes, and each key may send 60 wrong ones a minute
 * (docs/linking.md#limits).
 */
const half = `([${readableCharacters}]{${halfLength}})`;
const form = new RegExp(`^${half}-?${half}$`, 'i');

/**
 * Returns a new code in the form `XXXX-XXXX`, from the system's secure random source. All characters are
 * equally likely.
 */
export const newAuthCode = (): string => `${randomReadable(halfLength)}-${randomReadable(halfLength)}`;

/**
 * Hashes a code, because only the hash is stored. It includes a secret, because an attacker could otherwise hash all
 * possible codes in a day.
 * @param code as typed, in uppercase or lowercase, with or without the dash or surrounding whitespace
 * @returns the HMAC-SHA-256, or null if the text can't be a code
 */
export function hashAuthCode(secret: Buffer, code: string): Buffer | null {
  const [, first, second] = form.exec(code.trim()) ?? [];
  if (first === undefined || second === undefined) return null;
  return createHmac('sha256', secret)
    .update((first + second).toUpperCase())
    .digest();
}
