import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { OperatorError } from './operator-error.ts';

/**
 * Appends a line to a file that only its owner can read. The line is on the disk when this returns.
 * @param consequence start of the message if it fails, such as "Nothing was erased"
 * @throws OperatorError when the file can't be written
 */
export function appendLine(file: string, line: string, consequence: string): void {
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // A write that was interrupted may have left a line without its end.
    const start = before === '' || before.endsWith('\n') ? '' : '\n';
    const descriptor = openSync(file, 'a', 0o600);
    try {
      writeSync(descriptor, `${start}${line}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${consequence}, because ${file} couldn't be written: ${cause}`);
  }
}
