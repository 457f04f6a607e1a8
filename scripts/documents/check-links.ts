import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { all, problems, read, withoutBlocks } from './problems.ts';

/** Every link inside the repository leads to a file, and to a heading of it where it names one. */
export function checkLinks(pages: readonly string[]): void {
  for (const page of pages) {
    for (const link of all(withoutBlocks(read(page)), /\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(target)) problems.push(`${page}: ${link} leads nowhere`);
      else if (anchor !== undefined && statSync(target).isFile() && !anchorsOf(target).includes(anchor))
        problems.push(`${page}: ${target} has no heading ${anchor}`);
    }
  }
}

/** Headings as GitHub names them in an address. */
function anchorsOf(page: string): string[] {
  return all(withoutBlocks(read(page)), /^#{1,6} (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
