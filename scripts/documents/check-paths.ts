import { existsSync } from 'node:fs';
import { all, filesOf, problems, read } from './problems.ts';

/**
 * Returns whether a page must be current. Decision records and the changelog describe the state when they
 * were written.
 */
const isCurrent = (page: string): boolean => !/^(docs\/adr\/|CHANGELOG)/.test(page);

/** Returns whether a path is created later by a benchmark or by the reader. */
const isCreatedLater = (name: string): boolean => name === 'bench/results/' || name.includes('NNNN');

/** Names from PostgreSQL and Node that look like settings. */
const foreignNames = ['BTREE_GIST', 'NODE_EXTRA_CA_CERTS'];

/** Checks that settings named in the guides exist. */
export function checkSettings(pages: readonly string[]): void {
  const known = all(read('docs/configuration.md'), /^\| `([A-Z_]+)` \|/gm);
  for (const page of pages.filter((each) => /^(README|ARCHITECTURE|docs\/[a-z-]+)\.md$/.test(each)))
    for (const name of all(read(page), /`([A-Z]+(?:_[A-Z]+)+)\b/g))
      if (!known.includes(name) && !foreignNames.includes(name))
        problems.push(`${page} names ${name}, which is not a setting`);
}

/**
 * Checks that the source files (by full or partial path) and folders (by full path) named in the pages' code
 * exist.
 */
export function checkPaths(pages: readonly string[]): void {
  const files = filesOf('*.ts');
  for (const page of pages.filter(isCurrent)) {
    for (const name of all(read(page), /`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.ts)`/g))
      if (!files.some((path) => path === name || path.endsWith(`/${name}`)))
        problems.push(`${page} names ${name}, which does not exist`);
    for (const name of all(read(page), /`((?:packages|scripts|bench|docs|examples)\/[\w./-]*)`/g))
      if (!existsSync(name) && !isCreatedLater(name))
        problems.push(`${page} names ${name}, which does not exist`);
  }
}
