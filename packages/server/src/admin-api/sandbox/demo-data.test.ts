import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Asking } from '../../../test/admin.ts';
import { settleAll, useMoney } from '../../../test/money.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';

const { service, db, query, expectSound } = useMoney();

/** A load takes two seconds, and much longer on a machine that runs other tests. */
const slow = 90_000;

let owner: SignedInPerson;
let manager: SignedInPerson;
beforeAll(async () => {
  await service().provision('{ publisher: { id: fresh, name: Fresh } }');
  owner = await signIn(service(), 'owner', { publisherId: 'fresh' });
  manager = await signIn(service(), 'manager', { publisherId: 'fresh' });
});

const inSandbox =
  (id: string, { ask }: SignedInPerson = owner): Asking =>
  (method, path, json) =>
    ask(method, `/admin/v1/publishers/${id}${path}`, json);

const shown = async ({ ask }: SignedInPerson = owner) => (await ask('GET', '/sandbox')).body;

/** Loads demo data and waits until the sandbox is complete. @returns id of the sandbox */
async function load(replaces: string | null, person = owner): Promise<string> {
  const { status, body } = await person.ask('POST', '/sandbox/demo', { replaces });
  expect([status, body.message]).toEqual([200, undefined]);
  await expect.poll(async () => (await shown(person)).loading, { timeout: 60_000 }).toBeNull();
  const { sandbox } = await shown(person);
  expect(sandbox.publisherId).not.toBe(replaces);
  expect(sandbox.isDemo).toBe(true);
  return sandbox.publisherId;
}

