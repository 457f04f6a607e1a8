import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { writtenEntries } from '../../../test/audit.ts';
import { useBounties } from '../../../test/bounties.ts';

const { service, group, db, define, earn, settleAndCheck, memberId } = useBounties();

let ask: Asking;
beforeAll(async () => {
  ask = await asRole(service(), 'manager');
});

type Json = Record<string, unknown>;

let names = 0;
/** Returns the editor's request for a running bounty with one purchase objective and an External reward. */
function body(changes: Json = {}): Json {
  names += 1;
  return {
    groupId: group(),
    version: null,
    name: `Editor ${names}`,
    description: null,
    imageSrc: null,
    rewardDescription: null,
    limit: 1,
    startsAt: '2024-01-01T00:00:00.000Z',
    endsAt: null,
    prerequisites: [],
    objectives: [
      {
        name: 'Sell',
        type: 'Purchase',
        condition: 'Count',
        count: '1',
        currency: null,
        eventCode: null,
        skus: [],
      },
    ],
    rewards: [
      { name: 'Trophy', type: 'External', amount: null, currency: null, sku: null, externalId: 'trophy' },
    ],
    ...changes,
  };
}
const edited = (bounty: Json, changes: Json): Json => {
  const strip = (part: Json): Json => ({ ...part, locked: undefined });
  const { groupId, version, name, description, imageSrc, rewardDescription, limit, startsAt, endsAt } =
    bounty;
  return {
    ...{ groupId, version, name, description, imageSrc, rewardDescription, limit, startsAt, endsAt },
    prerequisites: (bounty.prerequisites as Json[]).map(({ id }) => id),
    objectives: (bounty.objectives as Json[]).map(strip),
    rewards: (bounty.rewards as Json[]).map(strip),
    ...changes,
  };
};

describe('permissions', () => {
  const changes = (): [string, string, unknown][] => [
    ['POST', '/bounties', body()],
    ['PUT', '/bounties/x', body()],
    ['POST', '/bounties/x/end', {}],
    ['POST', '/rewards/x/complete', { groupId: 'main', referenceId: null }],
  ];

  test('every role reads bounties, and only owners and managers change them', async () => {
    const id = await define();
    for (const [role, as] of Object.entries(await asEveryRole(service()))) {
      for (const path of ['/bounties', `/bounties/${id}`, `/bounties/${id}/progress`, '/rewards'])
        expect(await as('GET', path), `${role} ${path}`).toMatchObject({ status: 200 });
      if (role === 'owner' || role === 'manager') continue;
      for (const [method, path, json] of changes())
        expect(await as(method, path, json), `${role} ${path}`).toMatchObject({ status: 403 });
    }
  });

  test('staff of another publisher can’t see the bounties', async () => {
    const id = await define();
    const rival = await asRole(service(), 'owner', 'rival');
    for (const [method, path, json] of changes())
      expect(await rival(method, `/admin/v1/publishers/aurora${path}`, json)).toMatchObject({ status: 404 });
    expect(await rival('GET', `/bounties/${id}`)).toMatchObject({ status: 404 });
    expect((await rival('GET', `/bounties/${id}/progress`)).body.rows).toEqual([]);
    expect(await rival('POST', `/bounties/${id}/end`, {})).toMatchObject({ status: 404 });
    expect((await rival('GET', '/bounties')).body.rows).toEqual([]);
  });
});

test('a bounty is created, read back and changed, and a stale edit is rejected', async () => {
  const made = await ask('POST', '/bounties', body({ description: 'Sell one', limit: null }));
  expect(made).toMatchObject({
    status: 200,
    body: { state: 'running', limit: null, locked: null, begun: { members: 0 }, provenance: { file: null } },
  });
  const path = `/bounties/${made.body.bountyId}`;
  expect((await ask('GET', path)).body).toEqual(made.body);
  const changed = await ask('PUT', path, edited(made.body, { name: 'Renamed' }));
  expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed', description: 'Sell one' } });
  expect(changed.body.version).not.toBe(made.body.version);
  expect(changed.body.objectives[0].id).toBe(made.body.objectives[0].id);
  const stale = await ask('PUT', path, edited(made.body, { name: 'Too late' }));
  expect(stale).toMatchObject({ status: 409, body: { code: 'Stale' } });
  expect((await ask('GET', path)).body.name).toBe('Renamed');
  const again = await ask('POST', '/bounties', body({ name: 'Renamed' }));
  expect(again).toMatchObject({ status: 409 });
});

