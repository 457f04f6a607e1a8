import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { OperatorError } from '../platform/operator-error.ts';
import { type LoggedErasure, toLine } from './parse-erasures.ts';

/**
 * Appends an erasure to the file of erasures. The line is on the disk before anything is erased, so no erasure is missing
 * from the file.
 * @throws OperatorError when the file can't be written
 */
export function logErasure(file: string, erasure: LoggedErasure): void {
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // A write that was interrupted may have left a line without its end.
    const start = before === '' || before.endsWith('\n') ? '' : '\n';
    const descriptor = openSync(file, 'a', 0o600);
    try {
      writeSync(descriptor, `${start}${toLine(erasure)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Nothing was erased, because ${file} couldn't be written: ${cause}`);
  }
}
