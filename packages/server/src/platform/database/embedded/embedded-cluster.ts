import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import type { DatabaseRoles } from '../schema/prepare-database.ts';
import { clearLeftovers, endOrphanedBackends, readPostmasterFile } from './cluster-leftovers.ts';
import { clusterSettings, sharedMemorySettings } from './cluster-settings.ts';
import { DiskReserve } from './disk-reserve.ts';
import { keepRunning } from './keep-running.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { type Runner, unprivilegedUser } from './unprivileged-user.ts';

/**
 * PostgreSQL cluster that this process runs itself. It stores its data in a folder and listens only on a Unix socket.
 */
export interface EmbeddedCluster extends DatabaseRoles {
  /** Stops the server, rolling back open transactions. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Data folder, which is created if it doesn't exist. */
  directory: string;
  /** Called with a message when the database crashes or the disk is full, and when it recovers. */
  onChange?: (message: string) => void;
  /** True to keep a file on the disk that is deleted when the disk is full. */
  keepsReserve?: boolean;
  /** PostgreSQL settings, as `name=value`, that override ours. */
  settings?: readonly string[];
}

const database = 'attribution';
const serviceRole = 'attribution';
const ownerRole = 'attribution_owner';
const readyTimeoutMs = 60_000;
/**
 * Additional startup time allowed after a crash, because gigabytes of WAL may have to be replayed and an
 * interrupted replay starts over.
 */
const recoveryTimeoutMs = 900_000;
/** Error code returned by PostgreSQL while it is starting. */
const startingUp = '57P03';
/** Time that backends normally take to notice that their server is gone. */
const orphansLeaveMs = 3_000;
/** Time in which PostgreSQL's logger writes its last lines after the server has exited. */
const logWritesMs = 2_000;

/** Settings while the disk is full: sessions can't write, and autovacuum is off. */
const readOnlySettings = ['default_transaction_read_only=on', 'autovacuum=off'];

/**
 * Starts the cluster in a folder, creating it first if it doesn't exist. Cleans up after an earlier run that left a
 * server or a stale lock file. The caller must hold the folder's lock.
 */
export async function startCluster(options: ClusterOptions): Promise<EmbeddedCluster> {
  const { directory } = options;
  const runner = unprivilegedUser(directory);
  mkdirSync(dirname(directory), { recursive: true });
  const socketDirectory = makeSocketDirectory(directory, runner);
  await clearLeftovers(directory, socketDirectory);
  if (!existsSync(join(directory, 'PG_VERSION'))) initialize(directory, runner);
  checkMajorVersion(directory);

  const stop = await keepRunning({
    start: (isReadOnly) =>
      startServer(directory, socketDirectory, runner, [
        ...clusterSettings(),
        ...(options.settings ?? []),
        ...(isReadOnly ? readOnlySettings : []),
      ]),
    end: stopProcess,
    disk: new DiskReserve(dirname(directory)),
    keepsReserve: options.keepsReserve ?? false,
    onChange: (message) => options.onChange?.(message),
  });
  try {
    await ensureDatabase(socketDirectory);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...connectionsTo(socketDirectory),
    async stop() {
      await stop();
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}

/**
 * Returns connection settings for the cluster that another process is running in this folder, or null if there is
 * none.
 */
export function connectionsToRunning(directory: string): DatabaseRoles | null {
  const running = readPostmasterFile(directory);
  return running === null ? null : connectionsTo(running.socketDirectory);
}

const connectionsTo = (socketDirectory: string): DatabaseRoles => ({
  connection: { host: socketDirectory, user: serviceRole, database },
  ownerConnection: { host: socketDirectory, user: ownerRole, database },
});

/**
 * Creates the folder for the socket. The path is short because socket paths are limited to 107 bytes. The folder is
 * private because access to the socket means access to the database.
 */
function makeSocketDirectory(directory: string, runner: Runner): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const path = join(tmpdir().length > 60 ? '/tmp' : tmpdir(), `attribution-${name}`);
  try {
    mkdirSync(path, { mode: 0o700 });
    if (runner.uid !== null) chownSync(path, runner.uid, runner.gid ?? -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(path);
  const owner = runner.uid ?? process.getuid?.() ?? found.uid;
  if (!found.isDirectory() || found.uid !== owner) {
    throw new OperatorError(
      `${path} belongs to another user. Remove it, or set TMPDIR to a folder that you own.`,
    );
  }
  chmodSync(path, 0o700);
  return path;
}

function initialize(directory: string, runner: Runner): void {
  mkdirSync(directory, { mode: 0o700 });
  if (runner.uid !== null) chownSync(directory, runner.uid, runner.gid ?? -1);
  const result = spawnSync(
    postgresBinaries().initdb,
    [
      '-D',
      directory,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C',
      '--auth=trust',
      '--no-instructions',
      ...asOptions(sharedMemorySettings()),
    ],
    { ...runner.spawnOptions, cwd: '/', encoding: 'utf8' },
  );
  if (result.status !== 0) {
    // The cluster is incomplete. The next start creates it from scratch.
    rmSync(directory, { recursive: true, force: true });
    throw new OperatorError(
      `Couldn't create the database in ${directory}: ${(result.stderr || String(result.error)).trim()}`,
    );
  }
}

function checkMajorVersion(directory: string): void {
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  const wanted = postgresBinaries().majorVersion;
  if (found !== wanted) {
    throw new OperatorError(
      `${directory} was created by PostgreSQL ${found}, but this version includes PostgreSQL ${wanted}. See docs/operating.md for how to move it.`,
    );
  }
}

async function startServer(
  directory: string,
  socketDirectory: string,
  runner: Runner,
  settings: readonly string[],
): Promise<ChildProcess> {
  const deadline = performance.now() + readyTimeoutMs;
  const patience = performance.now() + orphansLeaveMs;
  const outputPath = join(dirname(directory), 'postgres-start.log');
  for (;;) {
    const output = openSync(outputPath, 'w', 0o600);
    const logged = logSizes(directory);
    const child = spawn(
      postgresBinaries().postgres,
      ['-D', directory, '-k', socketDirectory, ...asOptions(settings)],
      // Use a separate session, so that Ctrl-C in the terminal reaches this process but not the database.
      { ...runner.spawnOptions, cwd: '/', detached: true, stdio: ['ignore', output, output] },
    );
    closeSync(output);
    const failed = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', () =>
        resolve(existsSync(outputPath) ? readFileSync(outputPath, 'utf8').trim() : ''),
      );
    });
    const outcome = await Promise.race([failed, waitUntilReady(socketDirectory, child, deadline)]);
    if (outcome === null) {
      child.unref();
      return child;
    }
    // Backends of a server that was just killed may still be running.
    const leftovers = /shared memory block|lock file "postmaster.pid" already exists/.test(outcome);
    if (!leftovers || performance.now() > deadline)
      throw new OperatorError(
        `The embedded database did not start: ${await startError(directory, outcome, logged)}`,
      );
    await sleep(200);
    await clearLeftovers(directory, socketDirectory);
    if (performance.now() > patience) endOrphanedBackends(directory);
  }
}