test('all mistakes are reported at once', async () => {
  const { objectives, rewards } = body() as { objectives: Json[]; rewards: Json[] };
  const bad = await ask(
    'POST',
    '/bounties',
    body({
      endsAt: '2023-01-01T00:00:00Z',
      objectives: [{ ...objectives[0], condition: 'Amount' }],
      rewards: [{ ...rewards[0], type: 'Payment' }],
    }),
  );
  expect(bad.status).toBe(400);
  for (const word of ['endsAt', 'objectives[0].currency', 'rewards[0].amount', 'rewards[0].currency'])
    expect(bad.body.message).toContain(word);
  expect(await ask('POST', '/bounties', body({ prerequisites: ['unknown'] }))).toMatchObject({ status: 400 });
  expect(await ask('POST', '/bounties', body({ groupId: 'nowhere' }))).toMatchObject({ status: 404 });
});

test('begun objectives and received rewards are locked with a reason, and changes to them are rejected', async () => {
  const made = (await ask('POST', '/bounties', body({ limit: 2 }))).body;
  const path = `/bounties/${made.bountyId}`;
  await earn(group(), 'A', 100);
  await settleAndCheck();
  const begun = (await ask('GET', path)).body;
  expect(begun).toMatchObject({
    locked: { fields: ['startsAt'] },
    objectives: [{ locked: { fields: expect.arrayContaining(['type', 'count', 'currency', 'skus']) } }],
    rewards: [{ locked: { fields: expect.arrayContaining(['type', 'amount']) } }],
    begun: { members: 1, completions: 1, isWhole: true },
  });
  expect(begun.objectives[0].locked.reason).toMatch(/have started/);
  for (const changes of [
    { startsAt: '2024-02-01T00:00:00.000Z' },
    { objectives: [{ ...begun.objectives[0], locked: undefined, count: '2' }] },
    { rewards: [{ ...begun.rewards[0], locked: undefined, type: 'Payment', amount: '5', currency: 'USD' }] },
  ])
    expect(await ask('PUT', path, edited(begun, changes))).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/can't change/) },
    });
  expect(await ask('PUT', path, edited(begun, { name: `${made.name} still` }))).toMatchObject({
    status: 200,
  });
});

test('bounties are listed by state, and an ended bounty is not reopened', async () => {
  const at = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  const running = (await ask('POST', '/bounties', body())).body.bountyId;
  const coming = (await ask('POST', '/bounties', body({ startsAt: at(2), endsAt: at(3) }))).body.bountyId;
  const over = (await ask('POST', '/bounties', body({ endsAt: at(-1) }))).body.bountyId;
  const listed = async (state: string) =>
    (await ask('GET', `/bounties?group=${group()}&state=${state}`)).body.rows.map(
      ({ bountyId }: { bountyId: string }) => bountyId,
    );
  expect([await listed('running'), await listed('coming'), await listed('over')]).toEqual([
    [running],
    [coming],
    [over],
  ]);
  const ended = await ask('POST', `/bounties/${running}/end`, {});
  expect(ended.body).toMatchObject({ state: 'over', isEnded: true, locked: { fields: ['endsAt'] } });
  const again = await ask('POST', `/bounties/${running}/end`, {});
  expect(again.body.endsAt).toBe(ended.body.endsAt);
  await ask('POST', `/bounties/${coming}/end`, {});
  expect(await listed('running')).toEqual([]);
  expect((await listed('over')).toSorted()).toEqual([running, coming, over].toSorted());
});

