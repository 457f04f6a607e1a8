import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What can be checked of the documents: links lead somewhere, and lists are those of the code. */
const problems: string[] = [];
const read = (path: string): string => readFileSync(path, 'utf8');
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

const { stdout } = spawnSync('git', ['ls-files', '*.md'], { encoding: 'utf8' });
const pages = stdout.split('\n').filter((page) => page !== '' && existsSync(page));
if (pages.length < 10) problems.push(`only ${pages.length} pages were found`);

for (const page of pages) {
  const text = withoutCode(read(page));
  for (const link of all(text, /\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(target)) problems.push(`${page}: ${link} leads nowhere`);
    else if (anchor !== undefined && statSync(target).isFile() && !anchorsOf(target).includes(anchor))
      problems.push(`${page}: ${target} has no heading ${anchor}`);
  }
}

sameLists(
  'error codes',
  all(read('packages/server/src/platform/http/answers/api-error.ts'), /^ {2}([A-Z]\w+): \d{3},$/gm),
  'docs/errors.md',
  /^\| `([A-Z]\w+)` \| \d/gm,
);
sameLists(
  'metrics',
  all(read('packages/server/src/platform/telemetry/metrics.ts'), /name: '(attribution_\w+)'/g),
  'docs/operating.md',
  /^\| `(attribution_\w+)` \|/gm,
);

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${pages.length} pages\n`);

function sameLists(what: string, inCode: string[], page: string, pattern: RegExp): void {
  const onPage = all(read(page), pattern);
  if (inCode.length === 0) problems.push(`no ${what} were found in the code`);
  for (const name of inCode.filter((each) => !onPage.includes(each)))
    problems.push(`${page} lacks ${name} (${what})`);
  for (const name of onPage.filter((each) => !inCode.includes(each)))
    problems.push(`${page} names ${name}, which the code has not (${what})`);
}

/** Headings as GitHub names them in an address. */
function anchorsOf(page: string): string[] {
  return all(withoutCode(read(page)), /^#{1,6} (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');
}
