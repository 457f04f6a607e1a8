import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject, onTestFinished } from 'vitest';
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

/** A database without a schema, gone when the test ends. */
export async function createEmptyDatabase(): Promise<pg.ClientConfig> {
  const admin = inject('adminConnection');
  const name = `attribution_empty_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} ${admin.connectionString === undefined ? 'owner attribution' : ''}`);
  onTestFinished(() => asAdmin(`drop database if exists ${name} with (force)`));
  return inDatabase(admin, name);
}