test('the list shows targets, rewards and how many creators completed each bounty', async () => {
  const { objectives, rewards } = body() as { objectives: Json[]; rewards: Json[] };
  const made = await ask(
    'POST',
    '/bounties',
    body({
      limit: null,
      objectives: [
        ...objectives,
        { ...objectives[0], name: 'Earn', condition: 'Amount', count: '50000', currency: 'USD' },
      ],
      rewards: [
        ...rewards,
        { ...rewards[0], name: 'Bonus', type: 'Payment', amount: '500', currency: 'USD', externalId: null },
      ],
    }),
  );
  expect(made.status).toBe(200);
  const id = made.body.bountyId;
  const simple = await define({ limit: null });
  await earn(group(), 'A', 100);
  await settleAndCheck();
  const { rows } = (await ask('GET', `/bounties?group=${group()}`)).body;
  const row = (bountyId: string) => rows.find((each: Json) => each.bountyId === bountyId);
  expect(row(id)).toMatchObject({
    objectives: [
      { name: 'Sell', type: 'Purchase', condition: 'Count', count: '1', currency: null },
      { name: 'Earn', type: 'Purchase', condition: 'Amount', count: '50000', currency: 'USD' },
    ],
    rewards: [
      { name: 'Trophy', type: 'External', amount: null, currency: null },
      { name: 'Bonus', type: 'Payment', amount: '500', currency: 'USD' },
    ],
    progress: { begun: 1, completed: 0, isExact: true },
  });
  expect(row(simple).progress).toEqual({ begun: 1, completed: 1, isExact: true });
});

test('a reward waits until it is marked as delivered, and marking it again has no effect', async () => {
  const id = await define({ limit: null });
  await earn(group(), 'A', 100);
  await earn(group(), 'B', 100);
  await settleAndCheck();
  const waiting = () => ask('GET', `/rewards?group=${group()}&bounty=${id}`);
  const { rows } = (await waiting()).body;
  expect(rows).toMatchObject([{ name: 'Trophy', externalId: 'trophy' }, { name: 'Trophy' }]);
  expect(rows.map(({ accountId }: { accountId: string }) => accountId).toSorted()).toEqual(
    [memberId('A'), memberId('B')].toSorted(),
  );
  const [{ rewardId }] = rows;
  const complete = (referenceId: string | null, groupId = group()) =>
    ask('POST', `/rewards/${rewardId}/complete`, { groupId, referenceId });
  expect(await complete('r', 'main')).toMatchObject({ status: 404, body: { code: 'BountyNotFound' } });
  expect((await complete('parcel-1')).body).toEqual({ rewardId, name: 'Trophy', referenceId: 'parcel-1' });
  expect((await complete('parcel-2')).body.referenceId).toBe('parcel-1');
  expect((await waiting()).body.rows).toHaveLength(1);
  const delivered = await ask('GET', `/rewards?group=${group()}&state=delivered`);
  expect(delivered.body.rows).toMatchObject([{ rewardId, isDelivered: true, referenceId: 'parcel-1' }]);
  const entries = (await writtenEntries(db())).filter(({ target }) => target === `bounty-reward:${rewardId}`);
  expect(entries).toMatchObject([{ actor_kind: 'token', action: 'bounty-reward.complete' }]);
});

test('progress is paged', async () => {
  const id = await define({ limit: null });
  await earn(group(), 'A', 100);
  await earn(group(), 'B', 100);
  await settleAndCheck();
  const { body: page } = await ask('GET', `/bounties/${id}/progress`);
  expect(page).toMatchObject({ nextCursor: null, rows: [{ completionCount: 1 }, { completionCount: 1 }] });
  expect(await ask('GET', `/bounties/${id}/progress?cursor=made-up`)).toMatchObject({
    status: 400,
    body: { code: 'InvalidCursor' },
  });
});
