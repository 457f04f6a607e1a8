import { beforeAll, describe, expect, test } from 'vitest';
import { seen, useManagement } from '../../../test/management.ts';
import { nextWindow, schedulesPath as path, schedule } from '../../../test/schedules.ts';

const { keys, ask, send, remove, provisionGroup } = useManagement();

const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
const silver = '1b9f3c62-8e0d-4f7a-b1c5-6a2d9e8f4b31';
beforeAll(() => provisionGroup('main', `tiers: [ { id: ${silver}, name: Silver, revShare: 15 } ]`));

const replace = (id: string, json: unknown, query = '', key: string | null = keys().backend) =>
  send('PUT', `${path}/${encodeURIComponent(id)}${query}`, json, { key });
const create = async (changes: Record<string, unknown> = {}, query = '') =>
  (await send('POST', path + query, schedule(changes))).body;
const listed = async (id: string, query = '') =>
  (await ask(`${path}?pageSize=100${query}`)).body.scheduledRevShares.find(
    (each: { id: string }) => each.id === id,
  );
const error = { errors: [{ message: expect.any(String) }] };

describe('replacing is rejected', () => {
  test.each([
    ['of the right length', 'AAAAAAAAAAAAAAAAAAAAA'],
    ['too short', 'A'],
    ['too long', 'A'.repeat(22)],
    ['much too long', 'A'.repeat(3_000)],
    ['with U+0000', `${'A'.repeat(20)}\0`],
    ['of emoji', '😀'.repeat(21)],
    ['that tries SQL', "' or true --"],
  ])('with 404 NotFound for an unknown id: %s', async (_what, id) => {
    const answer = await replace(id, schedule());
    expect([answer.status, answer.body]).toEqual([
      404,
      { code: 'NotFound', message: 'The creator group has no scheduled revenue share with this id.' },
    ]);
    expect(seen(answer)).toEqual(seen(await replace('BBBBBBBBBBBBBBBBBBBBB', schedule())));
    expect(seen(await remove(`${path}/${encodeURIComponent(id)}`))).toEqual(seen(answer));
  });

  test("with 404 for a schedule of another group, including one outside of a scoped key's group", async () => {
    const { id } = await create();
    const nowhere = await replace('BBBBBBBBBBBBBBBBBBBBB', schedule());
    expect(seen(await replace(id, schedule(), '?groupId=moba'))).toEqual(seen(nowhere));
    expect(seen(await replace(id, schedule(), '?groupId=main', keys().moba))).toEqual(seen(nowhere));
    expect((await replace(id, schedule(), '?groupId=nowhere')).body.code).toBe('InvalidGroup');
    expect((await listed(id)).revShare).toBe(25);
  });

  test('with 404 for a deleted schedule', async () => {
    const created = await create();
    await remove(`${path}/${created.id}`);
    expect((await replace(created.id, schedule())).body.code).toBe('NotFound');
  });

  test.each([
    ['without a start', { startDate: undefined }],
    ['without an end', { endDate: undefined }],
    ['with neither share', { revShare: undefined }],
    ['below one percent', { revShare: 0.5 }],
    ['with an unknown tier', { tierRevenueShares: [{ tierId: 'x', revShare: 5 }] }],
  ])('with 400 and an errors array %s, and changes nothing', async (_what, changes) => {
    const created = await create({ tierRevenueShares: [{ tierId: gold, revShare: 30 }] });
    const { status, body } = await replace(created.id, { ...schedule(), ...changes });
    expect([status, body]).toEqual([400, error]);
    expect(await listed(created.id)).toMatchObject(created);
  });

  test('with 400 in plain text when the window ends before it starts', async () => {
    const { id, startDate, endDate } = await create();
    const answer = await replace(id, { startDate: endDate, endDate: startDate, revShare: 5 });
    expect([answer.status, answer.text]).toEqual([400, 'endDate must be after startDate']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('with 401 without a key and 403 with a public key, before the body is read', async () => {
    const { id } = await create();
    for (const json of [schedule(), {}]) {
      expect((await replace(id, json, '', null)).body.code).toBe('Unauthorized');
      expect((await replace(id, json, '', keys().client)).body.code).toBe('Forbidden');
    }
  });
});

describe('replacing a schedule', () => {
  test('returns the new schedule with the same id', async () => {
    const created = await create();
    const wanted = {
      ...nextWindow(),
      revShare: 33.3333,
      tierRevenueShares: [{ tierId: gold, revShare: 44 }],
    };
    const { status, headers, body } = await replace(created.id, wanted);
    expect([status, body]).toEqual([
      200,
      {
        ...wanted,
        id: created.id,
        groupId: 'main',
        groupName: 'Aurora Creators',
        tierRevenueShares: [{ tierId: gold, revShare: 44, tierName: 'Gold' }],
      },
    ]);
    expect(headers.has('x-warning')).toBe(false);
    const { status: _status, ...now } = await listed(created.id);
    expect(now).toEqual(body);
  });

  test('removes tier shares that are not in the body, without merging', async () => {
    const created = await create({
      tierRevenueShares: [
        { tierId: gold, revShare: 30 },
        { tierId: silver, revShare: 31 },
      ],
    });
    const { startDate, endDate } = created;
    const tiersAfter = async (json: object) =>
      (await replace(created.id, { startDate, endDate, ...json })).body.tierRevenueShares;
    expect(await tiersAfter({ tierRevenueShares: [{ tierId: silver, revShare: 32 }] })).toEqual([
      { tierId: silver, revShare: 32, tierName: 'Silver' },
    ]);
    expect(await tiersAfter({ revShare: 5 })).toEqual([]);
    expect((await listed(created.id)).tierRevenueShares).toEqual([]);
  });

  test("removes a group-wide share that is not in the body, and then returns the group's default", async () => {
    const { id, startDate, endDate } = await create({ revShare: 77 });
    const tierRevenueShares = [{ tierId: gold, revShare: 30 }];
    const { body } = await replace(id, { startDate, endDate, tierRevenueShares });
    expect(body.revShare).toBe(10);
  });

  test("doesn't overlap itself with the same, a shorter, a longer or an adjacent window", async () => {
    const day = (number: number) => new Date(Date.UTC(2050, 0, number)).toISOString();
    const { id } = await create({ startDate: day(10), endDate: day(20) });
    for (const [start, end] of [
      [10, 20],
      [12, 18],
      [5, 25],
      [24, 30],
    ] as const) {
      const wanted = { startDate: day(start), endDate: day(end), revShare: 5 };
      expect((await replace(id, wanted)).status).toBe(200);
    }
  });

  test('frees its old window', async () => {
    const { id, startDate, endDate } = await create();
    await replace(id, schedule());
    expect((await send('POST', path, { startDate, endDate, revShare: 5 })).status).toBe(200);
  });

  test('accepts an instant, unlike creating', async () => {
    const { id, startDate } = await create();
    const { status, body } = await replace(id, { startDate, endDate: startDate, revShare: 5 });
    expect([status, body.startDate, body.endDate]).toEqual([200, startDate, startDate]);
  });

  test('works with a key scoped to the group, whatever the groupId', async () => {
    const { id } = await create({}, '?groupId=moba');
    const { status, body } = await replace(id, schedule(), '?groupId=nowhere', keys().moba);
    expect([status, body.groupId]).toEqual([200, 'moba']);
  });
});
