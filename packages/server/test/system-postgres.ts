import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './attribution-process.ts';
import { killAll, postgresProcesses } from './data-folder.ts';

const programs = ['initdb', 'postgres', 'pg_basebackup', 'pg_dump', 'pg_restore'];

/** @returns the folder of an installed PostgreSQL 15 to 18 with client tools; null if there is none */
export function findSystemPostgres(): string | null {
  const folders = [
    ...globSync('/usr/lib/postgresql/1[5-8]/bin'),
    ...(process.env.PATH ?? '').split(':'),
    ...globSync('/usr/pgsql-1[5-8]/bin'),
  ];
  const isWhole = (folder: string): boolean => programs.every((program) => existsSync(join(folder, program)));
  const found = folders.find(isWhole);
  if (found === undefined) return null;
  const { stdout } = spawnSync(join(found, 'postgres'), ['--version'], { encoding: 'utf8' });
  return /\) 1[5-8]\b/.test(stdout ?? '') ? found : null;
}

export interface SystemPostgres {
  /** Runs statements as the superuser. @returns the last statement's rows */
  admin<Row>(database: string, ...statements: string[]): Promise<Row[]>;
  url(role: string, database: string): string;
  /** Creates the service's roles and a database for them. @returns settings that use the database */
  makeDatabase(name: string): Promise<{ DATABASE_URL: string; DATABASE_OWNER_URL: string }>;
  /** Runs a client tool to completion. @throws if it fails */
  run(program: 'pg_dump' | 'pg_restore', ...args: string[]): void;
  readonly folder: string;
  replicate(): Promise<SystemPostgres>;
  /** Kills (-9) the server and all its backends, like a power failure. `start` restarts it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an installed PostgreSQL in its own folder in `parent`. It listens only on a socket and is deleted when stopped.
 * @param settings `name=value`, overriding PostgreSQL's own
 */
export async function startSystemPostgres(
  bin: string,
  parent = tmpdir(),
  settings: readonly string[] = [],
): Promise<SystemPostgres> {
  const place = makePlace(parent);
  const { cluster, runner } = place;
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth=trust', '--no-sync'],
    { ...runner, cwd: '/', encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  return run(bin, parent, { ...place, settings });
}

interface Place {
  settings: readonly string[];
  folder: string;
  cluster: string;
  runner: { uid?: number; gid?: number };
}

/**
 * Creates the server's folder. If the tests run as root, another user owns it, because PostgreSQL refuses to
 * run as root.
 */
function makePlace(parent: string): Omit<Place, 'settings'> {
  const folder = mkdtempSync(join(parent, 'attribution-system-'));
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  chmodSync(folder, 0o711);
  const nobody = { uid: 65_534, gid: 65_534 };
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, cluster]) chownSync(path, nobody.uid, nobody.gid);
  return { folder, cluster, runner: isRoot ? nobody : {} };
}

async function run(
  bin: string,
  parent: string,
  { folder, cluster, runner, settings }: Place,
): Promise<SystemPostgres> {
  const admin = async <Row>(database: string, ...statements: string[]): Promise<Row[]> => {
    const client = new pg.Client({ host: folder, user: 'postgres', database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const statement of statements) rows = (await client.query(statement)).rows;
      return rows;
    } finally {
      await client.end();
    }
  };
  let end: (signal: NodeJS.Signals) => Promise<void> = async () => undefined;
  const start = async (): Promise<void> => {
    const options = ['listen_addresses=', ...settings].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(bin, 'postgres'), ['-D', cluster, '-k', folder, ...options], {
      ...runner,
      cwd: '/',
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    end = async (signal) => {
      child.kill(signal);
      await exited;
    };
    await until('the system’s PostgreSQL to answer', () =>
      admin('postgres', 'select 1').then(
        () => true,
        () => false,
      ),
    );
  };
  await start();
  const url = (role: string, database: string): string =>
    `postgres://${role}@localhost/${database}?host=${encodeURIComponent(folder)}`;
  return {
    admin,
    folder,
    url,
    async makeDatabase(name) {
      await admin(
        'postgres',
        'create role attribution_owner login',
        'create role attribution login',
        `create database ${name} owner attribution_owner`,
      );
      return { DATABASE_URL: url('attribution', name), DATABASE_OWNER_URL: url('attribution_owner', name) };
    },
    run(program, ...args) {
      const { status, stderr } = spawnSync(join(bin, program), args, { encoding: 'utf8', cwd: '/' });
      if (status !== 0) throw new Error(`${program}: ${stderr}`);
    },
    async replicate() {
      const place = makePlace(parent);
      const copied = spawnSync(
        join(bin, 'pg_basebackup'),
        [
          '-D',
          place.cluster,
          '-h',
          folder,
          '-U',
          'postgres',
          '-R',
          '-X',
          'stream',
          '-c',
          'fast',
          '--no-sync',
        ],
        { ...place.runner, cwd: '/', encoding: 'utf8' },
      );
      if (copied.status !== 0) throw new Error(`pg_basebackup: ${copied.stderr}`);
      return run(bin, parent, { ...place, settings });
    },
    start,
    async kill() {
      await killAll(postgresProcesses(cluster));
      await end('SIGKILL');
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
