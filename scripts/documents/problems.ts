import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Problems found in the documents, collected for a single report. */
export const problems: string[] = [];

export const read = (path: string): string => readFileSync(path, 'utf8');

/** Returns every match of a pattern's first group. */
export const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

/** Returns the files in Git that match Git path patterns. */
export function filesOf(...patterns: string[]): string[] {
  const { stdout } = spawnSync('git', ['ls-files', ...patterns], { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '' && existsSync(path));
}

export const withoutBlocks = (text: string): string => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** Returns the text between two markers, without the markers. */
export function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  return start === -1 || end === -1 ? '' : text.slice(start + from.length, end);
}

/** Checks that a page lists each name in the code exactly once, and no other names. */
export function sameLists(what: string, inCode: readonly string[], page: string, onPage: string[]): void {
  if (inCode.length === 0) problems.push(`no ${what} were found in the code`);
  for (const name of inCode.filter((each) => !onPage.includes(each)))
    problems.push(`${page} must contain ${name} (${what})`);
  for (const name of onPage.filter((each) => !inCode.includes(each)))
    problems.push(`${page} names ${name}, which is not in the code (${what})`);
  for (const name of onPage.filter((each, index) => onPage.indexOf(each) !== index))
    problems.push(`${page} names ${name} twice (${what})`);
}
