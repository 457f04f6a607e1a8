import { readFileSync } from 'node:fs';
import type { TableSum } from '../../../platform/database/copy/table-sums.ts';
import { OperatorError } from '../../../platform/operator-error.ts';

/** Description of a backup's contents, stored in FILE.json next to the backup. */
export interface Manifest {
  version: string;
  takenAt: string;
  /** Size of the whole database, including indexes, at the time of the backup. */
  databaseBytes: number;
  /** Names of the applied migrations, in order. */
  migrations: string[];
  tables: Record<string, TableSum>;
}

export const manifestOf = (file: string): string => `${file}.json`;

/** Reads a manifest. @throws OperatorError when the file is not a manifest */
export function readManifest(path: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new OperatorError(`Couldn't read ${path}: ${error instanceof Error ? error.message : error}`);
  }
  if (!isManifest(manifest)) throw new OperatorError(`${path} is not a backup manifest.`);
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
