import { Refusal } from '../platform/refusal.ts';
import type { ReadFile } from './read-program.ts';

/**
 * Runs the operations that a file asks for: what they refuse is told with the line of its path, each in a line.
 * This is the one place where paths become lines.
 */
export async function withLines<Result>(file: ReadFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.path === null) throw error;
    const wrong = [error, ...error.others].map(({ path, message }) => ({ path: path ?? [], message }));
    throw file.errorOf(wrong);
  }
}
