import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { all, problems, read, withoutBlocks } from './problems.ts';

/**
 * Checks that every link within the repository points to an existing file, and that the heading exists if the
 * link names one.
 */
export function checkLinks(pages: readonly string[]): void {
  for (const page of pages) {
    for (const link of all(withoutBlocks(read(page)), /\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(target)) problems.push(`${page}: the target of ${link} does not exist`);
      else if (anchor !== undefined && statSync(target).isFile() && !anchorsOf(target).includes(anchor))
        problems.push(`${page}: ${target} has no heading ${anchor}`);
    }
  }
}

export function checkIndex(pages: readonly string[]): void {
  const index = 'docs/README.md';
  const text = read(index);
  for (const page of pages.filter((each) => /^docs\/[^/]+\.md$/.test(each) && each !== index))
    if (!text.includes(`](${page.slice('docs/'.length)})`)) problems.push(`${index} does not list ${page}`);
}

/** Returns a page's headings in the form that GitHub uses in URLs. */
export function anchorsOf(page: string): string[] {
  return all(withoutBlocks(read(page)), /^#{1,6} (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
