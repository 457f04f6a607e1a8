import { describe, expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import { rawRequest } from '../../test/raw-request.ts';
import { testActor } from '../../test/test-actor.ts';
import { transactionsPath, useTransactions } from '../../test/transactions.ts';
import { toKeyId } from '../platform/ids.ts';
import { createKey } from './create-key.ts';
import { newKey } from './key-format.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';

const day = 24 * 60 * 60 * 1_000;
let nowMs = Date.UTC(2026, 4, 1);
const { service, keys, countRows } = useTransactions({
  clock: { now: () => new Date(nowMs) },
  // The limit is high, because the clock doesn't advance in these tests.
  environment: { FAILED_KEYS_PER_SECOND: '1000000' },
});

const operations = [
  ['GET', transactionsPath],
  ['POST', transactionsPath],
  ['GET', `${transactionsPath}/x`],
  ['PATCH', `${transactionsPath}/x`],
] as const;
const ping = (key: string | null) => service().call('GET', '/v1/attributions/ping', { key });
const db = () => service().testDatabase.database.db;

describe('401 Unauthorized', () => {
  const good = newKey('secret');
  test.each([
    ['no key', null],
    ['an empty key', ''],
    ['text', 'password'],
    ['only a prefix', 'svc_sk_'],
    ['a wrong checksum', good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')],
    ['an unknown key', good],
    ['another prefix', good.replace('svc_sk_', 'svc_xk_')],
    ['half a key', good.slice(0, 20)],
    ['a very long one', 'svc_sk_'.padEnd(8_000, 'x')],
  ])('for %s, on every operation and before validation', async (_what, key) => {
    const before = await countRows();
    for (const [method, path] of operations) {
      for (const raw of ['', '{broken', JSON.stringify(purchase())]) {
        const { status, body, text } = await service().call(method, `${path}?groupId=nowhere&page=x`, {
          key,
          headers: { 'content-type': 'application/json' },
          ...(method !== 'GET' && { raw }),
        });
        expect([method, status, body.code]).toEqual([method, 401, 'Unauthorized']);
        if (key !== null && key !== '') expect(text).not.toContain(key);
      }
    }
    expect((await ping(key)).status).toBe(401);
    expect(await countRows()).toBe(before);
  });

  test('for a valid key sent twice, in another header, or in the URL', async () => {
    const { backend } = keys();
    const twice = await rawRequest(service().url, [
      `GET ${transactionsPath} HTTP/1.1`,
      'host: x',
      `x-shared-secret: ${backend}`,
      `x-shared-secret: ${backend}`,
      'connection: close',
    ]);
    expect(twice.status).toBe(401);
    for (const headers of [{ authorization: `Bearer ${backend}` }, { 'x-api-key': backend }]) {
      expect((await service().call('GET', transactionsPath, { headers })).status).toBe(401);
    }
    expect((await service().call('GET', `${transactionsPath}?X-SHARED-SECRET=${backend}`)).status).toBe(401);
  });

  test('for an expired key, from its expiration on, even if it is cached', async () => {
    const { key } = await createKey(
      db(),
      testActor,
      {
        publisherId: 'aurora',
        name: 'short',
        kind: 'secret',
        group: null,
        expiresAt: new Date(nowMs + day),
      },
      new Date(nowMs),
    );
    expect((await ping(key)).status).toBe(200);
    nowMs += day - 1;
    expect((await ping(key)).status).toBe(200);
    nowMs += 1;
    expect((await ping(key)).status).toBe(401);
  });

  test('for a key revoked before its first use', async () => {
    const { key, keyId } = await createKey(
      db(),
      testActor,
      {
        publisherId: 'aurora',
        name: 'gone',
        kind: 'secret',
        group: null,
        expiresAt: null,
      },
      new Date(nowMs),
    );
    await revokeKey(db(), testActor, { publisherId: 'aurora', keyId: keyId }, new Date(nowMs));
    expect((await ping(key)).status).toBe(401);
  });
});

describe('access by kind of key', () => {
  test('answers 403 Forbidden to a public key on a secret operation, before validation', async () => {
    const before = await countRows();
    for (const [method, path] of operations) {
      const { status, body } = await service().call(method, `${path}?groupId=nowhere&page=x`, {
        key: keys().client,
        ...(method !== 'GET' && { raw: '{broken', headers: { 'content-type': 'application/json' } }),
      });
      expect([method, status, body.code]).toEqual([method, 403, 'Forbidden']);
    }
    expect(await countRows()).toBe(before);
  });

  test('accepts public, secret and one-group keys on public operations', async () => {
    for (const key of [keys().client, keys().backend, keys().moba])
      expect((await ping(key)).status).toBe(200);
  });

  test('ignores the case of the header name', async () => {
    const answer = await service().call('GET', transactionsPath, {
      headers: { 'X-ShArEd-SeCrEt': keys().backend },
    });
    expect(answer.status).toBe(200);
  });
});

test('answers 404 to an unknown operation without a key', async () => {
  const { status, body } = await service().call('GET', '/v1/attributions/nothing');
  expect([status, body.code]).toEqual([404, 'NotFound']);
});

test('stores only the hash of a key', async () => {
  const { rows } = await service().testDatabase.database.recording.query(
    'select api_key::text as row from api_key',
  );
  const stored = rows.map(({ row }) => row).join('\n');
  for (const key of Object.values(keys())) {
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(key.slice(7, 39));
  }
});

test('keeps the time of the first revocation', async () => {
  const { keyId } = await createKey(
    db(),
    testActor,
    {
      publisherId: 'aurora',
      name: 'twice',
      kind: 'public',
      group: null,
      expiresAt: null,
    },
    new Date(nowMs),
  );
  await revokeKey(db(), testActor, { publisherId: 'aurora', keyId: keyId }, new Date(nowMs));
  await revokeKey(db(), testActor, { publisherId: 'aurora', keyId: keyId }, new Date(nowMs + day));
  const listed = (await listKeys(db(), 'aurora')).find((key) => key.keyId === keyId);
  expect(listed?.revokedAt).toEqual(new Date(nowMs));
});

test("does not revoke another publisher's key", async () => {
  const [theirs] = await listKeys(db(), 'rival');
  await expect(
    revokeKey(
      db(),
      testActor,
      { publisherId: 'aurora', keyId: theirs?.keyId ?? toKeyId('') },
      new Date(nowMs),
    ),
  ).rejects.toThrow('has no key');
  expect((await ping(keys().rival)).status).toBe(200);
});
