import { describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { writtenEntries } from '../../../test/audit.ts';
import { useManagement } from '../../../test/management.ts';
import type { Answer } from '../../../test/test-service.ts';

const { service } = useManagement();

const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
const day = (number: number): string => new Date(Date.UTC(2031, 0, number)).toISOString();
const manager = () => asRole(service(), 'manager');
const groupOf = async (ask: Asking, groupId: string) =>
  (await ask('GET', '/groups')).body.rows.find((each: { groupId: string }) => each.groupId === groupId);
const window = (start: number, end: number, changes = {}) => ({
  groupId: 'moba',
  startsAt: day(start),
  endsAt: day(end),
  revShare: 15,
  tierShares: [],
  ...changes,
});

describe('permissions', () => {
  const changes: [string, string, unknown][] = [
    ['PUT', '/groups/moba', { version: null, name: 'x' }],
    ['POST', '/tiers', { groupId: 'main', name: 'x', revShare: 1 }],
    ['PUT', `/tiers/${gold}`, { version: 'x', name: 'x', revShare: 1 }],
    ['PUT', '/sku-shares', { groupId: 'main', skuId: 'x', version: null, revShare: 1 }],
    ['POST', '/sku-shares/remove', { groupId: 'main', skuId: 'battle-pass', version: 'x' }],
    ['POST', '/schedules', window(1, 2)],
    ['PUT', '/schedules/AAAAAAAAAAAAAAAAAAAAA', { ...window(1, 2), version: 'x' }],
    ['POST', '/schedules/AAAAAAAAAAAAAAAAAAAAA/delete', { groupId: 'main', version: 'x' }],
    [
      'POST',
      '/schedules/simulate',
      { groupId: 'main', revShare: 10, tierShares: [], from: day(1), until: day(2) },
    ],
  ];

  test('let every role read shares, and let only owners and managers change them', async () => {
    const roles = await asEveryRole(service());
    for (const [role, ask] of Object.entries(roles)) {
      for (const path of ['/groups', '/tiers', '/sku-shares', '/schedules'])
        expect(await ask('GET', path), `${role} ${path}`).toMatchObject({ status: 200 });
      if (role === 'owner' || role === 'manager') continue;
      for (const [method, path, json] of changes)
        expect(await ask(method, path, json), `${role} ${path}`).toMatchObject({ status: 403 });
    }
  });

  test('return 404 to staff of another publisher and 401 to unauthenticated clients', async () => {
    const rival = await asRole(service(), 'owner', 'rival');
    const whole = '/admin/v1/publishers/aurora';
    for (const [method, path, json] of changes) {
      expect(await rival(method, whole + path, json)).toMatchObject({ status: 404 });
      expect(
        await service().call(method, whole + path, {
          key: null,
          json,
          headers: { authorization: 'Bearer x' },
        }),
      ).toMatchObject({ status: 401 });
    }
    const tier = await rival('PUT', `/tiers/${gold}`, { version: 'x', name: 'x', revShare: 1 });
    expect(tier).toMatchObject({ status: 404 });
  });
});

describe('a stale edit is rejected and saves nothing', () => {
  const staleEdits: Record<string, (ask: Asking, version: (row: unknown) => unknown) => Promise<Answer>> = {
    async group(ask, version) {
      const before = await groupOf(ask, 'moba');
      const put = (revShare: number) => ask('PUT', '/groups/moba', { version: version(before), revShare });
      await put(8.5);
      return put(9);
    },
    async tier(ask, version) {
      const before = (await ask('GET', '/tiers?group=main')).body.rows[0];
      const put = (revShare: number) =>
        ask('PUT', `/tiers/${gold}`, { version: version(before), name: 'Gold', revShare });
      await put(21);
      return put(22);
    },
    async 'SKU share'(ask, version) {
      const before = (await ask('GET', '/sku-shares?group=main')).body.rows[0];
      const put = (revShare: number) =>
        ask('PUT', '/sku-shares', {
          groupId: 'main',
          skuId: 'battle-pass',
          version: version(before),
          revShare,
        });
      await put(6);
      return put(7);
    },
    async 'removed SKU share'(ask, version) {
      const before = (
        await ask('PUT', '/sku-shares', { groupId: 'main', skuId: 'hat', version: null, revShare: 3 })
      ).body;
      await ask('PUT', '/sku-shares', { ...before, provenance: undefined, revShare: 4 });
      return ask('POST', '/sku-shares/remove', { groupId: 'main', skuId: 'hat', version: version(before) });
    },
    async schedule(ask, version) {
      const before = (await ask('POST', '/schedules', window(10, 12))).body;
      const put = (revShare: number) =>
        ask('PUT', `/schedules/${before.scheduleId}`, {
          ...window(10, 12, { revShare }),
          version: version(before),
        });
      await put(16);
      return put(17);
    },
    async 'deleted schedule'(ask, version) {
      const before = (await ask('POST', '/schedules', window(14, 15))).body;
      await ask('PUT', `/schedules/${before.scheduleId}`, {
        ...window(14, 15, { revShare: 2 }),
        version: before.version,
      });
      return ask('POST', `/schedules/${before.scheduleId}/delete`, {
        groupId: 'moba',
        version: version(before),
      });
    },
  };
  test.each(Object.entries(staleEdits))('%s', async (_name, edit) => {
    const rejected = await edit(await manager(), (row) => (row as { version: string }).version);
    expect(rejected).toMatchObject({ status: 409, body: { code: 'Stale' } });
    expect(rejected.body.message).toMatch(/Nothing was saved/);
  });
});

test('an edit of something that was created or removed in the meantime is rejected', async () => {
  const ask = await manager();
  const hat = { groupId: 'main', skuId: 'cap' };
  const create = () => ask('PUT', '/sku-shares', { ...hat, version: null, revShare: 3 });
  const { version } = (await create()).body;
  expect(await create()).toMatchObject({ status: 409, body: { code: 'Conflict' } });
  await ask('POST', '/sku-shares/remove', { ...hat, version });
  for (const [path, json] of [
    ['/sku-shares', { ...hat, version, revShare: 4 }],
    ['/sku-shares/remove', { ...hat, version }],
  ] as const)
    expect(await ask(path.endsWith('remove') ? 'POST' : 'PUT', path, json)).toMatchObject({
      status: 404,
      body: { code: 'NotFound' },
    });
});

test('changes can be read back, and the audit log shows their actor', async () => {
  const ask = await manager();
  const before = await groupOf(ask, 'main');
  const changed = await ask('PUT', '/groups/main', {
    version: before.version,
    name: 'Main creators',
    holdDays: 14,
    payoutMinimums: [{ currency: 'USD', amount: '5000' }],
  });
  expect(changed).toMatchObject({
    status: 200,
    body: {
      name: 'Main creators',
      revShare: 10,
      holdDays: 14,
      payoutMinimums: [{ currency: 'USD', amount: '5000' }],
      provenance: { last: { kind: 'token', file: null }, file: { kind: 'program-file', file: 'test.yaml' } },
    },
  });
  expect(await groupOf(ask, 'main')).toEqual(changed.body);
  const tier = await ask('POST', '/tiers', { groupId: 'main', name: 'Silver', revShare: 12.3456 });
  expect(tier).toMatchObject({
    status: 200,
    body: { revShare: 12.3456, memberCount: 0, provenance: { file: null } },
  });
  const sku = { groupId: 'main', skuId: 'an/odd SKU', revShare: 2 };
  const created = await ask('PUT', '/sku-shares', { ...sku, version: null });
  expect(created).toMatchObject({ status: 200, body: sku });
  const { version } = created.body;
  const removed = await ask('POST', '/sku-shares/remove', {
    groupId: sku.groupId,
    skuId: sku.skuId,
    version,
  });
  expect(removed.status).toBe(200);
  expect((await ask('GET', '/sku-shares?group=main')).text).not.toContain(sku.skuId);
  const db = service().testDatabase.database.db;
  const entries = (await writtenEntries(db)).filter(({ actor_kind }) => actor_kind === 'token');
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['group.put', 'tier.put', 'sku-share.put', 'sku-share.remove']),
  );
});

