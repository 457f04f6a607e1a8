import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../src/platform/database/schema/prepare-database.ts';
import { inDatabase, makeRoles, owned, templateDatabase } from './template-database.ts';
import { temporaryCluster } from './temporary-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection to the tests' PostgreSQL as a role that may create databases. */
    adminConnection: { host?: string; user?: string; database?: string; connectionString?: string };
  }
}

const testSettings = [
  // Tests read the text of waiting statements, which PostgreSQL truncates at a thousand bytes by default.
  'track_activity_query_size=16384',
  // The machine doesn't crash during a run, and killed processes lose nothing that they wrote to its page cache.
  'fsync=off',
  'full_page_writes=off',
];

/**
 * Starts an embedded PostgreSQL for the whole run, or uses the server that TEST_DATABASE_URL names (with a role that may
 * create databases). Each test file clones the migrated template.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  const cluster = url === undefined ? await temporaryCluster(testSettings) : null;
  const admin: pg.ClientConfig =
    cluster === null
      ? { ...(url !== undefined && { connectionString: url }) }
      : { ...cluster.connection, user: 'postgres', database: 'postgres' };
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(`drop database if exists ${templateDatabase}`);
  if (cluster === null) await makeRoles(client);
  await client.query(`create database ${templateDatabase} ${owned}`);
  await client.end();
  await prepareDatabase({
    connection: inDatabase(admin, templateDatabase),
    ownerConnection: inDatabase(admin, templateDatabase, 'owner'),
  });
  project.provide('adminConnection', admin as { host?: string });
  return async () => {
    await cluster?.stop();
  };
}
