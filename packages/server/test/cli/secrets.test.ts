import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { EndpointId } from '../../src/platform/database/tables.generated.ts';
import { createSealer } from '../../src/platform/secrets/sealer.ts';
import { serviceSecret } from '../../src/platform/secrets/service-secret.ts';
import { rotateSecret } from '../../src/webhooks/endpoints/rotate-secret.ts';
import { applyProgram } from '../apply-program.ts';
import { killLeftovers, runAttribution, startServer } from '../attribution-process.ts';
import { urlsOf } from '../database-url.ts';
import { addEndpoint } from '../endpoints.ts';
import { auroraProgram } from '../fixtures.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';
import { runInProcess } from '../run-in-process.ts';
import { secretsKey, testSealer } from '../sealer.ts';
import { makeStartedFolder } from '../started-folder.ts';
import { testActor } from '../test-actor.ts';
import { connect, createTestDatabase, type TestDatabase } from '../test-database.ts';
import { isSigned } from '../webhooks.ts';

const newKey = Buffer.alloc(32, 'newer').toString('base64');
const kinds = ['GroupManagement/NewMember'] as const;
const at = new Date('2026-05-01T00:00:00Z');

let database: TestDatabase;
let receiver: Receiver;
const db = () => database.database.db;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver(answer(200));
  await applyProgram(db(), auroraProgram, 'test.yaml');
});
beforeEach(async () => {
  receiver.received.length = 0;
  for (const table of [
    'webhook_delivery',
    'webhook_delivery_end',
    'webhook_event',
    'webhook_endpoint',
    'service_secret',
  ])
    await sql`delete from ${sql.table(table)}`.execute(db());
});
afterEach(killLeftovers);
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

