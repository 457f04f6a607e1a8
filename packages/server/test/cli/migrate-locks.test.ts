import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/platform/database/schema/migrate.ts';
import { killLeftovers, spawnAttribution, until } from '../attribution-process.ts';
import { createEmptyDatabase, urlsOf } from '../database-url.ts';
import { migrateUpTo } from '../older-schema.ts';
import { connect } from '../test-database.ts';

afterEach(killLeftovers);

/**
 * Creates a database with the last schema before settlement was added, and opens a transaction that reads a
 * table that the next migration changes.
 */
async function heldDatabase() {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  await migrateUpTo(database.ownerConnection, '0003');
  const holder = await connect({ ...database.ownerConnection, application_name: 'long report' });
  await holder.query('begin; select count(*) from payment');
  return { database, connection: database.ownerConnection, holder };
}

/** Reads the same table continuously. @returns the duration of the slowest read */
async function readAllTheTime(connection: pg.ClientConfig, isDone: () => boolean): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  let longestMs = 0;
  while (!isDone()) {
    const startedAt = performance.now();
    await client.query('select count(*) from payment');
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    await sleep(10);
  }
  await client.end();
  return longestMs;
}

test('a migration that waits for a lock lets traffic through, names the holder, and continues by itself', async () => {
  const { database, connection, holder } = await heldDatabase();
  const migrating = spawnAttribution(['migrate'], { environment: urlsOf(database) });
  let isDone = false;
  const reading = readAllTheTime(connection, () => isDone);
  await until('a second try', () => migrating.stderr().split('before the next attempt').length > 2);
  await holder.query('rollback');
  const outcome = await migrating.ended;
  isDone = true;
  expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('0004_settlement.sql') });
  expect(outcome.stderr).toMatch(
    /^0004_settlement\.sql needs a lock on payment held by process \d+ \(long report, role \w+, in a transaction for \d+ s\); letting other sessions through before the next attempt$/m,
  );
  // Two seconds of waiting, plus the delay on a busy machine.
  expect(await reading).toBeLessThan(4_000);
});

test('a migration that can’t obtain a lock stops with a message and applies nothing', async () => {
  const { connection, holder } = await heldDatabase();
  await expect(migrate(connection, { patienceMs: 1_000 })).rejects.toThrow(
    /^0004_settlement\.sql needs a lock on payment held by process \d+ \(long report, .*\), but did not get it within 1 s\. It was not applied/,
  );
  const { rows } = await holder.query('select max(name) as last from schema_migration');
  expect(rows[0].last).toBe('0003_scheduled_shares.sql');
  await holder.query('rollback');
  expect((await migrate(connection))[0]).toBe('0004_settlement.sql');
});
