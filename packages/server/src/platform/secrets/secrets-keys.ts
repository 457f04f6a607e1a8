import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { keyBytes } from './sealer.ts';

/**
 * Keys as SECRETS_KEY and secrets.key hold them: base64 of 32 bytes each, with commas or lines between.
 * @throws Error whose message completes "NAME …" and repeats nothing of the text
 */
export function parseSecretsKeys(text: string): Buffer[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const key = Buffer.from(part, 'base64');
    if (key.length !== keyBytes || !/^[A-Za-z0-9+/_-]{43}=?$/.test(part))
      throw new Error(
        'must be 32 bytes in base64, as `openssl rand -base64 32` prints; several with commas between',
      );
    return key;
  });
}

/**
 * The keys of an embedded database: those of SECRETS_KEY, when it is set, and those of the file beside the cluster, which
 * is made where there is neither.
 * @throws OperatorError when the file cannot be read or made, or holds something else
 */
export function embeddedKeys(dataDir: string, fromSettings: readonly Buffer[]): readonly Buffer[] {
  const path = join(dataDir, 'secrets.key');
  const fromFile = readKeys(path);
  if (fromFile !== null) return [...fromSettings, ...fromFile];
  return fromSettings.length > 0 ? fromSettings : [makeKey(path)];
}

function readKeys(path: string): Buffer[] | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  try {
    const keys = parseSecretsKeys(text);
    if (keys.length > 0) return keys;
  } catch {
    // The same words, with the file's name.
  }
  throw new OperatorError(
    `${path} must hold 32 bytes in base64, a line for each key. Put the right file back.`,
  );
}

/** On disk before anything is sealed with it. */
function makeKey(path: string): Buffer {
  const key = randomBytes(keyBytes);
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${key.toString('base64')}\n`);
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    throw new OperatorError(`Cannot make ${path}: ${error instanceof Error ? error.message : error}`);
  }
  return key;
}
