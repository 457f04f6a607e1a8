import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '../src/platform/database/schema/prepare-database.ts';
import { demoTemplate, inDatabase, makeRoles, owned, templateDatabase } from './template-database.ts';
import { temporaryCluster } from './temporary-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection to the tests' PostgreSQL as a role that may create databases. */
    adminConnection: { host?: string; user?: string; database?: string; connectionString?: string };
  }
}

/**
 * Starts an embedded PostgreSQL for the whole run, or uses the server that TEST_DATABASE_URL names (with a role that may
 * create databases). Each test file clones the migrated template.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  // Tests read the text of waiting statements, which PostgreSQL truncates at a thousand bytes by default.
  const cluster = url === undefined ? await temporaryCluster(['track_activity_query_size=16384']) : null;
  const admin: pg.ClientConfig =
    cluster === null
      ? { ...(url !== undefined && { connectionString: url }) }
      : { ...cluster.connection, user: 'postgres', database: 'postgres' };
  const client = new pg.Client(admin);
  await client.connect();
  for (const name of [templateDatabase, demoTemplate]) await client.query(`drop database if exists ${name}`); // of an earlier run on this server
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
