import { readFileSync } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';
import { buildApp } from '../../server/src/app.ts';
import { playDemoMonths } from '../../server/src/cli/service/demo.ts';
import { applyProgram } from '../../server/test/apply-program.ts';
import { composeTestService } from '../../server/test/compose-test-service.ts';
import { demoTemplate } from '../../server/test/template-database.ts';
import { asAdmin, createTestDatabase, type TestDatabase } from '../../server/test/test-database.ts';

const demoProgram = new URL('../../../examples/demo-program.yaml', import.meta.url);

/** Creates a database with the demo's months of data. The first caller in a run plays them, and the others get a copy. */
export async function createDemoDatabase(): Promise<TestDatabase> {
  await makeTemplate();
  return createTestDatabase({ template: demoTemplate });
}

async function makeTemplate(): Promise<void> {
  const client = new pg.Client(inject('adminConnection'));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [demoTemplate]); // other workers wait for the first
    const found = await client.query('select from pg_database where datname = $1', [demoTemplate]);
    if (found.rowCount === 0) await asAdmin(`alter database ${await playDemo()} rename to ${demoTemplate}`);
  } finally {
    await client.end();
  }
}

/** @returns the name of the database, which nothing is connected to */
async function playDemo(): Promise<string> {
  const { connection, database } = await createTestDatabase();
  const composed = composeTestService(database);
  const app = await buildApp(composed);
  const { keys } = await applyProgram(database.db, readFileSync(demoProgram, 'utf8'), 'demo-program.yaml');
  await playDemoMonths(app, composed, keys[0]?.key ?? '');
  await app.close();
  await database.close();
  return new pg.Client(connection).database ?? ''; // never connected; it only reads the settings or the URL
}