test('isDefault makes a group the default instead of the previous one', async () => {
  const ask = await manager();
  const { version } = await groupOf(ask, 'moba');
  expect((await ask('PUT', '/groups/moba', { version, isDefault: true })).body.isDefault).toBe(true);
  expect((await groupOf(ask, 'main')).isDefault).toBe(false);
  const main = await groupOf(ask, 'main');
  await ask('PUT', '/groups/main', { version: main.version, isDefault: true });
});

test('a tier’s name is unique within its group', async () => {
  const ask = await manager();
  const twice = await ask('POST', '/tiers', { groupId: 'main', name: 'Gold', revShare: 1 });
  expect(twice).toMatchObject({ status: 409, body: { code: 'Conflict' } });
  expect(await ask('POST', '/tiers', { groupId: 'nowhere', name: 'Gold', revShare: 1 })).toMatchObject({
    status: 404,
  });
});

describe('schedules', () => {
  test('reject an overlap and name the other schedule; adjacent windows do not overlap', async () => {
    const ask = await manager();
    const first = await ask('POST', '/schedules', window(40, 42));
    expect(first.status).toBe(200);
    const clash = await ask('POST', '/schedules', window(41, 43));
    expect(clash).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(clash.body.message).toContain(first.body.scheduleId);
    expect(clash.body.message).toContain(`to ${day(42)}`);
    const adjacent = await ask('POST', '/schedules', window(42, 44));
    expect(adjacent.status).toBe(200);
    const moved = await ask('PUT', `/schedules/${adjacent.body.scheduleId}`, {
      ...window(39, 41),
      version: adjacent.body.version,
    });
    expect(moved.status).toBe(409);
    const listed = await ask('GET', `/schedules?group=moba&from=${day(41)}&until=${day(42)}`);
    expect(listed.body.rows.map(({ scheduleId }: { scheduleId: string }) => scheduleId)).toEqual([
      first.body.scheduleId,
    ]);
  });

  test('store one percent as 1, and store tier shares', async () => {
    const ask = await manager();
    const created = await ask('POST', '/schedules', {
      ...window(50, 52, { groupId: 'main', revShare: 1 }),
      tierShares: [{ tierId: gold, revShare: 30 }],
    });
    expect(created.body).toMatchObject({
      revShare: 1,
      tierShares: [{ tierId: gold, tierName: 'Gold', revShare: 30 }],
    });
  });

  test('reject terms without a share, with an empty window or with another group’s tier', async () => {
    const ask = await manager();
    for (const bad of [
      window(60, 61, { revShare: null }),
      window(61, 60),
      window(60, 60),
      window(60, 61, { tierShares: [{ tierId: gold, revShare: 30 }] }),
      window(60, 61, { revShare: 101 }),
      window(60, 61, { extra: true }),
    ])
      expect(await ask('POST', '/schedules', bad)).toMatchObject({ status: 400 });
    expect(await ask('POST', '/schedules', window(60, 61, { groupId: 'nowhere' }))).toMatchObject({
      status: 404,
    });
  });

  test('are listed in pages', async () => {
    const ask = await manager();
    await ask('PUT', '/groups/many', { version: null, revShare: 5 });
    for (let place = 0; place < 51; place += 1)
      await ask('POST', '/schedules', window(100 + 2 * place, 101 + 2 * place, { groupId: 'many' }));
    const first = await ask('GET', '/schedules?group=many');
    const rest = await ask('GET', `/schedules?group=many&cursor=${first.body.nextCursor}`);
    expect([first.body.rows.length, rest.body.rows.length, rest.body.nextCursor]).toEqual([50, 1, null]);
    expect(rest.body.rows[0].startsAt).toBe(day(200));
  });
});
