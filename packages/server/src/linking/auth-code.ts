import { createHmac, randomInt } from 'node:crypto';

/** No 0 and O, no 1, I and L: a code is read from one screen and typed into another. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const halfLength = 4;

/** 31^8 codes, 8.5 × 10^11; a key has 60 wrong ones a minute (docs/linking.md#limits). */
const written = new RegExp(`^([${alphabet}]{${halfLength}})-?([${alphabet}]{${halfLength}})$`, 'i');

/** A new code as it is shown: `XXXX-XXXX`, each character equally likely, from the system's secure source. */
export function newAuthCode(): string {
  const half = (): string =>
    Array.from({ length: halfLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${half()}-${half()}`;
}

/**
 * The only form of a code that is stored. With a secret, because all codes there are could be hashed in a day.
 * @param code as typed: in any case, with the dash or without, with space around it
 * @returns the HMAC-SHA-256, or null when it cannot be a code
 */
export function hashAuthCode(secret: Buffer, code: string): Buffer | null {
  const [, first, second] = written.exec(code.trim()) ?? [];
  if (first === undefined || second === undefined) return null;
  return createHmac('sha256', secret)
    .update((first + second).toUpperCase())
    .digest();
}
