import { randomBytes } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { type Limits, requestLimits } from '../src/platform/database/connections/limits.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../src/platform/database/database.ts';
import { inDatabase, owned, templateDatabase } from './template-database.ts';

export interface TestDatabase {
  /** Connection as the service's role. */
  connection: pg.ClientConfig;
  ownerConnection: pg.ClientConfig;
  adminConnection: pg.ClientConfig;
  database: Database;
  drop(): Promise<void>;
}

/** Limits for tests that don't test limits, so that they do not fail on a busy machine. */
const patient: Limits = {
  ...requestLimits,
  connectMs: 20_000,
  lockMs: 20_000,
  statementMs: 20_000,
  answerMs: 25_000,
};

export interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  /** True if commits wait for the disk. Needed only by tests of durability or of this setting. */
  isDurable?: boolean;
  /** Database to clone; an empty one with all tables by default. */
  template?: string;
}

export async function createTestDatabase({
  isDurable = false,
  template = templateDatabase,
  ...options
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const admin: pg.ClientConfig = inject('adminConnection');
  const name = `attribution_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(
    // Copies the template's files, because PostgreSQL would otherwise read and log every page.
    `create database ${name} template ${template} ${owned} strategy file_copy`,
    ...(isDurable ? [] : [`alter database ${name} set synchronous_commit = off`]),
  );
  const connection = inDatabase(admin, name);
  const database = openDatabase({
    connection,
    poolSize: 10,
    recordLanes: 2,
    applicationName: 'test',
    limits: patient,
    requestMs: patient.answerMs,
    ...options,
  });
  return {
    connection,
    ownerConnection: inDatabase(admin, name, 'owner'),
    adminConnection: inDatabase(admin, name, 'admin'),
    database,
    async drop() {
      await database.close();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs statements as the superuser, each in its own commit. */
export async function asAdmin(...statements: string[]): Promise<void> {
  const client = new pg.Client(inject('adminConnection'));
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs, as the superuser, a statement that the service's role isn't allowed to run. */
export async function asOperator(
  { adminConnection, database }: TestDatabase,
  statement: RawBuilder<unknown>,
): Promise<void> {
  const { sql, parameters } = statement.compile(database.db);
  const client = new pg.Client(adminConnection);
  await client.connect();
  try {
    await client.query(sql, [...parameters]);
  } finally {
    await client.end();
  }
}

/** Opens a connection that is closed when the test ends. */
export async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