test(
  'fills a sandbox of an empty publisher for every screen, and leaves the publisher empty',
  async () => {
    const startedAt = performance.now();
    const id = await load(null);
    console.info(`demo data: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    const ask = inSandbox(id);
    for (const path of [
      '/transactions',
      '/members?status=Pending',
      '/tiers?group=main',
      '/sku-shares?group=main',
      '/schedules?group=main',
      '/payouts',
      '/clawbacks',
      '/balances?currency=USD',
      '/endpoints',
      '/keys',
      '/requests',
      '/audit',
      '/bounties?group=main',
      '/rewards',
    ]) {
      // Rejected requests are stored within a second.
      await expect
        .poll(async () => {
          const { status, body } = await ask('GET', path);
          return [path, status, (body.rows ?? body.bounties ?? body.tiers ?? []).length > 0];
        })
        .toEqual([path, 200, true]);
    }
    expect((await ask('GET', '/payouts/preview?group=main')).body.totals[0].due.memberCount).toBeGreaterThan(
      3,
    );
    // Payment files contain all lines of the payouts that are to be paid. The due amounts have a few exceptions.
    const { rows: unpaid } = (await ask('GET', '/payouts?status=Created')).body;
    for (const { payoutId } of unpaid) {
      const { kinds, leftOut } = (await ask('GET', `/payouts/${payoutId}/files`)).body;
      expect(kinds.map(({ problem }: { problem: string | null }) => problem)).toContain(null);
      expect(kinds.filter(({ problem }: { problem: string | null }) => problem !== null)).toEqual([]);
      expect(leftOut.lineCount).toBe(0);
    }
    const preview = (await ask('GET', '/payouts/preview?group=main')).body;
    const { rows: lacking } = (await ask('GET', '/payouts/preview?group=main&withoutMethod=true')).body;
    expect([...new Set(lacking.map(({ name }: { name: string }) => name))].toSorted()).toEqual([
      'Fable',
      'Onyx',
    ]);
    expect(preview.membersWithoutMethod).toBe(2);
    const endpoints = (await ask('GET', '/endpoints')).body.rows;
    expect(endpoints.map(({ isEnabled }: { isEnabled: boolean }) => isEnabled)).toEqual([false]);
    await settleAll(db());
    await expectSound();
    for (const path of ['/transactions', '/members', '/keys', '/endpoints', '/payouts'])
      expect([path, (await owner.ask('GET', path)).body.rows]).toEqual([path, []]);
    const live = (await owner.ask('GET', '/audit')).body.rows.filter(
      ({ action }: { action: string }) => !action.startsWith('staff.'),
    );
    expect(live.map(({ action, target }: Record<string, string>) => [action, target])).toEqual([
      ['sandbox.load-demo', `publisher:${id}`],
      ['publisher.put', 'publisher:fresh'],
    ]);
    expect((await ask('GET', '/audit?action=sandbox')).body.rows[0]).toMatchObject({
      action: 'sandbox.load-demo',
      actor: { kind: 'staff' },
    });
  },
  slow,
);

test(
  'loads once for two people at once, and replaces the sandbox only if they saw it',
  async () => {
    const before = (await shown()).sandbox.publisherId;
    const stale = await owner.ask('POST', '/sandbox/demo', { replaces: null });
    expect([stale.status, stale.body.code]).toEqual([409, 'Conflict']);
    expect((await shown()).loading).toBeNull();
    const answers = await Promise.all(
      [owner, manager].map(({ ask }) => ask('POST', '/sandbox/demo', { replaces: before })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(async () => (await shown()).loading, { timeout: 60_000 }).toBeNull();
    const { sandbox } = await shown();
    const made = await query<{ publisher_id: string }>(
      sql`select publisher_id from publisher where sandbox_of = 'fresh' order by created_at`,
    );
    expect(made.map(({ publisher_id }) => publisher_id)).toEqual([before, sandbox.publisherId]);
    expect((await inSandbox(before)('GET', '/overview')).status).toBe(404);
  },
  slow,
);

test(
  'leaves no open sandbox, keys, endpoints or connectors behind after a failure, and can be repeated',
  async () => {
    const before = (await shown()).sandbox.publisherId;
    const connector = { name: 'shop', provider: 'generic' };
    const { body: added } = await inSandbox(before)('POST', '/connectors', connector);
    const hook = async () => (await service().call('POST', added.path)).status;
    expect(await hook()).not.toBe(404);
    const loading = owner.ask('POST', '/sandbox/demo', { replaces: before });
    await expect.poll(async () => (await shown()).loading, { timeout: 10_000 }).not.toBeNull();
    expect((await manager.ask('POST', '/sandbox/close', { sandboxId: before })).body.sandbox).toBeNull();
    expect((await inSandbox(before)('GET', '/overview')).status).toBe(404);
    expect(await hook()).toBe(404);
    await loading;
    await expect.poll(async () => (await shown()).loading, { timeout: 60_000 }).toBeNull();
    expect((await shown()).sandbox).toBeNull();
    expect(
      await query(sql`
      select k.publisher_id
      from api_key k
      join publisher p on p.publisher_id = k.publisher_id and p.sandbox_of = 'fresh'
      where k.revoked_at is null`),
    ).toEqual([]);
    const again = await owner.ask('POST', '/sandbox/close', { sandboxId: before });
    expect([again.status, again.body.code]).toEqual([404, 'NotFound']);

    // A load whose process was killed blocks others only for a while.
    await sql`
    update demo_load
    set ended_at = null, step = 2, renewed_at = now()
    where publisher_id = 'fresh'`.execute(db());
    const joined = await owner.ask('POST', '/sandbox/demo', { replaces: null });
    expect([joined.status, joined.body.loading.step]).toEqual([200, 2]);
    await sql`
    update demo_load
    set renewed_at = now() - interval '3 minutes'
    where publisher_id = 'fresh'`.execute(db());
    expect((await shown()).loading).toBeNull();
    await load(null);
  },
  slow,
);

test('is refused without the permission, at another publisher, from a sandbox, and for a wrong body', async () => {
  const finance = await signIn(service(), 'finance', { publisherId: 'fresh' });
  const outsider = await signIn(service(), 'owner');
  const { publisherId: id } = (await shown()).sandbox;
  const body = { replaces: id };
  for (const path of ['/sandbox/demo', '/sandbox/close']) {
    const json = path === '/sandbox/demo' ? body : { sandboxId: id };
    expect([path, (await finance.ask('POST', path, json)).status]).toEqual([path, 403]);
    expect([path, (await inSandbox('fresh', outsider)('POST', path, json)).status]).toEqual([path, 404]);
    expect([path, (await inSandbox(id)('POST', path, json)).status]).toEqual([path, 409]);
    for (const wrong of [{}, { replaces: 1 }, { sandboxId: 1 }, { ...json, more: 1 }])
      expect([path, (await owner.ask('POST', path, wrong)).status]).toEqual([path, 400]);
  }
  expect((await shown()).sandbox.publisherId).toBe(id);
});
