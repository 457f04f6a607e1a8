import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, until } from './attribution-process.ts';
import { makeDataFolder } from './data-folder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const thisFile = fileURLToPath(import.meta.url);

/** Returns the processes whose arguments or environment mention the folder. */
function processesOf(folder: string): { pid: number; words: string }[] {
  const options =
    process.platform === 'darwin' ? ['-axEww', '-o', 'pid=,command='] : ['axeww', '-o', 'pid=,args='];
  const { stdout } = spawnSync('ps', options, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), words: line.trim() }));
}

const isServer = ({ words }: { words: string }): boolean => / \S+attribution\.js serve /.test(words);
const isPostgres = ({ words }: { words: string }): boolean => / \S+\/postgres -D /.test(words);

if (process.env.KILLED_RUN === undefined) {
  // A killed run can't clean up after itself, so a guard must. SIGKILL is the hardest case: on Ctrl-C and
  // SIGTERM, the workers do some of the cleanup.
  test('kill -9 of a test run leaves nothing: no server, no PostgreSQL, no folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k-')); // short, for the sockets in it
    chmodSync(folder, 0o711);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const run = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', thisFile], {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: folder, KILLED_RUN: 'yes' },
    });
    const { pid } = run;
    if (pid === undefined) throw new Error('vitest is not running');
    await until('a server and two databases to run', () => {
      const found = processesOf(folder);
      return found.some(isServer) && found.filter(isPostgres).length === 2;
    });
    process.kill(-pid, 'SIGKILL');
    await until('everything to be gone', () => processesOf(folder).length === 0);
    await until('the folder to be empty', () => readdirSync(folder).length === 0);
    expect(processesOf(folder)).toEqual([]);
  });
} else {
  test('a service runs until this run is killed', { timeout: 300_000 }, async () => {
    await startServer({ DATA_DIR: makeDataFolder().path });
    await new Promise(() => undefined);
  });
}
