import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { beforeEach, expect, inject, test } from 'vitest';
import { becomeCitus } from './citus-stand-in.ts';
import { createEmptyDatabase, databaseUrl, type EmptyDatabase } from './database-url.ts';
import { inDatabase } from './template-database.ts';

// Tests the proof itself on a stand-in for Citus. The proof must complete, and must fail when it should.
let empty: EmptyDatabase;
let admin: pg.Client;

beforeEach(async () => {
  empty = await createEmptyDatabase();
  const client = new pg.Client(empty.connection);
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  await client.end();
  admin = new pg.Client(inDatabase(inject('adminConnection'), rows[0].name, 'admin'));
  await admin.connect();
  await becomeCitus(admin);
  return async () => {
    await admin.end();
    await empty.drop();
  };
});

test('`npm run citus` tests everything and passes', { timeout: 120_000 }, async () => {
  const { code, output } = await runProof();
  expect(output).not.toContain('FAILED');
  expect(output.match(/^ok /gm)?.length).toBeGreaterThan(15);
  expect(code).toBe(0);
});

test('`npm run citus` fails when a node holds a prepared transaction', { timeout: 120_000 }, async () => {
  await admin.query(
    "create or replace function run_command_on_all_nodes(command text) returns table (result text) language sql as $$ select '1' $$",
  );
  const { code, output } = await runProof();
  expect(output).toMatch(/^FAILED +no prepared transaction is left on a node/m);
  expect(code).toBe(1);
});

async function runProof(): Promise<{ code: number | null; output: string }> {
  const proof = spawn(
    process.execPath,
    ['scripts/citus.ts', databaseUrl(empty.ownerConnection), databaseUrl(empty.connection)],
    { env: { ...process.env, CITUS_SECONDS: '1' }, timeout: 60_000 },
  );
  const [stdout, stderr, [code]] = await Promise.all([
    text(proof.stdout),
    text(proof.stderr),
    once(proof, 'close'),
  ]);
  return { code, output: `${stdout}${stderr}` };
}
