import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { countSecrets } from '../../../notifications/count-secrets.ts';
import type { Config } from '../../../platform/config.ts';
import { commandLimits } from '../../../platform/database/connections/limits.ts';
import {
  type CopiedTable,
  type Partition,
  readCopiedTables,
  readPartitions,
} from '../../../platform/database/copy/copied-tables.ts';
import { prepareCopying } from '../../../platform/database/copy/table-sums.ts';
import { openDatabase } from '../../../platform/database/database.ts';
import { FolderInUseError } from '../../../platform/database/embedded/data-folder-lock.ts';
import { prepareDatabase } from '../../../platform/database/schema/prepare-database.ts';
import { schemaState } from '../../../platform/database/schema/schema-records.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { asTyped } from '../../../platform/program-name.ts';
import { requireKey } from '../../../platform/secrets/sealer.ts';
import { type Installation, ownInstallation } from '../open-installation.ts';
import { sealPlainSecrets } from '../seal-plain-secrets.ts';

/** Source of a move: a snapshot of a database that no other process uses. */
export interface MoveSource {
  installation: Installation;
  /** Connection in a transaction with one snapshot. */
  client: pg.Client;
  /** Identity of the database, independent of its address. */
  identity: string;
  migrations: readonly string[];
  tables: readonly CopiedTable[];
  partitions: readonly Partition[];
}

/**
 * Opens the source. @throws OperatorError when the source is in use, is outdated, or contains secrets without
 * a known key
 */
export async function openSource(config: Config, report: (line: string) => void): Promise<MoveSource> {
  const installation = await openExclusively(config);
  const client = new pg.Client({ ...installation.ownerConnection, application_name: 'attribution-move' });
  client.on('error', () => undefined); // the running statement fails with the same error
  try {
    if (installation.isEmbedded) {
      await prepareDatabase(installation, { onWait: report });
      await sealPlainSecrets(installation);
    }
    await client.connect();
    await prepareCopying(client);
    if (!installation.isEmbedded) await requireUnused(client, await roleOf(installation.connection));
    const state = await schemaState(client);
    if (state.kind === 'unknown') throw new OperatorError(`The database cannot be moved: ${state.reason}.`);
    if (state.kind !== 'current')
      throw new OperatorError(
        state.kind === 'ahead'
          ? 'The database was migrated by a newer version. Move it with that version.'
          : `The database is not up to date. Run \`${asTyped('migrate')}\` first.`,
      );
    await requireKeys(installation);
    await client.query('begin isolation level repeatable read read only');
    return {
      installation,
      client,
      identity: await identityOf(client),
      migrations: await readMigrationNames(client),
      tables: await readCopiedTables(client),
      partitions: await readPartitions(client),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    await installation.close();
    throw error;
  }
}

async function openExclusively(config: Config): Promise<Installation> {
  try {
    return await ownInstallation(config);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new OperatorError(`${error.message}. Stop it first: its writes during the move would be lost.`);
  }
}

const closingMs = 2_000;

/** Checks that no other process uses the database. Waits briefly, since closed connections may still be listed. */
async function requireUnused(client: pg.Client, serviceRole: string): Promise<void> {
  const deadline = performance.now() + closingMs;
  for (;;) {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usename in ($1, current_user)`,
      [serviceRole],
    );
    const others = rows[0]?.others ?? 0;
    if (others === 0) return;
    if (performance.now() > deadline)
      throw new OperatorError(
        `The database is in use: the service's roles have ${others} other connection(s). Stop every service process, and any pooler that keeps connections open. Their writes during the move would be lost.`,
      );
    await sleep(100);
  }
}

async function roleOf(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>('select current_user::text as role');
    return rows[0]?.role ?? '';
  } finally {
    await client.end();
  }
}

/** Checks that every secret has a known key, since secrets are moved in sealed form. */
async function requireKeys({ connection, sealer }: Installation): Promise<void> {
  requireKey(sealer);
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'attribution-command',
    limits: commandLimits,
  });
  const counts = await countSecrets(database.db, sealer).finally(() => database.close());
  if (counts['unknown-key'] > 0)
    throw new OperatorError(
      `${counts['unknown-key']} secret(s) are sealed with a key that is not in SECRETS_KEY, and could not be opened after the move. Add that key after the first one.`,
    );
}

async function identityOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(
    `select s.system_identifier || '/' || d.oid as identity
     from pg_control_system() s, pg_database d
     where d.datname = current_database()`,
  );
  return rows[0]?.identity ?? '';
}

/** Reads the names of the applied migrations with their checksums. */
export async function readMigrationNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name || ' ' || sha256 as name from schema_migration order by name collate "C"`,
  );
  return rows.map(({ name }) => name);
}
