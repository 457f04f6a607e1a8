import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { kindOfKey } from '../../src/api-keys/key-format.ts';
import { runAttribution, until } from '../attribution-process.ts';
import { makeDataFolder } from '../data-folder.ts';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';

const service = useRunningService();
const url = (): string => service().server.url;
const run = (words: string[], input?: string) =>
  runInProcess(words, { environment: service().environment, ...(input !== undefined && { input }) });

beforeAll(async () => {
  const demo = new URL('../../../../examples/demo-program.yaml', import.meta.url);
  expect(await run(['provision', '-'], readFileSync(demo, 'utf8'))).toMatchObject({ code: 0 });
});

const keys = (...words: string[]) => run(['keys', ...words]);
const create = async (...words: string[]) => {
  const { code, stdout, stderr } = await keys('create', '--publisher', 'aurora', '--json', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as { keyId: string; key: string };
};
const list = async () => JSON.parse((await keys('list', '--publisher', 'aurora', '--json')).stdout);
const ping = async (key: string) =>
  (await fetch(`${url()}/v1/attributions/ping`, { headers: { 'x-shared-secret': key } })).status;
const listTransactions = (key: string) =>
  fetch(`${url()}/v1/attributions/transactions`, { headers: { 'x-shared-secret': key } });

describe('next to a running server', () => {
  test('a key is created, accepted at once, listed without its value, and rejected within 5 s after it is revoked', async () => {
    const made = await create('--kind', 'secret', '--name', 'ops');
    expect(made).toEqual({
      keyId: expect.stringMatching(/^key_/),
      name: 'ops',
      kind: 'secret',
      key: expect.any(String),
    });
    expect(kindOfKey(made.key)).toBe('secret');
    expect(await ping(made.key)).toBe(200);

    const { stdout } = await keys('list', '--publisher', 'aurora');
    expect(stdout).toMatch(new RegExp(`${made.keyId}\\s+secret\\s+ops\\s+-\\s+active`));
    expect(stdout).not.toContain(made.key);
    expect(await list()).toContainEqual({
      keyId: made.keyId,
      name: 'ops',
      kind: 'secret',
      state: 'active',
      createdAt: expect.any(String),
    });

    const revoked = await keys('revoke', '--publisher', 'aurora', made.keyId);
    const revokedAt = performance.now();
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining(`Revoked ${made.keyId}`) });
    await until('the key to be refused', async () => (await ping(made.key)) === 401);
    expect(performance.now() - revokedAt).toBeLessThan(5_000);
    expect(await list()).toContainEqual(
      expect.objectContaining({ keyId: made.keyId, state: 'revoked', revokedAt: expect.any(String) }),
    );
    const again = await keys('revoke', '--publisher', 'aurora', '--json', made.keyId);
    expect(JSON.parse(again.stdout)).toEqual({ keyId: made.keyId, revoked: true });
  });

  test('a rotated key has the same kind and group, and both work for the given hours', async () => {
    const old = await create('--kind', 'secret', '--name', 'turning', '--group', 'moba');
    const rotated = await keys(
      'rotate',
      '--publisher',
      'aurora',
      '--overlap-hours',
      '2',
      '--json',
      old.keyId,
    );
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    const { keyId, key, oldExpiresAt, ...said } = JSON.parse(rotated.stdout);
    expect(said).toEqual({ name: 'turning 2', oldKeyId: old.keyId });
    expect(Math.abs(Date.parse(oldExpiresAt) - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000);
    expect([await ping(old.key), await ping(key)]).toEqual([200, 200]);
    const listed = await list();
    expect(listed).toContainEqual(
      expect.objectContaining({ keyId, kind: 'secret', group: 'moba', state: 'active' }),
    );
    expect(listed).toContainEqual(expect.objectContaining({ keyId: old.keyId, expiresAt: oldExpiresAt }));

    await keys('revoke', '--publisher', 'aurora', old.keyId);
    const again = await keys('rotate', '--publisher', 'aurora', old.keyId);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('The key turning was revoked or has expired. Create a new key instead.');
    const words = await keys('rotate', '--publisher', 'aurora', keyId);
    expect(words.stdout).toMatch(
      /^svc_sk_\w+\n\nThis is the key turning 3 \(key_\w+\) of aurora\. Save it now/,
    );
  });

  test('a public key is public, and a group’s key works for that group', async () => {
    const open = await create('--kind', 'public', '--name', 'game');
    expect(kindOfKey(open.key)).toBe('public');
    expect((await listTransactions(open.key)).status).toBe(403);
    const scoped = await create('--kind', 'secret', '--name', 'scoped', '--group', 'moba');
    expect(scoped).toMatchObject({ group: 'moba' });
    expect((await listTransactions(scoped.key)).status).toBe(200);
    expect(await list()).toContainEqual(expect.objectContaining({ name: 'scoped', group: 'moba' }));
  });

  test('an expiring key works until its expiry, and is rejected afterwards', async () => {
    const later = await create('--kind', 'secret', '--name', 'later', '--expires', '2099-01-31');
    expect(await ping(later.key)).toBe(200);
    expect(await list()).toContainEqual(
      expect.objectContaining({ name: 'later', expiresAt: '2099-01-31T00:00:00.000Z' }),
    );
    const soon = new Date(Date.now() + 1_000);
    const brief = await create('--kind', 'secret', '--name', 'brief', '--expires', soon.toISOString());
    expect(await ping(brief.key)).toBe(Date.now() < soon.getTime() ? 200 : 401);
    await until('the key to expire', async () => (await ping(brief.key)) === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
    expect(await list()).toContainEqual(expect.objectContaining({ name: 'brief', state: 'expired' }));
  });

  test('a name can be used once; revoking the key makes it available again', async () => {
    const words = ['--kind', 'secret', '--name', 'once'];
    const first = await create(...words);
    const second = await keys('create', '--publisher', 'aurora', ...words);
    expect(second).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('already has a key named once'),
    });
    await keys('revoke', '--publisher', 'aurora', first.keyId);
    expect((await create(...words)).keyId).not.toBe(first.keyId);
  });

  test.each([
    [['create', '--publisher', 'nobody', '--kind', 'secret', '--name', 'n'], 'There is no publisher nobody.'],
    [
      ['create', '--publisher', 'aurora', '--kind', 'secret', '--name', 'n', '--group', 'chess'],
      'Publisher aurora has no group chess.',
    ],
    [
      ['create', '--publisher', 'aurora', '--kind', 'secret', '--name', 'n', '--expires', 'soon'],
      '--expires must be a day',
    ],
    [
      ['create', '--publisher', 'aurora', '--kind', 'secret', '--name', 'n', '--expires', '2027-02-30'],
      '--expires must be a day',
    ],
    [
      ['create', '--publisher', 'aurora', '--kind', 'secret', '--name', 'n', '--expires', '2020-01-01'],
      'The expiry time is in the past. Choose a later time.',
    ],
    [
      ['create', '--publisher', 'aurora', '--kind', 'secret', '--name', ''],
      'The key name must be 1 to 255 characters long.',
    ],
    [['rotate', '--publisher', 'aurora', 'key_unknown'], 'Publisher aurora has no key key_unknown.'],
    [['rotate', '--publisher', 'nobody', 'key_unknown'], 'Publisher nobody has no key key_unknown.'],
    [['list', '--publisher', 'nobody'], 'There is no publisher nobody.'],
    [['revoke', '--publisher', 'aurora', 'key_unknown'], 'Publisher aurora has no key key_unknown.'],
  ])('%j is rejected with one sentence', async (words, message) => {
    const { code, stdout, stderr } = await keys(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('another publisher cannot revoke a key', async () => {
    const program = 'publisher: { id: rival, name: Rival }';
    const provisioned = await run(['provision', '-'], program);
    expect(provisioned.code).toBe(0);
    const { keyId, key } = await create('--kind', 'secret', '--name', 'ours');
    expect((await keys('revoke', '--publisher', 'rival', keyId)).code).toBe(1);
    expect((await keys('rotate', '--publisher', 'rival', keyId)).code).toBe(1);
    expect(await list()).toContainEqual(expect.objectContaining({ keyId, state: 'active' }));
    expect(await ping(key)).toBe(200);
  });
});

describe('without a running server', () => {
  test('many commands at once share the database, and leave none running', async () => {
    const other = makeDataFolder();
    try {
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () =>
          runAttribution(['migrate'], { environment: { DATA_DIR: other.path } }),
        ),
      );
      for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 0, stderr: '' });
      const applied = outcomes.flatMap(({ stdout }) => stdout.match(/\d{4}_\w+\.sql/g) ?? []);
      expect(applied.length, 'applied once, whoever did it').toBeGreaterThan(0);
      expect(new Set(applied).size).toBe(applied.length);
      expect(other.postgresProcesses()).toEqual([]);
    } finally {
      await other.remove();
    }
  });
});
