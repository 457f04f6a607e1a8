import { closeSync, openSync, readSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';

/** Returns the name of the variable with the path of a secret setting's file. */
export const fileVariable = (name: string): string => `${name}_FILE`;

export interface GivenSetting {
  /** Subject of an error message about the setting. */
  readonly subject: string;
  /** Empty if the setting was not provided. */
  readonly text: string;
}

/**
 * Reads a secret setting from its variable or from the file named by NAME_FILE. A file keeps the secret out of process
 * lists and container settings.
 * @throws Error with a complete sentence about NAME_FILE that doesn't quote the file's contents
 */
export function givenSecret(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): GivenSetting {
  const variable = fileVariable(name);
  const text = environment[name]?.trim() ?? '';
  const path = environment[variable]?.trim() ?? '';
  if (path === '') return { subject: name, text };
  if (text !== '') throw new Error(`${name} and ${variable} are both set; set only one of them`);
  const refuse = (reason: string) => new Error(`${variable} names ${path}, which ${reason}`);
  const bytes = bytesOf(path, refuse);
  if (bytes.length > maxBytes) throw refuse(`is larger than ${maxBytes / 1_024} KiB`);
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw refuse('is not UTF-8 text');
  }
  if (content === '') throw refuse('is empty');
  if (/[\r\n]/.test(content) && !multilineSettings.includes(name)) throw refuse('has more than one line');
  return { subject: `${name} (in ${path}, which ${variable} names)`, text: content };
}

/** Settings whose file may have several lines: one key per line, as in `DATA_DIR/secrets.key`, and JSON. */
const multilineSettings = ['SECRETS_KEY', 'PORTAL_OIDC_PROVIDERS'];

/** Maximum size of a file. Several keys or a long connection string take up only a hundredth of that. */
const maxBytes = 64 * 1_024;

/** Reads at most one byte more than allowed, because the path may be a device that never ends. */
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
    throw refuse(`couldn't be read: ${getSystemErrorMessage(errno)}`);
  }
  return bytes.subarray(0, length);
}
