import { createHmac } from 'node:crypto';
import { randomReadable, readableCharacters } from '../platform/ids.ts';

const halfLength = 4;

/** 31^8 codes, 8.5 × 10^11; a key has 60 wrong ones a minute (docs/linking.md#limits). */
const half = `([${readableCharacters}]{${halfLength}})`;
const written = new RegExp(`^${half}-?${half}$`, 'i');

/** A new code as it is shown: `XXXX-XXXX`, each character equally likely, from the system's secure source. */
export const newAuthCode = (): string => `${randomReadable(halfLength)}-${randomReadable(halfLength)}`;

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
