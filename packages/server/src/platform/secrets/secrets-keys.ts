import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { keyBytes } from './sealer.ts';

/**
 * Parses the keys in SECRETS_KEY or secrets.key. Each key is 32 bytes in base64; keys are separated by commas or line
 * breaks.
 * @throws Error whose message completes the sentence "NAME …" and does not quote the text
 */
export function parseSecretsKeys(text: string): Buffer[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const key = Buffer.from(part, 'base64');
    if (key.length !== keyBytes || !/^[A-Za-z0-9+/_-]{43}=?$/.test(part))
      throw new Error(
        'must be 32 bytes in base64, as printed by `openssl rand -base64 32`; separate several keys with commas',
      );
    return key;
  });
}

/**
 * Returns the keys for an embedded database: first those in SECRETS_KEY, then those in the file next to the cluster. If
 * there are none, creates the file with a new key.
 * @throws OperatorError if the file can't be read or created, or contains no keys
 */
export function embeddedKeys(dataDir: string, fromSettings: readonly Buffer[]): readonly Buffer[] {
  const path = join(dataDir, 'secrets.key');
  const fromFile = readKeys(path);
  if (fromFile !== null) return [...fromSettings, ...fromFile];
  return fromSettings.length > 0 ? fromSettings : [createKey(path)];
}

function readKeys(path: string): Buffer[] | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`Couldn't read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  try {
    const keys = parseSecretsKeys(text);
    if (keys.length > 0) return keys;
  } catch {
    // the error is reported below, with the file's name
  }
  throw new OperatorError(
    `${path} must contain 32 bytes in base64 for each key, one key per line. Restore the right file.`,
  );
}

/** Creates a key and writes it to disk, so that the key is saved before its first use. */
function createKey(path: string): Buffer {
  const key = randomBytes(keyBytes);
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${key.toString('base64')}\n`);
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    throw new OperatorError(`Couldn't create ${path}: ${error instanceof Error ? error.message : error}`);
  }
  return key;
}
