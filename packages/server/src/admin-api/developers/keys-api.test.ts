import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { useManagement } from '../../../test/management.ts';
import { signIn } from '../../../test/staff.ts';
import { movedClock } from '../../../test/webhooks.ts';
import { createKeyUses } from '../../api-keys/key-uses.ts';
import { toKeyId } from '../../platform/ids.ts';

const clock = movedClock();
const { service } = useManagement({ clock });
const db = () => service().testDatabase.database.db;

const pingStatus = async (key: string): Promise<number> =>
  (await service().call('GET', '/v1/attributions/ping', { key })).status;

/** Polls until the key is rejected. Returns false if the key still works after the time limit. */
async function isRejectedWithin(key: string, ms: number): Promise<boolean> {
  const deadlineMs = performance.now() + ms;
  while (performance.now() < deadlineMs) {
    if ((await pingStatus(key)) === 401) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

test('only owners and developers read keys and rejected requests, and only of their own publisher', async () => {
  const roles = await asEveryRole(service());
  for (const [role, ask] of Object.entries(roles))
    for (const path of ['/keys', '/requests'])
      expect([role, path, (await ask('GET', path)).status]).toEqual([
        role,
        path,
        role === 'owner' || role === 'developer' ? 200 : 403,
      ]);
  const rival = await asRole(service(), 'owner', 'rival');
  expect(await rival('GET', '/admin/v1/publishers/aurora/keys')).toMatchObject({ status: 404 });
});

test('a person with an old sign-in cannot create, rotate or revoke keys', async () => {
  const { ask } = await signIn(service(), 'owner', { confirmedMsAgo: 6 * 60_000 });
  const entries = await entriesOf(db(), async () => {
    for (const [path, body] of [
      ['/keys', { name: 'new', kind: 'secret' }],
      ['/keys/key_x/rotate', { overlapHours: 1 }],
      ['/keys/key_x/revoke', undefined],
    ] as const)
      expect(await ask('POST', path, body)).toMatchObject({ status: 403, body: { code: 'SignInAgain' } });
  });
  expect(entries).toEqual([]);
});

test('a key is shown once, works immediately, and is rejected within five seconds of being revoked', async () => {
  const { ask } = await signIn(service(), 'developer', { name: 'Dev Eloper' });
  const made = await ask('POST', '/keys', { name: 'game server', kind: 'secret', groupId: 'moba' });
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { key, keyId } = made.body;
  expect(await pingStatus(key)).toBe(200);
  const listed = await ask('GET', '/keys');
  expect(listed.text).not.toContain(key);
  expect(listed.body.rows[0]).toMatchObject({
    keyId,
    name: 'game server',
    groupId: 'moba',
    hint: key.slice(-4),
    createdBy: 'Dev Eloper',
    state: 'active',
    lastUsedAt: null,
  });
  expect(await ask('POST', '/keys', { name: 'game server', kind: 'public' })).toMatchObject({ status: 409 });
  const entries = await entriesOf(db(), () => ask('POST', `/keys/${keyId}/revoke`));
  expect(entries).toMatchObject([{ action: 'key.revoke', actor_kind: 'staff', actor_name: 'Dev Eloper' }]);
  expect(await isRejectedWithin(key, 5_000)).toBe(true);
  expect((await ask('GET', '/keys')).body.rows[0]).toMatchObject({ state: 'revoked' });
});

test('the list of keys is paged', async () => {
  await sql`
    insert into api_key (key_hash, key_id, publisher_id, name, kind, revoked_at)
    select sha256(n::text::bytea), 'key_many' || n, 'rival', 'many', 'secret', now() from generate_series(1, 120) n`.execute(
    db(),
  );
  const ask = await asRole(service(), 'developer', 'rival');
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: { rows: { keyId: string }[]; nextCursor: string | null } } = await ask(
      'GET',
      `/keys?cursor=${cursor}`,
    );
    names.push(...body.rows.map(({ keyId }) => keyId));
    cursor = body.nextCursor;
  }
  expect(names).toHaveLength(121);
  expect(new Set(names).size).toBe(121);
});

test('one flush writes the last use of several keys', async () => {
  const failures: unknown[] = [];
  const uses = createKeyUses(
    db(),
    () => clock.now(),
    (error) => failures.push(error),
  );
  const { rows } = await sql<{ key_id: string }>`
    select key_id from api_key where publisher_id = 'aurora' and name in ('backend', 'client')`.execute(db());
  for (const { key_id } of rows) uses.note(toKeyId(key_id));
  await uses.flush();
  const used = await sql<{ name: string }>`
    select name from api_key
    where publisher_id = 'aurora' and last_used_at is not null and name in ('backend', 'client')
    order by name`.execute(db());
  expect(used.rows).toEqual([{ name: 'backend' }, { name: 'client' }]);
  expect(failures).toEqual([]);
});

test('a rotated key works alongside the new one until it expires', async () => {
  const { ask } = await signIn(service(), 'owner');
  const { key, keyId } = (await ask('POST', '/keys', { name: 'shop', kind: 'secret' })).body;
  expect(await pingStatus(key)).toBe(200);
  const rotated = await ask('POST', `/keys/${keyId}/rotate`, { overlapHours: 1 });
  expect(rotated.headers.get('cache-control')).toBe('no-store');
  expect(rotated.body).toMatchObject({ name: 'shop 2' });
  expect([await pingStatus(key), await pingStatus(rotated.body.key)]).toEqual([200, 200]);
  const again = await ask('POST', `/keys/${rotated.body.keyId}/rotate`, { overlapHours: 1 });
  expect(again.body).toMatchObject({ name: 'shop 3' });
  clock.move(3_600_000);
  // The cached key still has the old expiration. The cache is reloaded within five seconds.
  expect(await isRejectedWithin(key, 6_000)).toBe(true);
  expect(await pingStatus(again.body.key)).toBe(200);
  const { ask: later } = await signIn(service(), 'owner', { confirmedMsAgo: -3_600_000 });
  expect(await later('POST', `/keys/${keyId}/rotate`, { overlapHours: 1 })).toMatchObject({ status: 409 });
  expect(await later('POST', '/keys/key_none/rotate', { overlapHours: 1 })).toMatchObject({ status: 404 });
  expect(await later('POST', `/keys/${again.body.keyId}/rotate`, { overlapHours: 0 })).toMatchObject({
    status: 400,
  });
});
