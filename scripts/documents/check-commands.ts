import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../packages/server/src/main.ts';
import { all, filesOf, problems, read, sameLists } from './problems.ts';

/** A command's words, such as `keys create`, and the options it takes. */
type Commands = ReadonlyMap<string, readonly string[]>;

/** Where every command is listed. */
const list = 'docs/operating.md';
/** For those who have a checkout, where a command alone is not on the path. Records of decisions speak about commands. */
const isForTyping = (page: string): boolean => !/^(docs\/adr\/|CHANGELOG)/.test(page);

/**
 * Commands that pages name, in code, are commands of the program, with options it has, and as they can be typed; and one page
 * lists them all.
 */
export async function checkCommands(pages: readonly string[]): Promise<void> {
  const commands = await commandsOf();
  const listed = new Set<string>();
  for (const page of pages) {
    for (const { before, words, rest } of namedIn(read(page))) {
      const command = longest(commands, words);
      if (command === null) {
        problems.push(`${page} names \`attribution ${words}\`, which is no command`);
        continue;
      }
      if (page === list) listed.add(command);
      if (isForTyping(page) && !/npx $|bin\/$/.test(before))
        problems.push(
          `${page} says \`attribution ${words}\`, and can be typed only as \`npx attribution ${words}\``,
        );
      for (const option of all(rest, /(?<=\s)(--[a-z][a-z-]*)/g))
        if (!commands.get(command)?.includes(option))
          problems.push(`${page}: \`attribution ${command}\` has no ${option}`);
    }
  }
  const scripts = scriptsOfNpm();
  for (const page of pages.filter(isForTyping))
    for (const name of all(read(page), /\bnpm run (?:--silent )?([a-z][a-z:-]*)/g))
      if (!scripts.has(name)) problems.push(`${page} says \`npm run ${name}\`, which is in no package.json`);
  const alone = (command: string): boolean => !isGroup(commands, command);
  sameLists('commands', [...commands.keys()].filter(alone), list, [...listed].filter(alone));
}

/** Names that `npm run` knows, in the checkout and in its packages. */
const scriptsOfNpm = (): ReadonlySet<string> =>
  new Set(
    filesOf('package.json', 'packages/*/package.json').flatMap((file) =>
      Object.keys((JSON.parse(read(file)) as { scripts?: Record<string, string> }).scripts ?? {}),
    ),
  );

interface Named {
  /** What stands before the program's name. */
  before: string;
  words: string;
  rest: string;
}

/** Commands in a page's code; of `keys create \| list` both. */
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

/** The command that these words begin with: `keys create` of `keys create aurora`. */
function longest(commands: Commands, words: string): string | null {
  const parts = words.split(' ');
  for (let length = parts.length; length > 0; length -= 1) {
    const command = parts.slice(0, length).join(' ');
    if (!commands.has(command)) continue;
    // A group alone is the name of its commands; with another word behind it, that word is wrong.
    return isGroup(commands, command) && length < parts.length ? null : command;
  }
  return null;
}

/** Lines of fenced blocks, continued ones joined and without comments, and what stands between backticks. */
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
