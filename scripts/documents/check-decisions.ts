import { basename } from 'node:path';
import { all, filesOf, problems, read, sameLists } from './problems.ts';

const page = 'docs/decisions.md';

/** Checks that every decision cited by number exists exactly once. */
export function checkCitedDecisions(): void {
  const decided = all(read(page), /^- \*\*(D\d+)\*\*/gm);
  for (const number of decided.filter((each, index) => decided.indexOf(each) !== index))
    problems.push(`${page} decides ${number} twice`);
  for (const path of filesOf('*.ts', '*.js', '*.md', '*.sql', '*.yaml')) {
    for (const number of new Set(all(read(path), /\b(D[1-9]\d?)\b/g)))
      if (!decided.includes(number)) problems.push(`${path} cites ${number}, which is not in ${page}`);
  }
}

/** Checks that the contract's listed operations exist in the API, by method and path. */
export function checkContract(): void {
  const { paths } = JSON.parse(read('docs/openapi.generated.json')) as { paths: Record<string, object> };
  const operations = [...read(page).matchAll(/^\| \d+ \| `([A-Z]+) (\S+)` \|/gm)];
  if (operations.length !== 14)
    problems.push(`${page} lists ${operations.length} operations of the contract`);
  for (const [, method = '', path = ''] of operations)
    if (!Object.hasOwn(paths[`/v1${path}`] ?? {}, method.toLowerCase()))
      problems.push(`${page} lists ${method} ${path}, which is not in the API`);
}

/** Checks that the index of decision records lists every page by its number. */
export function checkRecords(): void {
  const index = 'docs/adr/README.md';
  const pages = filesOf('docs/adr/*.md').filter((path) => path !== index);
  const numbers = pages.map((path) => basename(path).slice(0, 4));
  for (const number of numbers.filter((each, place) => numbers.indexOf(each) !== place))
    problems.push(`docs/adr has two pages with the number ${number}`);
  const listed = [...read(index).matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| .+ \|$/gm)];
  for (const [, number = '', link = ''] of listed)
    if (!link.startsWith(`${number}-`)) problems.push(`${index}: ${number} links to ${link}`);
  sameLists(
    'decision records',
    pages.map((path) => basename(path)),
    index,
    listed.map(([, , link = '']) => link),
  );
  for (const path of pages) {
    const [heading = ''] = read(path).split('\n');
    if (!heading.startsWith(`# ${basename(path).slice(0, 4)}: `))
      problems.push(`${path} must start with its number: ${heading}`);
  }
}
