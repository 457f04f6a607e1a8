import { readFileSync } from 'node:fs';
import type { TableSum } from '../../../platform/database/copy/table-sums.ts';
import { OperatorError } from '../../../platform/operator-error.ts';

/** What a backup is said to hold; it lies beside it, as FILE.json. */
export interface Manifest {
  version: string;
  takenAt: string;
  /** Of the whole database, with its indexes, when it was taken. */
  databaseBytes: number;
  /** Of migrations, in order. */
  migrations: string[];
  tables: Record<string, TableSum>;
}

export const manifestOf = (file: string): string => `${file}.json`;

/** @throws OperatorError when it is no manifest */
export function readManifest(path: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new OperatorError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (!isManifest(manifest)) throw new OperatorError(`${path} is no manifest of a backup.`);
  return manifest;
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { databaseBytes, tables } = value as Partial<Manifest>;
  return (
    typeof databaseBytes === 'number' &&
    typeof tables === 'object' &&
    tables !== null &&
    Object.values(tables).every((sum) => typeof sum?.rows === 'number' && typeof sum.sum === 'string')
  );
}
