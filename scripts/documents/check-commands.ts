import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../packages/server/src/main.ts';
import { all, filesOf, problems, read, sameLists } from './problems.ts';

/** Commands, such as `keys create`, with their options. */
type Commands = ReadonlyMap<string, readonly string[]>;

/** Page that must list every command. */
const list = 'docs/operating.md';
/**
 * Returns whether commands on a page are meant for a checkout, where they need npx. Decision records only
 * mention commands.
 */
const isForTyping = (page: string): boolean => !/^(docs\/adr\/|CHANGELOG)/.test(page);

/**
 * Checks that commands in the pages' code exist with their options and can be typed as shown, and that one page lists all
 * commands.
 */
export async function checkCommands(pages: readonly string[]): Promise<void> {
  const commands = await commandsOf();
  const listed = new Set<string>();
  for (const page of pages) {
    for (const { before, words, rest } of namedIn(read(page))) {
      const command = longest(commands, words);
      if (command === null) {
        problems.push(`${page} names \`attribution ${words}\`, which does not exist`);
        continue;
      }
      if (page === list) listed.add(command);
      if (isForTyping(page) && !/npx $|bin\/$/.test(before))
        problems.push(`${page} says \`attribution ${words}\`; write \`npx attribution ${words}\``);
      for (const option of all(rest, /(?<=\s)(--[a-z][a-z-]*)/g))
        if (!commands.get(command)?.includes(option))
          problems.push(`${page}: \`attribution ${command}\` has no ${option}`);
    }
  }
  const scripts = scriptsOfNpm();
  for (const page of pages.filter(isForTyping))
    for (const name of all(read(page), /\bnpm run (?:--silent )?([a-z][a-z:-]*)/g))
      if (!scripts.has(name))
        problems.push(`${page} names \`npm run ${name}\`, which is not in any package.json`);
  const alone = (command: string): boolean => !isGroup(commands, command);
  sameLists('commands', [...commands.keys()].filter(alone), list, [...listed].filter(alone));
}

const scriptsOfNpm = (): ReadonlySet<string> =>
  new Set(
    filesOf('package.json', 'packages/*/package.json').flatMap((file) =>
      Object.keys((JSON.parse(read(file)) as { scripts?: Record<string, string> }).scripts ?? {}),
    ),
  );

interface Named {
  /** Text before `attribution`. */
  before: string;
  words: string;
  rest: string;
}

/** Returns the commands in a page's code. For `keys create \| list`, returns both. */
function namedIn(text: string): Named[] {
  const typed =
    /((?:^|[`;&|(]) *|\S*bin\/|npx |\b[A-Z_]+=\S+ |\$ )attribution((?: [a-z][a-z-]+)+)((?: \\?\| [a-z][a-z-]*)*)([^`|;&)]*)/g;
  return codeOf(text).flatMap((line) =>
    [...line.matchAll(typed)].flatMap(([, before = '', words = '', others = '', rest = '']) => {
      const first = words.trim();
      const group = first.split(' ').slice(0, -1).join(' ');
      const alternatives = all(others, /\| ([a-z-]+)/g).map((word) => `${group} ${word}`.trim());
      return [first, ...alternatives].map((each) => ({ before, words: each, rest }));
    }),
  );
}

const isGroup = (commands: Commands, command: string): boolean =>
  [...commands.keys()].some((each) => each.startsWith(`${command} `));

/** Returns the command that these words start with: `keys create` for `keys create aurora`. */
function longest(commands: Commands, words: string): string | null {
  const parts = words.split(' ');
  for (let length = parts.length; length > 0; length -= 1) {
    const command = parts.slice(0, length).join(' ');
    if (!commands.has(command)) continue;
    // A group by itself refers to all of its commands. If another word follows the group, that word is wrong.
    return isGroup(commands, command) && length < parts.length ? null : command;
  }
  return null;
}

/** Returns the lines in fenced blocks, joined and without comments, and the inline code. */
function codeOf(text: string): string[] {
  const blocks = all(text, /^ *```\w*\n([\s\S]*?)^ *```$/gm).join('\n');
  const inline = all(text.replace(/^( *)```[\s\S]*?^\1```$/gm, ''), /(`[^`]+`)/g);
  return [
    ...blocks
      .replaceAll(/\\\n\s*/g, ' ')
      .replaceAll(/(?<=\s)#.*$/gm, '')
      .split('\n'),
    ...inline.map((each) => each.replaceAll(/\s+/g, ' ')),
  ];
}

async function commandsOf(): Promise<Commands> {
  const commands = new Map<string, readonly string[]>();
  const visit = async (words: readonly string[]): Promise<void> => {
    const help = await helpOf(words);
    if (words.length > 0) commands.set(words.join(' '), all(help, /^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm));
    const [, below = ''] = help.split('\nCommands:\n');
    for (const name of all(below, /^ {2}([a-z][a-z-]*)/gm))
      if (name !== 'help') await visit([...words, name]);
  };
  await visit([]);
  return commands;
}

async function helpOf(words: readonly string[]): Promise<string> {
  let text = '';
  const collected = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  await runCommand([...words, '--help'], {
    environment: {},
    stdin: () => Readable.from([]),
    stdout: collected,
    stderr: collected,
  });
  return text;
}
