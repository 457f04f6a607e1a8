import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { testActor } from '../../test/test-actor.ts';
import { connect } from '../../test/test-database.ts';
import { startService, type TestService } from '../../test/test-service.ts';
import { useTransactions } from '../../test/transactions.ts';
import { createKey } from './create-key.ts';
import { newKey } from './key-format.ts';
import { revokeKey } from './revoke-key.ts';

const { service, keys } = useTransactions();
const ping = async (key: string, at: TestService = service()): Promise<number> =>
  (await at.call('GET', '/v1/attributions/ping', { key })).status;
const freshKey = (name: string) =>
  createKey(
    service().testDatabase.database.db,
    testActor,
    {
      publisherId: 'aurora',
      name,
      kind: 'secret',
      group: null,
      expiresAt: null,
    },
    new Date(),
  );

describe('while the table of keys is locked', () => {
  /**
   * Runs work while every query for a key has to wait for a lock. Any response was therefore produced without
   * such a query.
   */
  async function withoutKeyTable(work: () => Promise<void>): Promise<void> {
    const client = await connect(service().testDatabase.connection);
    await client.query('begin');
    await client.query('lock table api_key in access exclusive mode');
    try {
      await work();
    } finally {
      await client.query('rollback');
    }
  }

  test('verifies a cached key without a round trip to the database', async () => {
    expect(await ping(keys().backend)).toBe(200);
    await withoutKeyTable(async () => {
      for (let count = 0; count < 20; count += 1) expect(await ping(keys().backend)).toBe(200);
    });
  });

  test('rejects a key with a wrong checksum without a round trip to the database', async () => {
    const good = newKey('secret');
    await withoutKeyTable(async () => {
      for (const key of [
        '',
        'x',
        good.slice(0, -1),
        `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
      ]) {
        expect(await ping(key)).toBe(401);
      }
    });
  });

  test('verifies an uncached key after waiting for the database', async () => {
    const { key } = await freshKey('cold');
    let answered: Promise<number> | undefined;
    await withoutKeyTable(async () => {
      answered = ping(key);
      expect(await Promise.race([answered, sleep(300, 'waiting')])).toBe('waiting');
    });
    expect(await answered).toBe(200);
  });
});

test('rejects a revoked key within five seconds in every process, even if it is in constant use', async () => {
  const other = await startService({ beside: service() });
  try {
    const { key, keyId } = await freshKey('revoked');
    for (const at of [service(), other]) expect(await ping(key, at)).toBe(200);
    await revokeKey(
      service().testDatabase.database.db,
      testActor,
      { publisherId: 'aurora', keyId },
      new Date(),
    );
    const revokedAtMs = performance.now();
    const alive = new Set([service(), other]);
    while (alive.size > 0 && performance.now() - revokedAtMs < 5_000) {
      for (const at of alive) if ((await ping(key, at)) === 401) alive.delete(at);
      await sleep(50);
    }
    expect(alive.size).toBe(0);
    for (const at of [service(), other]) {
      expect(await ping(key, at)).toBe(401);
      expect(await ping(keys().backend, at)).toBe(200);
    }
  } finally {
    await other.close();
  }
});

test('accepts a new key immediately, even if it was used before it existed', async () => {
  const value = newKey('secret');
  expect(await ping(value)).toBe(401);
  await createKey(
    service().testDatabase.database.db,
    testActor,
    {
      publisherId: 'aurora',
      name: 'own',
      kind: 'secret',
      group: null,
      expiresAt: null,
      value,
    },
    new Date(),
  );
  expect(await ping(value)).toBe(200);
});