const asOptions = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['-c', setting]);

const logSizes = (directory: string): ReadonlyMap<string, number> =>
  new Map(globSync(join(directory, 'log', '*.log')).map((path) => [path, statSync(path).size]));

/**
 * Returns the reason for a failed start. Once PostgreSQL has opened its log, the reason appears only in the log, and
 * its logger may write it after the server has exited.
 * @param before sizes of the logs before the start; what they contained is about earlier runs
 */
async function startError(
  directory: string,
  outcome: string,
  before: ReadonlyMap<string, number>,
): Promise<string> {
  if (!outcome.includes('redirecting log output')) return outcome;
  const deadline = performance.now() + logWritesMs;
  for (;;) {
    for (const path of logSizes(directory).keys()) {
      const written = readFileSync(path).subarray(before.get(path) ?? 0);
      const lines = written.toString('utf8').trimEnd().split('\n');
      const fatal = lines.findLastIndex((line) => / (FATAL|PANIC): /.test(line));
      if (fatal !== -1) return `${lines.slice(fatal, fatal + 3).join('\n')}\n(${path})`;
    }
    if (performance.now() > deadline) return outcome;
    await sleep(100);
  }
}

async function waitUntilReady(
  socketDirectory: string,
  child: ChildProcess,
  deadline: number,
): Promise<string | null> {
  for (;;) {
    const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return null;
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null) return new Promise(() => undefined);
      const isRecovering = (error as { code?: string }).code === startingUp;
      if (performance.now() > deadline + (isRecovering ? recoveryTimeoutMs : 0)) {
        child.kill('SIGQUIT');
        return error instanceof Error ? error.message : String(error);
      }
      await sleep(30);
    }
  }
}

/**
 * Creates the database and its two roles if they are missing. Neither role is a superuser, so privilege
 * checks apply to both.
 */
async function ensureDatabase(socketDirectory: string): Promise<void> {
  await asSuperuser(socketDirectory, 'postgres', async (client) => {
    for (const role of [ownerRole, serviceRole]) {
      const roles = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      if (roles.rowCount === 0) await client.query(`create role ${role} login`);
    }
    const databases = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (databases.rowCount === 0) await client.query(`create database ${database} owner ${ownerRole}`);
  });
  // In databases of version 0.1.0 and in some restored dumps, a single role serves both purposes.
  await asSuperuser(socketDirectory, database, async (client) => {
    const { rows } = await client.query(
      `select exists (select 1 from pg_class where relowner = $1::regrole)
           or exists (select 1 from pg_database where datname = $2 and datdba = $1::regrole) as owns`,
      [serviceRole, database],
    );
    if (rows[0].owns) await client.query(`reassign owned by ${serviceRole} to ${ownerRole}`);
  });
}

async function asSuperuser(
  socketDirectory: string,
  name: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: name });
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function stopProcess(child: ChildProcess, patienceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGINT'); // a "fast" shutdown, which rolls back open transactions and writes a checkpoint
  const timer = setTimeout(() => child.kill('SIGQUIT'), patienceMs);
  await exited;
  clearTimeout(timer);
}
