import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { inject } from 'vitest';
import { upgradesFrom } from '../../src/platform/config.ts';
import { migrateUpTo } from '../older-schema.ts';
import { inDatabase, owned } from '../template-database.ts';
import { asAdmin } from '../test-database.ts';

type Row = Record<string, unknown>;

/** Number of the last migration of the version in `upgradesFrom`. */
export const lastMigration = '0008';

/** Share as posted by 0.1.0. */
export interface SettledShare {
  share: string;
  millionths: number;
  minor: string;
  rule: string;
  source: string | null;
}

interface Answers {
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  [what: string]: any;
}

/**
 * Installation of 0.1.0 with purchases in every state, created through that version's API and commands. It
 * includes rows whose share was set by each rule, splits, tests, reversals before and after posting, paid,
 * created and canceled payouts, clawbacks, merged members, rows counted by bounties, and 29 unposted
 * recordings. It was created in January 2026, with purchases from 2025.
 */
export interface OlderContents {
  /** Rows by table. */
  tables: ReadonlyMap<string, readonly Row[]>;
  /** Rows that 0.1.0 deleted and inserted when it posted the unposted rows, by table. */
  settled: ReadonlyMap<string, { gone: readonly Row[]; come: readonly Row[] }>;
  /** Aurora's purchases as shown by 0.1.0, before and after posting. */
  purchases: ReadonlyMap<string, { shown: readonly Row[]; settled: readonly Row[] }>;
  /** Shares of all rows after posting. */
  shares: readonly SettledShare[];
  /** Responses before the unposted rows were posted. */
  before: Answers;
  /** Responses after the unposted rows were posted. */
  after: Answers;
}

export function readOlderContents(): OlderContents {
  const tables = new Map<string, Row[]>();
  const settled = new Map<string, { gone: Row[]; come: Row[] }>();
  const purchases = new Map<string, { shown: Row[]; settled: Row[] }>();
  const shares: SettledShare[] = [];
  const answers: Record<string, Answers> = { before: {}, after: {} };
  let rows: Row[] = [];
  let moved: { gone: Row[]; come: Row[] } = { gone: [], come: [] };
  const packed = readFileSync(new URL(`installation-${upgradesFrom}.ndjson.gz`, import.meta.url));
  for (const line of gunzipSync(packed).toString('utf8').trimEnd().split('\n')) {
    const said = JSON.parse(line);
    if ('table' in said) {
      rows = [];
      tables.set(said.table, rows);
    } else if ('settledTable' in said) {
      moved = { gone: [], come: [] };
      settled.set(said.settledTable, moved);
    } else if ('gone' in said) moved.gone.push(said.gone);
    else if ('come' in said) moved.come.push(said.come);
    else if ('purchase' in said)
      purchases.set(said.purchase, { shown: said.shown, settled: said.settled ?? said.shown });
    else if ('share' in said) shares.push(said);
    else if ('when' in said) (answers[said.when] ?? {})[said.what] = said.said;
    else rows.push(said);
  }
  const { before = {}, after = {} } = answers;
  return { tables, settled, purchases, shares, before, after: { ...before, ...after } };
}

export interface OlderInstallation {
  /** Connection as the service's role. */
  connection: pg.ClientConfig;
  ownerConnection: pg.ClientConfig;
  adminConnection: pg.ClientConfig;
  drop(): Promise<void>;
}

/** Restores a database as 0.1.0 left it, with its schema and rows. */
export async function restoreOlderInstallation({ tables }: OlderContents): Promise<OlderInstallation> {
  const admin = inject('adminConnection');
  const name = `attribution_older_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} ${owned}`);
  const ownerConnection = inDatabase(admin, name, 'owner');
  const adminConnection = inDatabase(admin, name, 'admin');
  await migrateUpTo(ownerConnection, lastMigration);
  await withoutKeys(adminConnection, async (client) => {
    for (const [table, rows] of tables) await insertRows(client, table, rows);
  });
  return {
    connection: inDatabase(admin, name),
    ownerConnection,
    adminConnection,
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}

/** Writes what 0.1.0 wrote when it posted the unposted rows. */
export const settleAsBefore = (
  { adminConnection }: OlderInstallation,
  { settled }: OlderContents,
): Promise<void> =>
  withoutKeys(adminConnection, async (client) => {
    for (const [table, { gone, come }] of settled) {
      for (const row of gone)
        await client.query(`delete from ${table} t where to_jsonb(t) @> $1::jsonb`, [JSON.stringify(row)]);
      await insertRows(client, table, come);
    }
  });

async function insertRows(client: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ');
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Removes keys for a comparison. Rows may be in any order. */
async function withoutKeys(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
