import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What is wrong with the documents, collected: all of it is said at once. */
export const problems: string[] = [];

export const read = (path: string): string => readFileSync(path, 'utf8');

/** What a pattern's first group finds in a text. */
export const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

/** Files that git knows, by patterns of its own. */
export function filesOf(...patterns: string[]): string[] {
  const { stdout } = spawnSync('git', ['ls-files', ...patterns], { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '' && existsSync(path));
}

/** A text without its fenced blocks. */
export const withoutBlocks = (text: string): string => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** What stands between two marks, without them. */
export function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  return start === -1 || end === -1 ? '' : text.slice(start + from.length, end);
}

/** Names of the code that a page has to list: all of them, each once, and no others. */
export function sameLists(what: string, inCode: readonly string[], page: string, onPage: string[]): void {
  if (inCode.length === 0) problems.push(`no ${what} were found in the code`);
  for (const name of inCode.filter((each) => !onPage.includes(each)))
    problems.push(`${page} lacks ${name} (${what})`);
  for (const name of onPage.filter((each) => !inCode.includes(each)))
    problems.push(`${page} names ${name}, which the code has not (${what})`);
  for (const name of onPage.filter((each, index) => onPage.indexOf(each) !== index))
    problems.push(`${page} names ${name} twice (${what})`);
}
