import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { OperatorError } from '../operator-error.ts';

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/** What a database's schema is to this program. */
export type SchemaState =
  | { kind: 'current' }
  | { kind: 'empty' }
  | { kind: 'behind'; missing: string[] }
  | { kind: 'unknown'; reason: string };

const folder = new URL('../../../migrations/', import.meta.url);
const lockNumber = 7_301_986_142; // any number, the same in every process: one migrator at a time

/**
 * Brings a schema up to date, one commit a migration; any number of processes may do so at once.
 * @returns the names of the migrations it applied
 * @throws Error when the schema was made by a newer or a different version
 */
export async function migrate(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    const applied: string[] = [];
    for (;;) {
      // A lock that ends with its transaction is the kind that works through PgBouncer.
      await client.query('begin');
      try {
        await client.query('select pg_advisory_xact_lock($1)', [lockNumber]);
        await client.query("set local lock_timeout = '60s'");
        await client.query(
          `create table if not exists schema_migration (
             name text primary key,
             sha256 text not null,
             applied_at timestamptz not null default now()
           )`,
        );
        const next = nextMigration(await readApplied(client));
        if (next !== null) {
          await client.query(next.sql);
          await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
            next.name,
            next.sha256,
          ]);
          applied.push(next.name);
        }
        await client.query('commit');
        if (next === null) return applied;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }
    }
  } finally {
    await client.end();
  }
}

/** Looks at a schema without changing it. */
export async function schemaState(client: pg.ClientBase | pg.Pool): Promise<SchemaState> {
  const { rows } = await client.query("select to_regclass('schema_migration') is not null as present");
  if (!rows[0].present) return { kind: 'empty' };
  const applied = await readApplied(client);
  if (applied.length === 0) return { kind: 'empty' };
  try {
    const missing = missingMigrations(applied);
    return missing.length === 0
      ? { kind: 'current' }
      : { kind: 'behind', missing: missing.map(({ name }) => name) };
  } catch (error) {
    return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  }
}

type Applied = { name: string; sha256: string };

async function readApplied(client: pg.ClientBase | pg.Pool): Promise<Applied[]> {
  const { rows } = await client.query<Applied>('select name, sha256 from schema_migration order by name');
  return rows;
}

const nextMigration = (applied: Applied[]): Migration | null => missingMigrations(applied)[0] ?? null;

function missingMigrations(applied: Applied[]): Migration[] {
  const known = readMigrations();
  for (const [index, { name, sha256 }] of applied.entries()) {
    const expected = known[index];
    if (expected === undefined || expected.name !== name) {
      throw new OperatorError(
        `the database's schema is newer than this program (it has ${name}); start the newer version`,
      );
    }
    if (expected.sha256 !== sha256) {
      throw new OperatorError(
        `migration ${name} was applied with other contents than this program's; it belongs to a different build`,
      );
    }
  }
  return known.slice(applied.length);
}

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    });
}
