import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, until } from './attribution-process.ts';
import { type DataFolder, makeDataFolder } from './data-folder.ts';

/** Folder in the run's temporary folder, shared by all workers. */
const prepared = join(tmpdir(), 'attribution-started');
const longestStartMs = 180_000;

/**
 * Creates the data folder of a service that ran once with the demo and stopped. The first caller in a run starts a real
 * service, and the others copy its folder: a first start takes four times as much processor time as a later one.
 */
export async function makeStartedFolder(): Promise<DataFolder> {
  if (isFirst()) await prepare();
  else
    await until(
      'the prepared data folder',
      () => existsSync(prepared),
      new Promise(() => undefined),
      longestStartMs,
    );
  const folder = makeDataFolder();
  // PostgreSQL's files belong to another user if the tests run as root, and only `cp` keeps owners.
  const { status, stderr } = spawnSync('cp', ['-a', prepared, folder.path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
  return folder;
}

/** Creating a folder is atomic, so only one worker is the first. */
function isFirst(): boolean {
  try {
    mkdirSync(`${prepared}-taken`);
    return true;
  } catch {
    return false;
  }
}

async function prepare(): Promise<void> {
  const folder = makeDataFolder();
  const server = await startServer({ DATA_DIR: folder.path });
  server.kill('SIGTERM');
  const { code } = await server.ended;
  if (code !== 0) throw new Error(`the service that prepares a data folder ended with ${code}`);
  renameSync(folder.path, prepared);
  await folder.remove();
}
