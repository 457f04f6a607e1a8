import { spawnSync } from 'node:child_process';
import type { Block } from './markdown.ts';

export interface Step {
  page: string;
  line: number;
  command: string;
  /** JSON or command output; null if the page doesn't print any. */
  answer: string | null;
}

/**
 * Returns a page's commands with their printed output, which is one of:
 * - a comment that starts with `{` or `[`, after the command or on the lines below it
 * - the next `json` or plain-text block in the section, for the last command before that block
 *
 * @param isRun selects the shell blocks to run
 */
export function stepsOf(blocks: readonly Block[], isRun: (block: Block) => boolean): Step[] {
  const steps: Step[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.language !== 'sh' || !isRun(block)) continue;
    const made = commandsOf(block);
    const next = blocks[index + 1];
    const last = made.at(-1);
    if (last?.answer === null && next?.section === block.section && ['json', ''].includes(next.language))
      last.answer = next.text.trim();
    steps.push(...made);
  }
  return steps;
}

function commandsOf({ page, line, text }: Block): Step[] {
  const steps: Step[] = [];
  let command = '';
  let startLine = line;
  for (const [index, each] of text.trimEnd().split('\n').entries()) {
    const last = steps.at(-1);
    if (command === '' && each.startsWith('#')) {
      if (last !== undefined && (last.answer !== null || /^# [{[]/.test(each)))
        last.answer = (last.answer ?? '') + each.slice(1).trim();
      continue;
    }
    if (command === '') startLine = line + index;
    command += `${each}\n`;
    if (each.trim() === '' || each.endsWith('\\') || !isWhole(command)) continue;
    const [, words = command, answer = null] = /^([\s\S]*?\S)\s+# ?([{[].*)\n$/.exec(command) ?? [];
    steps.push({ page, line: startLine, command: words.trim(), answer });
    command = '';
  }
  return steps;
}

/** Returns whether a command is complete, without an open quote or an unfinished loop. */
const isWhole = (command: string): boolean => spawnSync('bash', ['-n', '-c', command]).status === 0;
