import { closeSync, openSync, readSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';

/** The variable that names the file a secret setting is in. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** A setting as it was given. */
export interface GivenSetting {
  /** Subject of a sentence about the setting. */
  readonly subject: string;
  /** Empty when it was not given. */
  readonly text: string;
}

/**
 * A secret setting from its variable, or from the file that NAME_FILE names: so neither a list of processes, nor who may
 * look at a container's settings, shows it.
 * @throws Error with a whole sentence about NAME_FILE, and nothing of what the file holds
 */
export function givenSecret(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): GivenSetting {
  const variable = fileVariable(name);
  const text = environment[name]?.trim() ?? '';
  const path = environment[variable]?.trim() ?? '';
  if (path === '') return { subject: name, text };
  if (text !== '') throw new Error(`${name} and ${variable} are both set; only one may be`);
  const refuse = (reason: string) => new Error(`${variable} names ${path}, which ${reason}`);
  const bytes = bytesOf(path, refuse);
  if (bytes.length > maxBytes) throw refuse(`has more than ${maxBytes / 1_024} KiB and is no setting`);
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw refuse('is not text in UTF-8');
  }
  if (content === '') throw refuse('is empty');
  if (/[\r\n]/.test(content) && !ofSeveralLines.includes(name)) throw refuse('has more than one line');
  return { subject: `${name} (in ${path}, which ${variable} names)`, text: content };
}

/** `DATA_DIR/secrets.key` has a line for each key, and is read here as it is. */
const ofSeveralLines = ['SECRETS_KEY'];

/** Several keys, or a long connection string, are a hundredth of it. */
const maxBytes = 64 * 1_024;

/** Read no further than what is too much, whatever is there: a device has no end. */
function bytesOf(path: string, refuse: (reason: string) => Error): Buffer {
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    throw refuse(`cannot be read: ${getSystemErrorMessage(errno)}`);
  }
  return bytes.subarray(0, length);
}
