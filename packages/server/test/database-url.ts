import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { inDatabase, owned } from './template-database.ts';
import { asAdmin } from './test-database.ts';

export function databaseUrl(connection: pg.ClientConfig): string {
  const { connectionString, host, user, database } = connection;
  if (connectionString !== undefined) return connectionString;
  const url = new URL(`postgres://${user}@localhost/${database}`);
  url.searchParams.set('host', host ?? '');
  return url.href;
}

/** Returns the URLs that `attribution migrate` needs. */
export const urlsOf = ({
  connection,
  ownerConnection,
}: Pick<EmptyDatabase, 'connection' | 'ownerConnection'>): Record<string, string> => ({
  DATABASE_URL: databaseUrl(connection),
  DATABASE_OWNER_URL: databaseUrl(ownerConnection),
});

export interface EmptyDatabase {
  /** Connection as the service's role. */
  connection: pg.ClientConfig;
  ownerConnection: pg.ClientConfig;
  drop(): Promise<void>;
}

export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const admin = inject('adminConnection');
  const name = `attribution_empty_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} ${owned}`);
  return {
    connection: inDatabase(admin, name),
    ownerConnection: inDatabase(admin, name, 'owner'),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}