const run = (words: string[], SECRETS_KEY: string, input = '') =>
  runInProcess(words, {
    environment: { ...urlsOf(database), SECRETS_KEY, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true', PORT: '0' },
    input,
  });
const ofAurora = (SECRETS_KEY: string, ...words: string[]) =>
  run([...words, '--publisher', 'aurora'], SECRETS_KEY);
const secretsFinding = async (key: string) => {
  const { stdout } = await run(['doctor', '--json'], key);
  return JSON.parse(stdout).findings.find(({ check }: { check: string }) => check === 'secrets');
};
const endpoint = () => addEndpoint(db(), 'aurora', receiver.url, kinds);
const startRotation = (endpointId: EndpointId) =>
  rotateSecret({ db: db(), sealer: testSealer }, testActor, { publisherId: 'aurora', endpointId }, at);
const isTestSigned = async (key: string, endpointId: string, secret: string): Promise<boolean> => {
  const { code } = await ofAurora(key, 'webhooks', 'test', endpointId);
  const request = receiver.received.at(-1);
  return code === 0 && request !== undefined && isSigned(request, secret);
};
/** Reads every table in the form that it would have in a dump. */
async function dumped(): Promise<string> {
  const client = await connect(database.adminConnection);
  const { rows } = await client.query<{ text: string }>(
    `select query_to_xml('select * from ' || quote_ident(relname), true, false, '')::text as text
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ text }) => text).join('\n');
}
/** Stores secrets as version 0.1.0 did. */
const storePlain = async (endpointId: string, secret: string, next: string | null) =>
  sql`update webhook_endpoint
      set secret = ${secret}, next_secret = ${next},
          rotation_started_at = ${next === null ? null : new Date('2020-01-01T00:00:00Z')}::timestamptz
      where endpoint_id = ${endpointId}`.execute(db());

test('the database contains no usable secret', async () => {
  const { endpointId, secret } = await endpoint();
  const next = await startRotation(endpointId);
  const hashing = await serviceSecret(db(), 'auth-code', testSealer);
  expect(await serviceSecret(db(), 'auth-code', testSealer)).toEqual(hashing);
  const text = await dumped();
  expect(text).toContain('sealed:v1:');
  for (const each of [
    secret,
    next,
    secret.slice(6),
    hashing.toString('base64'),
    hashing.toString('hex'),
    secretsKey,
  ])
    expect(text.includes(each)).toBe(false);
});

test('commands that need a key fail without one and say how to create it; others work', async () => {
  const { endpointId } = await endpoint();
  for (const words of [
    ['serve'],
    ['migrate'],
    ['webhooks', 'add', '--url', receiver.url, '--publisher', 'aurora'],
    ['webhooks', 'test', endpointId, '--publisher', 'aurora'],
    ['webhooks', 'rotate-secret', endpointId, '--publisher', 'aurora'],
    ['auth-codes', 'issue', '--member', 'acc_alice', '--publisher', 'aurora'],
    ['secrets', 'rotate'],
  ]) {
    const outcome = await run(words, '');
    expect(outcome, words.join(' ')).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(
      /^SECRETS_KEY is required with DATABASE_URL: .*openssl rand -base64 32.*\n$/,
    );
  }
  expect(await ofAurora('', 'keys', 'list')).toMatchObject({ code: 0, stderr: '' });
  expect(await secretsFinding('')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('openssl rand -base64 32'),
  });
});

test.each(['short', Buffer.alloc(31).toString('base64'), `${secretsKey},x`])(
  'an invalid key is rejected without repeating it: %s',
  async (key) => {
    const { code, stderr } = await run(['doctor'], key);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'SECRETS_KEY must be 32 bytes in base64, as printed by `openssl rand -base64 32`; separate several keys with commas\n',
    );
  },
);

test('a plain secret of 0.1.0 works, is reported, and is sealed by `attribution migrate`', async () => {
  const { endpointId, secret } = await endpoint();
  await storePlain(endpointId, secret, null);
  const hashing = Buffer.alloc(32, 'plain');
  await sql`insert into service_secret (name, value) values ('auth-code', ${hashing})`.execute(db());
  expect(await isTestSigned(secretsKey, endpointId, secret)).toBe(true);
  expect(await serviceSecret(db(), 'auth-code', testSealer)).toEqual(hashing);
  expect(await secretsFinding(secretsKey)).toMatchObject({
    state: 'problem',
    message: '2 secret(s) are not sealed. Run `npx attribution secrets rotate`.',
  });

  expect(await run(['migrate'], secretsKey)).toMatchObject({ code: 0, stderr: '' });
  expect(await dumped()).not.toContain(secret);
  expect(await serviceSecret(db(), 'auth-code', testSealer)).toEqual(hashing);
  expect(await isTestSigned(secretsKey, endpointId, secret)).toBe(true);
  expect(await secretsFinding(secretsKey)).toMatchObject({ state: 'ok' });
});

test('a key is changed without downtime: the new key is put first, all secrets are resealed, and the old key is removed', async () => {
  const many = await Promise.all(Array.from({ length: 5 }, endpoint));
  const [first] = many;
  if (first === undefined) throw new Error('there is no endpoint');
  const next = await startRotation(first.endpointId);
  const hashing = await serviceSecret(db(), 'auth-code', testSealer);
  const both = `${newKey},${secretsKey}`;
  expect(await isTestSigned(both, first.endpointId, next)).toBe(true);
  expect(await secretsFinding(both)).toMatchObject({ state: 'warning' });

  expect(await run(['secrets', 'rotate'], both)).toMatchObject({
    code: 0,
    stdout:
      'Resealed 6 secret(s). All secrets are sealed with the first key. The other keys are no longer needed.\n',
  });
  expect(await run(['secrets', 'rotate', '--json'], both)).toMatchObject({
    code: 0,
    stdout: '{"sealed":0,"lost":0}\n',
  });
  expect(await secretsFinding(newKey)).toMatchObject({ state: 'ok' });
  for (const { endpointId, secret } of many.slice(1))
    expect(await isTestSigned(newKey, endpointId, secret)).toBe(true);
  const newSealer = createSealer([Buffer.from(newKey, 'base64')]);
  expect(await serviceSecret(db(), 'auth-code', newSealer)).toEqual(hashing);

  const without = await ofAurora(secretsKey, 'webhooks', 'test', first.endpointId);
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toMatch(
    /^A secret is sealed with key [0-9a-f]{8}, which this process does not have/,
  );
  expect(await secretsFinding(secretsKey)).toMatchObject({ state: 'problem' });
  expect(await run(['secrets', 'rotate'], secretsKey)).toMatchObject({ code: 1 });
  expect((await run(['serve'], secretsKey)).stderr).toMatch(
    /^SECRETS_KEY \(.*\) is not the key .*its fingerprint is [0-9a-f]{8}, and they were sealed with [0-9a-f]{8}\./,
  );
});

test('a secret that is moved to another endpoint or altered cannot be unsealed', async () => {
  const [mine, other] = [await endpoint(), await endpoint()];
  await sql`
    update webhook_endpoint set secret = (select secret from webhook_endpoint where endpoint_id = ${other.endpointId})
    where endpoint_id = ${mine.endpointId}`.execute(db());
  const moved = await ofAurora(secretsKey, 'webhooks', 'test', mine.endpointId);
  expect(moved).toMatchObject({ code: 1, stdout: '' });
  expect(moved.stderr).toMatch(/was altered, or was sealed for a different place\.$/m);
  await sql`
    update webhook_endpoint set secret = overlay(secret placing (case substr(secret, 40, 1) when 'A' then 'B' else 'A' end) from 40)
    where endpoint_id = ${other.endpointId}`.execute(db());
  expect(await ofAurora(secretsKey, 'webhooks', 'test', other.endpointId)).toMatchObject({ code: 1 });
});

test('an embedded database has its key in a file, and reports it if that is missing', async () => {
  const folder = await makeStartedFolder();
  onTestFinished(() => folder.remove());
  const environment = { DATA_DIR: folder.path, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' };
  const file = join(folder.path, 'secrets.key');
  const server = await startServer(environment);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kept = readFileSync(file, 'utf8');
  expect(Buffer.from(kept, 'base64')).toHaveLength(32);
  const added = await runAttribution(
    ['webhooks', 'add', '--publisher', 'aurora', '--url', receiver.url, '--json'],
    { environment },
  );
  const { endpointId, secret } = JSON.parse(added.stdout);
  const tested = await runAttribution(['webhooks', 'test', endpointId, '--publisher', 'aurora'], {
    environment,
  });
  expect(tested.code).toBe(0);
  expect(isSigned(receiver.received.at(-1) ?? { headers: {}, body: '' }, secret)).toBe(true);
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(kept);

  renameSync(file, `${file}.away`);
  const refused = await runAttribution(['serve'], { environment: { ...environment, PORT: '0' } });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^SECRETS_KEY \(secrets\.key of an embedded database\) is not the key.* sealed with [0-9a-f]{8}\. Restore/,
  );
  expect(existsSync(`${file}.away`)).toBe(true);
});
