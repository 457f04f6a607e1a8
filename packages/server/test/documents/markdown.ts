import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Block {
  page: string;
  /** Line number of the first line of text. */
  line: number;
  /** Language after the fence, such as `sh` or `json`; empty for plain text. */
  language: string;
  text: string;
  /** Section number on the page. */
  section: number;
}

/** Returns a page's fenced blocks in order, without their indentation. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { indent: string }) | null = null;
  let section = 0;
  for (const [index, line] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    const [, indent = '', language] = /^( *)```(\w*)$/.exec(line) ?? [];
    if (open !== null && language === '') {
      blocks.push(open);
      open = null;
    } else if (open !== null) open.text += `${line.slice(open.indent.length)}\n`;
    else if (language !== undefined) open = { page, line: index + 2, language, text: '', section, indent };
    else if (line.startsWith('#')) section += 1;
  }
  return blocks;
}
