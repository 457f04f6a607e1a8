import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../../../platform/config.ts';
import { readConnection } from '../../../platform/database/connections/read-connection.ts';
import { readCopiedTables } from '../../../platform/database/copy/copied-tables.ts';
import {
  isSameSum,
  prepareCopying,
  sumTable,
  type TableSum,
} from '../../../platform/database/copy/table-sums.ts';
import { prepareDatabase } from '../../../platform/database/schema/prepare-database.ts';
import { schemaState } from '../../../platform/database/schema/schema-records.ts';
import { OperatorError } from '../../../platform/operator-error.ts';
import { embeddedKeys } from '../../../platform/secrets/secrets-keys.ts';
import type { LedgerVerdict } from '../../../settlement/verify/verify-ledger.ts';
import { examineInstallation } from '../examine-installation.ts';
import type { Finding } from '../finding.ts';
import { proveLedger } from '../prove-ledger.ts';
import { runTool } from './client-tools.ts';
import { type Manifest, manifestOf, readManifest } from './manifest.ts';
import { openScratchCluster, openScratchDatabase } from './open-scratch.ts';

export type Backup =
  /**
   * File from pg_dump in a format that pg_restore reads. It is restored temporarily, on the `scratch` server
   * if there is one.
   */
  | { kind: 'archive'; file: string; scratch: string | null }
  /** Database that the operator has restored. */
  | { kind: 'restored'; url: string };

export interface VerifyInput {
  backup: Backup;
  /** Path of the manifest; null for the manifest next to the backup, if there is one. */
  manifest: string | null;
  environment: Record<string, string>;
  report: (line: string) => void;
}

export interface Verified {
  rows: number;
  /** Descriptions of tables that differ from the manifest; null without a manifest. */
  differing: string[] | null;
  /** Migrations that were missing from the backup and were applied to the restored copy. */
  migrated: string[];
  findings: Finding[];
  ledger: LedgerVerdict;
}

/**
 * Verifies a backup by restoring it and checking its contents.
 * @throws OperatorError when it can't be restored or read
 */
export async function verifyBackup(config: Config, input: VerifyInput): Promise<Verified> {
  const { backup } = input;
  const keyed = { ...config, secretsKeys: keysOf(config) };
  if (backup.kind === 'restored') {
    const manifest = input.manifest === null ? null : readManifest(input.manifest);
    return await examine(keyed, { url: backup.url, ownerUrl: backup.url, isOurs: false, manifest });
  }
  const manifest = manifestFor(backup.file, input.manifest);
  await runTool('pg_restore', ['--list', backup.file], input); // fails if the file is not a backup, before anything is created
  const scratch =
    backup.scratch === null
      ? await openScratchCluster(estimateBytes(backup.file, manifest))
      : await openScratchDatabase(backup.scratch);
  try {
    input.report('Restoring the backup …');
    await runTool('pg_restore', ['--no-owner', '--no-privileges', '--exit-on-error', backup.file], {
      url: scratch.ownerUrl,
      environment: input.environment,
    });
    return await examine(keyed, { ...scratch, isOurs: true, manifest });
  } finally {
    await scratch.close();
  }
}

function manifestFor(file: string, named: string | null): Manifest | null {
  if (named !== null) return readManifest(named);
  return existsSync(manifestOf(file)) ? readManifest(manifestOf(file)) : null;
}

/** Assumed ratio between the sizes of a database and its dump. */
const compressionRatio = 25;
const emptyClusterBytes = 300e6;
/** Largest amount of WAL that accumulates during the restore. */
const maxWalBytes = 2e9;

function estimateBytes(file: string, manifest: Manifest | null): number {
  const database = manifest?.databaseBytes ?? statSync(file).size * compressionRatio;
  return database + Math.min(database, maxWalBytes) + emptyClusterBytes;
}

/** Returns the keys of the installation that was backed up, without creating a key. */
const keysOf = ({ databaseUrl, dataDir, secretsKeys }: Config): readonly Buffer[] =>
  databaseUrl === null && existsSync(join(dataDir, 'secrets.key'))
    ? embeddedKeys(dataDir, secretsKeys)
    : secretsKeys;

interface Restored {
  url: string;
  ownerUrl: string;
  /** True when this command restored the database, and may therefore migrate it. */
  isOurs: boolean;
  manifest: Manifest | null;
}

async function examine(config: Config, { url, ownerUrl, isOurs, manifest }: Restored): Promise<Verified> {
  const roles = { connection: await readConnection(url), ownerConnection: await readConnection(ownerUrl) };
  const sums = await sumTables(roles.ownerConnection);
  const differing = manifest === null ? null : compare(manifest.tables, sums);
  // A restored database lacks the roles' permissions, and a backup from an older version needs migrations.
  const migrated = isOurs ? await prepareDatabase(roles) : [];
  const findings = await examineInstallation({ ...config, databaseUrl: url, databaseOwnerUrl: ownerUrl });
  return {
    rows: [...sums.values()].reduce((all, { rows }) => all + rows, 0),
    differing,
    migrated,
    findings: isOurs ? findings.filter(({ check }) => ofBackup.includes(check)) : findings,
    ledger: await proveLedger(roles.connection),
  };
}

/** Checks of the backup itself. A scratch database's other checks are about the server it runs on. */
const ofBackup = ['encoding', 'schema', 'secrets'];

async function sumTables(connection: pg.ClientConfig): Promise<Map<string, TableSum>> {
  const client = new pg.Client({ ...connection, application_name: 'attribution-backup' });
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    const { kind } = await schemaState(client);
    if (kind === 'empty') throw new OperatorError("The backup contains none of the service's tables.");
    await prepareCopying(client);
    const sums = new Map<string, TableSum>();
    for (const table of await readCopiedTables(client)) sums.set(table.name, await sumTable(client, table));
    return sums;
  } finally {
    await client.end();
  }
}

function compare(
  expected: Readonly<Record<string, TableSum>>,
  found: ReadonlyMap<string, TableSum>,
): string[] {
  return [...new Set([...Object.keys(expected), ...found.keys()])].sort().flatMap((name) => {
    const [before, after] = [expected[name], found.get(name)];
    if (before === undefined) return [`${name} is not in the manifest`];
    if (after === undefined) return [`${name} is missing`];
    if (isSameSum(before, after)) return [];
    return [
      before.rows === after.rows
        ? `${name} has ${after.rows} rows, but their contents differ from the manifest`
        : `${name} has ${after.rows} rows, but the manifest has ${before.rows}`,
    ];
  });
}
