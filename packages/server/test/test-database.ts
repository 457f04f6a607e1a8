import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { inDatabase, templateDatabase } from './template-database.ts';

export interface TestDatabase {
  connection: pg.ClientConfig;
  database: Database;
  drop(): Promise<void>;
}

/** A migrated, empty database of one's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const admin: pg.ClientConfig = inject('adminConnection');
  const name = `attribution_test_${randomBytes(6).toString('hex')}`;
  const isEmbedded = admin.connectionString === undefined;
  await asAdmin(
    `create database ${name} template ${templateDatabase} ${isEmbedded ? 'owner attribution' : ''}`,
  );
  const connection = inDatabase(admin, name);
  const database = openDatabase({ connection, poolSize: 10, recordLanes: 2, applicationName: 'test' });
  return {
    connection,
    database,
    async drop() {
      await database.close();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs one statement as the role that may do anything. */
export async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client(inject('adminConnection'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A connection of one's own, closed when the test ends. */
export async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
