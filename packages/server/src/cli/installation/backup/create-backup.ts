import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { systemClock } from '../../../platform/clock.ts';
import { type Config, version } from '../../../platform/config.ts';
import { readCopiedTables } from '../../../platform/database/copy/copied-tables.ts';
import { prepareCopying, sumTable, type TableSum } from '../../../platform/database/copy/table-sums.ts';
import { schemaState } from '../../../platform/database/schema/schema-records.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { type Installation, joinInstallation } from '../open-installation.ts';
import { runTool } from './client-tools.ts';
import { type Manifest, manifestOf } from './manifest.ts';

const ownerOnly = 0o600;

/**
 * Creates a backup with pg_dump and writes a manifest of its contents, both from the same snapshot. The service
 * keeps running.
 * @throws OperatorError when the backup fails, after removing the incomplete file
 */
export async function createBackup(
  config: Config,
  file: string,
  environment: Record<string, string>,
): Promise<Manifest> {
  for (const path of [file, manifestOf(file)])
    if (existsSync(path))
      throw new OperatorError(`${path} already exists. Backups don't overwrite files. Choose another name.`);
  const installation = await joinInstallation(config);
  const client = new pg.Client({
    ...installation.ownerConnection,
    application_name: 'attribution-backup',
    keepAlive: true,
  });
  client.on('error', () => undefined); // the running statement fails with the same error
  const partial = `${file}.partial`;
  try {
    await client.connect();
    const { kind } = await schemaState(client);
    if (kind === 'empty' || kind === 'unknown')
      throw new OperatorError(
        'There is nothing to back up: the database is empty or does not belong to this service.',
      );
    await prepareCopying(client);
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
    // The backup contains buyers' names, so the file is created readable only by its owner before pg_dump writes it.
    rmSync(partial, { force: true });
    writeFileSync(partial, '', { mode: ownerOnly, flag: 'wx' });
    await runTool('pg_dump', ['--format=custom', `--snapshot=${rows[0]?.snapshot}`, `--file=${partial}`], {
      url: ownerUrl(config, installation),
      environment,
    });
    const manifest = await describe(client);
    writeFileSync(manifestOf(file), `${JSON.stringify(manifest, null, 2)}\n`, { mode: ownerOnly });
    renameSync(partial, file);
    return manifest;
  } finally {
    rmSync(partial, { force: true });
    await client.end().catch(() => undefined);
    await installation.close();
  }
}

async function describe(client: pg.Client): Promise<Manifest> {
  const tables: Record<string, TableSum> = {};
  for (const table of await readCopiedTables(client)) tables[table.name] = await sumTable(client, table);
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database())::text as bytes',
  );
  const applied = await client.query<{ name: string }>(
    'select name from schema_migration order by name collate "C"',
  );
  return {
    version,
    takenAt: systemClock.now().toISOString(),
    databaseBytes: Number(rows[0]?.bytes ?? 0),
    migrations: applied.rows.map(({ name }) => name),
    tables,
  };
}

function ownerUrl({ databaseUrl, databaseOwnerUrl }: Config, { ownerConnection }: Installation): string {
  return databaseOwnerUrl ?? databaseUrl ?? socketUrl(ownerConnection);
}

export const socketUrl = ({ host, user, database }: pg.ClientConfig): string =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}`;
