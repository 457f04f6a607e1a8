import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { version } from '../../config.ts';

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
  /** The oldest program that may run on the schema it makes. */
  oldestProgram: string;
  /** Its text is one step, a commit of its own, and is run until it says that it is done. */
  isInSteps: boolean;
  /** The program before cannot run on what it makes, nor while it is made. */
  isSwitch: boolean;
}

/** A migration that a database has. */
export interface AppliedMigration {
  name: string;
  sha256: string;
  /** Null where the program that applied it did not say. */
  oldestProgram: string | null;
}

/** State of a database's schema as this version of the service sees it. */
export type SchemaState =
  | { kind: 'current' }
  | { kind: 'empty' }
  | { kind: 'behind'; missing: string[] }
  /** A newer program made it, and this one may run on it. */
  | { kind: 'ahead'; unknown: string[] }
  | { kind: 'unknown'; reason: string };

const folder = new URL('../../../../migrations/', import.meta.url);
const header = /^-- oldest program: (\d+\.\d+\.\d+)$/m;
const inSteps = /^-- in steps$/m;
const theSwitch = /^-- the switch$/m;

/** This program's migrations, in order. One whose file does not name its oldest program asks for this version. */
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
        oldestProgram: header.exec(sql)?.[1] ?? version,
        isInSteps: inSteps.test(sql),
        isSwitch: theSwitch.test(sql),
      };
    });
}

/**
 * Compares a schema with this version's migrations: it must have them from the first on, in order, and others only after
 * all of them.
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
        reason: `it has ${name}, where this program has ${expected.name}; it belongs to a different build`,
      };
    if (expected.sha256 !== sha256)
      return {
        kind: 'unknown',
        reason: `migration ${name} was applied with other contents than this program's; it belongs to a different build`,
      };
  }
  const missing = known.slice(applied.length).map(({ name }) => name);
  return missing.length === 0 ? { kind: 'current' } : { kind: 'behind', missing };
}

function compareNewer(newer: readonly AppliedMigration[]): SchemaState {
  for (const { name, oldestProgram } of newer) {
    if (oldestProgram !== null && !isOlder(version, oldestProgram)) continue;
    const wanted = oldestProgram === null ? 'start the newer version' : `start ${oldestProgram} or newer`;
    return {
      kind: 'unknown',
      reason: `the database's schema is newer than this program, version ${version} (it has ${name}); ${wanted}`,
    };
  }
  return { kind: 'ahead', unknown: newer.map(({ name }) => name) };
}

/** @param one, other three numbers with dots between; what follows them does not count */
export function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, number] of (left ?? []).entries()) {
    const against = right?.[index] ?? 0;
    if (number !== against) return number < against;
  }
  return false;
}
