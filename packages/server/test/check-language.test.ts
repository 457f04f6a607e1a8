import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/check-language.ts', import.meta.url));
const kind = 'doc comments without a verb or noun first';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-language-'));
  for (const path of ['scripts', 'docs', 'packages/server/migrations', 'packages/server/src'])
    mkdirSync(join(folder, path), { recursive: true });
  write('.squawk.toml', 'excluded_paths = [\n  "packages/server/migrations/0001_old.sql",\n]\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const ceilings = (value: object): void => write('scripts/language-ceilings.json', JSON.stringify(value));

function check(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

test('a count above its ceiling fails, one below it fails until the ceiling is lowered, and no ceiling is raised', () => {
  write(
    'packages/server/src/a.ts',
    '/** What it is. */\n/**\n * Whether it is so. */\n/** Reads what it is. */\n',
  );
  ceilings({ [kind]: 1 });
  expect(check()).toEqual({
    status: 1,
    said: expect.stringContaining(`${kind}: 2, and the ceiling is 1. Use`),
  });
  expect(check('--lower').status).toBe(1);
  expect(check('--list', kind).said).toBe(
    'packages/server/src/a.ts:1: /** What\npackages/server/src/a.ts:2: /** * Whether\n',
  );

  ceilings({ [kind]: 2 });
  expect(check()).toEqual({ status: 0, said: expect.stringContaining('2 places left') });

  ceilings({ [kind]: 3 });
  expect(check()).toEqual({
    status: 1,
    said: expect.stringContaining('the ceiling is 3. Lower the ceiling'),
  });
  expect(check('--lower').status).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'scripts/language-ceilings.json'), 'utf8'))[kind]).toBe(2);
  expect(check().status).toBe(0);
});

test('words are counted in names, documents and new migrations, but not in released ones or inside other words', () => {
  write('packages/server/src/a.ts', 'const ProgrammeTx = programmer;\n');
  write('docs/page.md', 'Nobody recommends a timestamp for almost everything, and `nobody` is a user.\n');
  write('packages/server/migrations/0001_old.sql', '-- programme\n');
  write('packages/server/migrations/0002_new.sql', '-- the programme is mended\n');
  ceilings({ programme: 2, 'mend (fix)': 1, 'nobody, somebody, anybody, everybody': 1 });
  expect(check()).toEqual({ status: 0, said: expect.stringContaining('4 places left') });
});
