import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { version } from '../../config.ts';

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
  /** Oldest version that may run on the resulting schema. */
  oldestVersion: string;
  /** True if the SQL is a step to repeat, each time in its own commit, until it reports that it is done. */
  isInSteps: boolean;
  /** True if the previous version can't run on the resulting schema or during the migration. */
  isSwitch: boolean;
}

export interface AppliedMigration {
  name: string;
  sha256: string;
  /** Null if the version that applied the migration didn't record its oldest version. */
  oldestVersion: string | null;
}

/** State of a database's schema, as seen by this version of the service. */
export type SchemaState =
  | { kind: 'current' }
  | { kind: 'empty' }
  | { kind: 'behind'; missing: string[] }
  /** Created by a newer version; this version may run on the schema. */
  | { kind: 'ahead'; unknown: string[] }
  | { kind: 'unknown'; reason: string };

const folder = new URL('../../../../migrations/', import.meta.url);
const header = /^-- oldest program: (\d+\.\d+\.\d+)$/m;
const inSteps = /^-- in steps$/m;
const theSwitch = /^-- the switch$/m;

/**
 * Returns this version's migrations, in order. If a migration doesn't have an `oldest program` line, its resulting
 * schema requires this version.
 */
export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return {
        name,
        sql,
        sha256: createHash('sha256').update(sql).digest('hex'),
        oldestVersion: header.exec(sql)?.[1] ?? version,
        isInSteps: inSteps.test(sql),
        isSwitch: theSwitch.test(sql),
      };
    });
}

/**
 * Compares a schema with this version's migrations. The schema must contain this version's migrations in
 * order, and may contain unknown migrations only after them.
 */
export function compareSchema(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): SchemaState {
  if (applied.length === 0) return { kind: 'empty' };
  for (const [index, { name, sha256 }] of applied.entries()) {
    const expected = known[index];
    if (expected === undefined) return compareNewer(applied.slice(index));
    if (expected.name !== name)
      return {
        kind: 'unknown',
        reason: `it has ${name} where this version has ${expected.name}; it belongs to a different build`,
      };
    if (expected.sha256 !== sha256)
      return {
        kind: 'unknown',
        reason: `the contents of migration ${name} differ from this version's; it belongs to a different build`,
      };
  }
  const missing = known.slice(applied.length).map(({ name }) => name);
  return missing.length === 0 ? { kind: 'current' } : { kind: 'behind', missing };
}

function compareNewer(newer: readonly AppliedMigration[]): SchemaState {
  for (const { name, oldestVersion } of newer) {
    if (oldestVersion !== null && !isOlder(version, oldestVersion)) continue;
    const wanted = oldestVersion === null ? 'run the newer version' : `run ${oldestVersion} or newer`;
    return {
      kind: 'unknown',
      reason: `its schema is newer than this version, ${version} (it has ${name}); ${wanted}`,
    };
  }
  return { kind: 'ahead', unknown: newer.map(({ name }) => name) };
}

/**
 * Compares versions by their three numbers, ignoring suffixes.
 * @returns true if `one` is older than `other`
 */
export function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, number] of (left ?? []).entries()) {
    const against = right?.[index] ?? 0;
    if (number !== against) return number < against;
  }
  return false;
}
