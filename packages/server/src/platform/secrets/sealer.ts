import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { boundedCache } from '../bounded-cache.ts';
import { OperatorError } from '../operator-error.ts';

/** Error for a secret that can't be sealed or opened with this process's keys. The message explains what to do. */
export class SealError extends OperatorError {}

/** State of a stored secret in relation to this process's keys. */
export type SealState = 'current' | 'older-key' | 'unknown-key' | 'plain';

/** Encrypts secrets in the database. All processes of an installation share the same keys. */
export interface Sealer {
  /**
   * Encrypts a secret.
   * @param place owner of the secret, such as its table and key; the secret can only be opened for the same place
   * @returns `sealed:v1:`, followed by the id of the key, then nonce, ciphertext and tag in base64url
   * @throws SealError if there is no key
   */
  seal(secret: string, place: readonly string[]): string;
  /**
   * Decrypts a secret.
   * @param stored result of `seal`, or a plain secret from before secrets were sealed
   * @throws SealError if this process doesn't have the key, or the secret was changed or sealed for another place
   */
  open(stored: string, place: readonly string[]): string;
  /** Decrypts a secret like `open`, but doesn't keep it in memory. For secrets that are rarely needed. */
  openUncached(stored: string, place: readonly string[]): string;
  stateOf(stored: string): SealState;
  /** Prefix of all secrets sealed with the first key; null if there are no keys. */
  readonly currentPrefix: string | null;
  /** Hash that identifies the first key without revealing it; null if there are no keys. */
  readonly fingerprint: string | null;
}

export const keyBytes = 32;
const mark = 'sealed:v1:';
const idLength = 8;
/** Length of the prefix that identifies a sealed secret's key. */
export const sealedStart = mark.length + idLength + 1;
const nonceBytes = 12;
const tagBytes = 16;
/** Cached, because deliveries open the same few secrets thousands of times a second. */
const maxCached = 10_000;

/** Returns a hash that identifies a key without revealing it. */
const idOf = (key: Buffer): string =>
  createHash('sha256').update('attribution secrets key\n').update(key).digest('hex').slice(0, idLength);

/** @param keys keys of 32 bytes each; the first key seals, and all keys open */
export function createSealer(keys: readonly Buffer[]): Sealer {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [current] = keys;
  const currentId = current === undefined ? null : idOf(current);
  const opened = boundedCache<string>(maxCached);
  const decrypt = (stored: string, id: string, place: readonly string[]): string => {
    const key = byId.get(id);
    if (key === undefined)
      throw new SealError(
        byId.size === 0
          ? missingKey
          : `A secret is sealed with key ${id}, which this process does not have (it has ${[...byId.keys()].join(', ')}). Add that key to SECRETS_KEY, or to secrets.key of an embedded database.`,
      );
    return unseal(Buffer.from(stored.slice(mark.length + id.length + 1), 'base64url'), key, place);
  };

  return {
    currentPrefix: currentId === null ? null : `${mark}${currentId}:`,
    fingerprint: currentId,
    stateOf(stored) {
      const id = keyIdOf(stored);
      if (id === null) return 'plain';
      return id === currentId ? 'current' : byId.has(id) ? 'older-key' : 'unknown-key';
    },
    seal(secret, place) {
      if (current === undefined || currentId === null) throw new SealError(missingKey);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current, nonce);
      cipher.setAAD(boundTo(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, text, cipher.getAuthTag()]);
      return `${mark}${currentId}:${sealed.toString('base64url')}`;
    },
    open(stored, place) {
      const id = keyIdOf(stored);
      if (id === null) return stored;
      const name = JSON.stringify([...place, stored]);
      const known = opened.get(name);
      if (known !== undefined) return known;
      const secret = decrypt(stored, id, place);
      opened.set(name, secret);
      return secret;
    },
    openUncached(stored, place) {
      const id = keyIdOf(stored);
      return id === null ? stored : decrypt(stored, id, place);
    },
  };
}

const missingKey =
  'SECRETS_KEY is required with DATABASE_URL: it encrypts the secrets in the database, so that a backup contains none in plain text. Create a key with `openssl rand -base64 32`, configure it for every process, and store it separately from the backups.';

/** @throws SealError that says how to create a key */
export function requireKey(sealer: Sealer): void {
  if (sealer.currentPrefix === null) throw new SealError(missingKey);
}

function unseal(sealed: Buffer, key: Buffer, place: readonly string[]): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
    const text = decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealError(
      `The secret of ${place.join(' ')} was altered, or was sealed for a different place.`,
      {
        cause,
      },
    );
  }
}

const boundTo = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place));

function keyIdOf(stored: string): string | null {
  if (!stored.startsWith(mark)) return null;
  return stored.slice(mark.length).split(':', 1)[0] ?? '';
}
