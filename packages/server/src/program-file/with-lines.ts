import { Refusal } from '../platform/refusal.ts';
import type { ReadFile } from './read-program.ts';

/** Runs a file's operations and translates the paths in their refusals to line numbers. */
export async function withLines<Result>(file: ReadFile, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.path === null) throw error;
    const problems = [error, ...error.others].map(({ path, message }) => ({ path: path ?? [], message }));
    throw file.errorOf(problems);
  }
}
