import { existsSync } from 'node:fs';
import { all, filesOf, problems, read } from './problems.ts';

/** Records of decisions and of changes speak of their time. */
const isOfToday = (page: string): boolean => !/^(docs\/adr\/|CHANGELOG)/.test(page);

/** Made by whoever runs what is described, and a name to be filled in. */
const isToCome = (name: string): boolean => name === 'bench/results/' || name.includes('NNNN');

/** Of PostgreSQL and Node, not of ours. */
const noSettings = ['BTREE_GIST', 'NODE_EXTRA_CA_CERTS'];

/** Settings that operators and publishers read of are settings of the service. */
export function checkSettings(pages: readonly string[]): void {
  const known = all(read('docs/configuration.md'), /^\| `([A-Z_]+)` \|/gm);
  for (const page of pages.filter((each) => /^(README|ARCHITECTURE|docs\/[a-z-]+)\.md$/.test(each)))
    for (const name of all(read(page), /`([A-Z]+(?:_[A-Z]+)+)\b/g))
      if (!known.includes(name) && !noSettings.includes(name))
        problems.push(`${page} names ${name}, which is no setting`);
}

/** Sources that pages name in code are there, by their path or the end of it, and so are folders by their path. */
export function checkPaths(pages: readonly string[]): void {
  const files = filesOf('*.ts');
  for (const page of pages.filter(isOfToday)) {
    for (const name of all(read(page), /`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.ts)`/g))
      if (!files.some((path) => path === name || path.endsWith(`/${name}`)))
        problems.push(`${page} names ${name}, which is not there`);
    for (const name of all(read(page), /`((?:packages|scripts|bench|docs|examples)\/[\w./-]*)`/g))
      if (!existsSync(name) && !isToCome(name)) problems.push(`${page} names ${name}, which is not there`);
  }
}
