import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttributionServer, startServer, until } from '../attribution-process.ts';
import type { DataFolder } from '../data-folder.ts';
import { makeStartedFolder } from '../started-folder.ts';
import { type Block, blocksOf, root } from './markdown.ts';
import { reasonNotToRun, superfluousReasons } from './not-run.ts';
import { difference } from './printed-answer.ts';
import { type Commands, serveCommands } from './serve-commands.ts';
import { openShell, type Shell } from './shell.ts';
import { type Step, stepsOf } from './steps.ts';

// Runs each command in the guides against the demo, in page order, in one shell and with one running service,
// and compares the output with the page (printed-answer.ts defines how).

const pages = [
  'README.md',
  ...['docs', 'docs/connectors']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((page) => page.endsWith('.md'))
    .sort(),
];
const blocks = new Map(pages.map((page) => [page, blocksOf(page)]));
const steps = new Map(
  [...blocks].map(([page, found]) => [page, stepsOf(found, (block) => reasonNotToRun(block) === null)]),
);
const withSteps = pages.filter((page) => (steps.get(page) ?? []).length > 0);

let data: DataFolder;
let server: AttributionServer;
let commands: Commands;
let shell: Shell;
let folder: string;
/** All output so far. Placeholders are filled from this text. */
let printed = '';
/** Values for the key placeholders, from the demo's greeting. */
let keys: Readonly<Record<string, string>>;

beforeAll(async () => {
  data = await makeStartedFolder();
  folder = mkdtempSync(join(tmpdir(), 'documented-commands-'));
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  server = await startServer({ DATA_DIR: data.path });
  const greeting = await until('the greeting', () => server.stdout().includes('Ctrl-C') && server.stdout());
  const key = (name: string): string =>
    new RegExp(`${name} \\(\\w+\\)\\s+(svc_\\S+)`).exec(greeting)?.[1] ?? '';
  keys = { 'KEY=svc_sk_…': `KEY=${key('backend')}`, 'PUBLIC_KEY=svc_pk_…': `PUBLIC_KEY=${key('client')}` };
  const environment = { DATA_DIR: data.path, PORT: new URL(server.url).port };
  commands = await serveCommands(folder, environment);
  shell = openShell(
    folder,
    { PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C.UTF-8' },
    commands.definition,
  );
});
afterAll(async () => {
  await shell?.close();
  await commands?.close();
  server?.kill('SIGTERM');
  await server?.ended;
  await data?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Placeholders that readers replace, each with a pattern for its value in the output. The latest match is used. */
const placeholders: readonly (readonly [word: RegExp, latest: RegExp])[] = [
  [/\bPAYOUT\b/g, /^Payout ([0-9a-f-]{36}):/gm],
  [/\bOTHER_PAYOUT\b/g, /^Payout ([0-9a-f-]{36}):.*\n(?=Payout )/gm],
  [/\bRUN\b/g, /^Pay run ([0-9a-f-]{36}):/gm],
  [/\bMOMENT\b/g, /--as-of (\S+)/g],
  [/\bROW\b/g, /^Row ([0-9a-f-]{36}):/gm],
  [/\bREWARD\b/g, /^acc_.* ([0-9a-f-]{36})$/gm],
  [/\bCONNECTOR\b/g, /^\/hooks\/v1\/(\w{24})$/gm],
  [/\bEVENT\b/g, /^([0-9a-f-]{36}) +\w+\/\w+/gm],
  [/\bAUTHCODE\b/g, /^([0-9A-Z]{4}-[0-9A-Z]{4})$/gm],
  [/<endpointId>/g, /\b(we_\w+)/g],
  [/\bkey_…/g, /\b(key_\w+)/g],
];

function filledIn(command: string): string {
  let text = command.replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):8080/g, server.url);
  for (const [words, value] of Object.entries(keys)) text = text.replaceAll(words, value);
  for (const [word, latest] of placeholders)
    text = text.replaceAll(word, (found) => [...printed.matchAll(latest)].at(-1)?.[1] ?? found);
  return text;
}

/** Writes the files that the page shows below the commands that name them. */
function writeShownFiles(page: string): void {
  const shown: Block[] = blocks.get(page) ?? [];
  for (const [index, block] of shown.entries()) {
    const [, name] = /(\S+\.yaml)/.exec(shown[index - 1]?.text ?? '') ?? [];
    const isNamed = block.language === 'yaml' && name !== undefined && shown[index - 1]?.language === 'sh';
    if (isNamed && !existsSync(join(folder, name))) writeFileSync(join(folder, name), block.text);
  }
}

async function problemOf({ page, line, command, answer }: Step, named: string): Promise<string | null> {
  const typed = filledIn(command);
  const { status, output } = await shell.run(typed);
  printed += `${output}\n`;
  const at = `${page}:${line}: ${typed}\n`;
  if (status !== 0) return `${at}ended with ${status}: ${output}`;
  const differs = answer === null ? null : difference(answer, output, named);
  return differs === null ? null : at + differs;
}

test.each(withSteps)(
  '%s prints the output of its commands',
  async (page) => {
    writeShownFiles(page);
    const ofPage = steps.get(page) ?? [];
    const named = ofPage.map(({ command }) => command).join('\n');
    const problems: string[] = [];
    for (const step of ofPage) {
      const problem = await problemOf(step, named);
      if (problem !== null) problems.push(problem);
    }
    expect(problems.join('\n\n')).toBe('');
  },
  120_000,
);

test('the file of erasures is written in the folder that the commands run in', () => {
  expect(existsSync(join(folder, 'erasures.ndjson'))).toBe(true);
  for (const other of [root, process.cwd()]) expect(existsSync(join(other, 'erasures.ndjson'))).toBe(false);
});

test('enough commands and outputs are found, and the list of commands not run has no unused entry', () => {
  expect(superfluousReasons([...blocks.values()].flat())).toEqual([]);
  const found = [...steps.values()].flat();
  expect(found.length).toBeGreaterThan(45);
  expect(found.filter(({ answer }) => answer !== null).length).toBeGreaterThan(12);
});
