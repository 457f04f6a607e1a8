import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useService } from '../test-service.ts';
import { blocksOf, root } from './markdown.ts';

// Runs the guides' commands that download a client generator from npm, each in an empty folder.

const page = 'docs/api.md';
const commands = blocksOf(page)
  .flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []))
  .filter((line) => line.startsWith('npx ') && !line.startsWith('npx attribution'));
const slowestMs = 180_000;
/** npm's messages for network errors. */
const lostConnection = /npm error (?:code|network) .*(?:ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EIDLETIMEOUT)/;
const longestProbeMs = 15_000;

const service = useService();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @returns why npm's registry cannot be reached; null if the registry is reachable */
async function registryAway(): Promise<string | null> {
  const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
  try {
    const { status } = await fetch(new URL('typescript', registry), {
      method: 'HEAD',
      signal: AbortSignal.timeout(longestProbeMs),
    });
    return status < 500 ? null : `${registry} answers ${status}`;
  } catch (error) {
    return `${registry} does not answer: ${error}`;
  }
}

test('the guides contain commands for the three generators, with the versions used in the tests of generated clients', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const generators = ['@hey-api/openapi-ts', 'openapi-typescript', 'orval'];
  expect(commands.map((command) => generators.find((name) => command.includes(`-p ${name}@`)))).toEqual(
    generators,
  );
  for (const [index, name] of generators.entries()) {
    expect(commands[index]).toContain(`-p ${name}@${devDependencies[name]} `);
    expect(commands[index]).toMatch(/ -p typescript@\d+\.\d+\.\d+ /);
  }
});

test(
  'each command creates a client in an empty folder, and the client compiles',
  async ({ skip }) => {
    const away = await registryAway();
    skip(away !== null, `npm's registry is unreachable: ${away}`);
    const made = await Promise.all(commands.map(runInEmptyFolder));
    const cutOff = made.find(({ status, output }) => status === null || lostConnection.test(output));
    skip(cutOff !== undefined, `npm's registry was lost within ${slowestMs / 1_000} s: ${cutOff?.output}`);
    for (const { command, status, output, folder } of made) {
      expect({ command, status }, output).toEqual({ command, status: 0 });
      expect(compiled(folder), command).toBe('');
    }
  },
  slowestMs + 60_000,
);

async function runInEmptyFolder(command: string) {
  const folder = mkdtempSync(join(tmpdir(), 'generator-'));
  folders.push(folder);
  const child = spawn('sh', ['-c', command.replaceAll('http://127.0.0.1:8080', service().url)], {
    cwd: folder,
    env: { ...process.env, npm_config_prefer_offline: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: slowestMs,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [status] = (await once(child, 'close')) as [number | null];
  return { command, status, output, folder };
}

/** @returns TypeScript's errors for the generated files and for a file that uses their purchase model */
function compiled(folder: string): string {
  const use = `import type { Transaction } from './src/attribution';\nexport const id = (made: Transaction): string => made.id;\n`;
  writeFileSync(join(folder, 'use.ts'), use);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options =
    '--strict --noEmit --skipLibCheck --target es2024 --module esnext --moduleResolution bundler';
  return spawnSync(process.execPath, [tsc, ...options.split(' '), 'use.ts'], {
    cwd: folder,
    encoding: 'utf8',
  }).stdout;
}
