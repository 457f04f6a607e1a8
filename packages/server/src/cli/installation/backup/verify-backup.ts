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
  /** What pg_dump wrote, in a format that pg_restore reads; restored for a while, by a server where one is named. */
  | { kind: 'archive'; file: string; scratch: string | null }
  /** A database that somebody restored. */
  | { kind: 'restored'; url: string };

export interface VerifyInput {
  backup: Backup;
  /** Null: the one beside the backup, if there is one. */
  manifest: string | null;
  environment: Record<string, string>;
  tell: (line: string) => void;
}

export interface Verified {
  rows: number;
  /** Tables that are not what the manifest says, in words; null without a manifest. */
  differing: string[] | null;
  /** Migrations that the backup lacked, and that were applied to what was restored of it. */
  migrated: string[];
  findings: Finding[];
  ledger: LedgerVerdict;
}

/**
 * Looks whether a backup is one: restores it, and proves what is in it.
 * @throws OperatorError in words when it cannot be restored or read
 */
export async function verifyBackup(config: Config, input: VerifyInput): Promise<Verified> {
  const { backup } = input;
  const keyed = { ...config, secretsKeys: keysOf(config) };
  if (backup.kind === 'restored') {
    const manifest = input.manifest === null ? null : readManifest(input.manifest);
    return await examine(keyed, { url: backup.url, ownerUrl: backup.url, isOurs: false, manifest });
  }
  const manifest = manifestFor(backup.file, input.manifest);
  await runTool('pg_restore', ['--list', backup.file], input); // whether it is one at all, before anything is made
  const scratch =
    backup.scratch === null
      ? await openScratchCluster(roomFor(backup.file, manifest))
      : await openScratchDatabase(backup.scratch);
  try {
    input.tell('Restoring it …');
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

/** How many times smaller than a database a dump of it may be. */
const packedTimes = 25;
/** Of the log, which is kept for a while, and of an empty cluster. */
const besidesBytes = 300e6;
const maxLogBytes = 2e9;

function roomFor(file: string, manifest: Manifest | null): number {
  const database = manifest?.databaseBytes ?? statSync(file).size * packedTimes;
  return database + Math.min(database, maxLogBytes) + besidesBytes;
}

/** Those of the installation whose backup it is; none is made. */
const keysOf = ({ databaseUrl, dataDir, secretsKeys }: Config): readonly Buffer[] =>
  databaseUrl === null && existsSync(join(dataDir, 'secrets.key'))
    ? embeddedKeys(dataDir, secretsKeys)
    : secretsKeys;

interface Restored {
  url: string;
  ownerUrl: string;
  /** Whether it was restored for this, and may be brought up to date. */
  isOurs: boolean;
  manifest: Manifest | null;
}

async function examine(config: Config, { url, ownerUrl, isOurs, manifest }: Restored): Promise<Verified> {
  const roles = { connection: await readConnection(url), ownerConnection: await readConnection(ownerUrl) };
  const sums = await sumTables(roles.ownerConnection);
  const differing = manifest === null ? null : compare(manifest.tables, sums);
  // A restore loses who may do what; and a backup of an older version must come back as well.
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

/** What a scratch database tells of the backup; the rest is about the server that it happens to be on. */
const ofBackup = ['encoding', 'schema', 'secrets'];

async function sumTables(connection: pg.ClientConfig): Promise<Map<string, TableSum>> {
  const client = new pg.Client({ ...connection, application_name: 'attribution-backup' });
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    const { kind } = await schemaState(client);
    if (kind === 'empty') throw new OperatorError('There are no tables of this program in it.');
    await prepareCopying(client);
    const sums = new Map<string, TableSum>();
    for (const table of await readCopiedTables(client)) sums.set(table.name, await sumTable(client, table));
    return sums;
  } finally {
    await client.end();
  }
}

function compare(said: Readonly<Record<string, TableSum>>, found: ReadonlyMap<string, TableSum>): string[] {
  return [...new Set([...Object.keys(said), ...found.keys()])].sort().flatMap((name) => {
    const [before, after] = [said[name], found.get(name)];
    if (before === undefined) return [`${name} is not in the manifest`];
    if (after === undefined) return [`${name} is missing`];
    if (isSameSum(before, after)) return [];
    return [
      before.rows === after.rows
        ? `${name} has ${after.rows} rows, and they are not those of the manifest`
        : `${name} has ${after.rows} rows, and the manifest says ${before.rows}`,
    ];
  });
}
