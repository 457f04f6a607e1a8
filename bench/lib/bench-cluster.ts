import pg from 'pg';
import type { EmbeddedCluster } from '../../packages/server/src/platform/database/embedded/embedded-cluster.ts';
import { serverSettings } from '../../packages/server/src/platform/database/server-settings.ts';
import { startSystemPostgres } from '../../packages/server/test/system-postgres.ts';
import { temporaryCluster } from '../../packages/server/test/temporary-cluster.ts';

/**
 * Folder with the binaries of another PostgreSQL installation, such as /usr/lib/postgresql/15/bin. The embedded
 * PostgreSQL doesn't support LZ4.
 */
const bin = process.env.BENCH_POSTGRES;
/**
 * Comma-separated settings that override the documented settings, such as
 * `wal_compression=off,max_wal_size=1GB`.
 */
const others = process.env.BENCH_POSTGRES_SETTINGS?.split(',') ?? [];

export const benchPostgres = (): string => [bin ?? 'embedded', ...others].join(', ');

/**
 * Starts the PostgreSQL server to be measured, with the documented settings.
 * @param settings `name=value`, overriding the documented settings
 */
export async function startBenchCluster(settings: readonly string[]): Promise<EmbeddedCluster> {
  if (bin === undefined) return temporaryCluster([...settings, ...others]);
  const documented = Object.entries(serverSettings).map(([name, value]) => `${name}=${value}`);
  const server = await startSystemPostgres(bin, undefined, [
    'max_connections=120',
    'jit=off',
    ...documented,
    ...settings,
    ...others,
  ]);
  await server.makeDatabase('attribution');
  const { folder: host, stop } = server;
  return {
    connection: { host, user: 'attribution', database: 'attribution' },
    ownerConnection: { host, user: 'attribution_owner', database: 'attribution' },
    stop,
  };
}

/** Runs a checkpoint. The next change to each page then writes the whole page to WAL. */
export async function checkpoint(socketDirectory: string): Promise<void> {
  const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
