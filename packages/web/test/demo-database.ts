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
  await deliverAll(connection);
  await app.close();
  await database.close();
  return new pg.Client(connection).database ?? ''; // never connected; it only reads the settings or the URL
}

/** Ends the pending deliveries as if the receiver had accepted them. Without workers, they would be overdue after a minute. */
async function deliverAll(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`
    with ended as (
      delete from webhook_delivery returning *
    ),
    stored as (
      insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
      select publisher_id, endpoint_id, event_id, 'Delivered', 1, 1, created_at, created_at + interval '1 second' from ended
    )
    insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, answer)
    select publisher_id, endpoint_id, event_id, 1, created_at, 84, 200, 'ok'::bytea from ended`);
  await client.end();
}
