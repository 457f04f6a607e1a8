import { spawnSync } from 'node:child_process';
import type { Block } from './markdown.ts';

/** A command of a page, and the answer that the page prints of it. */
export interface Step {
  page: string;
  line: number;
  command: string;
  /** JSON, or text of a command; null where the page prints none. */
  answer: string | null;
}

/**
 * Commands of a page, each with its printed answer, which is one of
 * - a comment that begins with `{` or `[`, behind the command or in the lines below it,
 * - the next block of the same section, `json` or plain text: of the last command before it.
 *
 * @param isRun tells which blocks of shell count
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

/** Tells whether the shell has all of a command: no quote is open, no loop without its end. */
const isWhole = (command: string): boolean => spawnSync('bash', ['-n', '-c', command]).status === 0;
