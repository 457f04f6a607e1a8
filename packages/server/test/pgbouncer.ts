import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseRoles } from '../src/platform/database/schema/prepare-database.ts';
import { until } from './attribution-process.ts';
import { freePort } from './free-port.ts';

export interface PgBouncer {
  url: string;
  ownerUrl: string;
  stop(): Promise<void>;
}

/** @returns the path of PgBouncer; null if it is not installed */
export function findPgBouncer(): string | null {
  for (const path of ['pgbouncer', '/usr/sbin/pgbouncer']) {
    if (spawnSync(path, ['--version']).status === 0) return path;
  }
  return null;
}

/** Starts PgBouncer in transaction mode in front of a database, with fewer server connections than client connections. */
export async function startPgBouncer(
  program: string,
  { connection, ownerConnection }: DatabaseRoles,
): Promise<PgBouncer> {
  const target = new pg.Client(connection);
  const owner = new pg.Client(ownerConnection);
  const folder = mkdtempSync(join(tmpdir(), 'attribution-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const as = ({ user, password }: pg.Client): string =>
    `user=${user}${password ? ` password=${password}` : ''}`;
  writeFileSync(
    settings,
    `[databases]
shop = host=${target.host} port=${target.port} dbname=${target.database} ${as(target)}
shop_owner = host=${target.host} port=${target.port} dbname=${target.database} ${as(owner)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
logfile = ${join(folder, 'log')}
`,
  );
  // PgBouncer refuses to run as root, and needs access to the private socket of the tests' cluster.
  const isRoot = process.getuid?.() === 0;
  const { uid, gid } =
    isRoot && target.host.startsWith('/') ? statSync(target.host) : { uid: 65_534, gid: 65_534 };
  if (isRoot) for (const path of [folder, settings]) chownSync(path, uid, gid);
  chmodSync(settings, 0o600);
  const child = spawn(program, ['-q', settings], { ...(isRoot && { uid, gid }), cwd: '/', stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `postgres://anyone@127.0.0.1:${port}/shop`;
  await until(
    'PgBouncer to listen',
    () => answers(url),
    exited.then(([code]) => {
      throw new Error(`PgBouncer ended with ${code}`);
    }),
  );
  return {
    url,
    ownerUrl: `${url}_owner`,
    async stop() {
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
