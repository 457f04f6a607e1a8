import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { inDatabase } from './template-database.ts';
import { asAdmin } from './test-database.ts';

/** A connection as the text that DATABASE_URL takes. */
export function databaseUrl(connection: pg.ClientConfig): string {
  const { connectionString, host, user, database } = connection;
  if (connectionString !== undefined) return connectionString;
  const url = new URL(`postgres://${user}@localhost/${database}`);
  url.searchParams.set('host', host ?? '');
  return url.href;
}

export interface EmptyDatabase {
  connection: pg.ClientConfig;
  drop(): Promise<void>;
}

/** A database without a schema. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const admin = inject('adminConnection');
  const name = `attribution_empty_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} ${admin.connectionString === undefined ? 'owner attribution' : ''}`);
  return {
    connection: inDatabase(admin, name),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}
