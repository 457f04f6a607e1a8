import { createHmac, hash } from 'node:crypto';

const algorithm = 'sha256';
const blockBytes = 64;
const digestBytes = 32;
/** Maximum length of a message that is signed in the shared buffer. Longer ones are rare. */
const maxInBuffer = 16_384;
const maxBytesPerCharacter = 3;

/** Shared, because signing never yields: a padded key and a message, and a padded key and a digest. */
const inner = Buffer.alloc(blockBytes + maxInBuffer * maxBytesPerCharacter);
const outer = Buffer.alloc(blockBytes + digestBytes);

/**
 * Key for HMAC-SHA256 signatures of thousands of messages a second. Composes a signature of two digests (RFC 2104), each
 * computed by a single call. `createHmac` creates an object with native memory per signature instead, which the garbage
 * collector has to track.
 */
export class HmacKey {
  readonly #key: Buffer;
  readonly #innerPad: Buffer;
  readonly #outerPad: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
    const block = Buffer.alloc(blockBytes);
    (key.length > blockBytes ? hash(algorithm, key, 'buffer') : key).copy(block);
    this.#innerPad = Buffer.from(block.map((byte) => byte ^ 0x36));
    this.#outerPad = Buffer.from(block.map((byte) => byte ^ 0x5c));
  }

  sign(message: string, encoding: 'hex' | 'base64'): string {
    if (message.length > maxInBuffer)
      return createHmac(algorithm, this.#key).update(message).digest(encoding);
    this.#innerPad.copy(inner);
    const end = blockBytes + inner.write(message, blockBytes);
    this.#outerPad.copy(outer);
    hash(algorithm, inner.subarray(0, end), 'buffer').copy(outer, blockBytes);
    return hash(algorithm, outer, encoding);
  }
}
