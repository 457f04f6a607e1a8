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

describe('replacing is refused', () => {
  test.each([
    ['of the right length', 'AAAAAAAAAAAAAAAAAAAAA'],
    ['too short', 'A'],
    ['too long', 'A'.repeat(22)],
    ['much too long', 'A'.repeat(3_000)],
    ['with U+0000', `${'A'.repeat(20)}\0`],
    ['of emoji', '😀'.repeat(21)],
    ['that tries SQL', "' or true --"],
  ])('404 NotFound for an id that the group does not have: %s', async (_what, id) => {
    const answer = await replace(id, schedule());
    expect([answer.status, answer.body]).toEqual([
      404,
      { code: 'NotFound', message: 'The creator group has no scheduled revenue share with this id.' },
    ]);
    expect(seen(answer)).toEqual(seen(await replace('BBBBBBBBBBBBBBBBBBBBB', schedule())));
    expect(seen(await remove(`${path}/${encodeURIComponent(id)}`))).toEqual(seen(answer));
  });

  test("404 for a schedule of another group, and of the key's group when it is another", async () => {
    const { id } = await create();
    const nowhere = await replace('BBBBBBBBBBBBBBBBBBBBB', schedule());
    expect(seen(await replace(id, schedule(), '?groupId=moba'))).toEqual(seen(nowhere));
    expect(seen(await replace(id, schedule(), '?groupId=main', keys().moba))).toEqual(seen(nowhere));
    expect((await replace(id, schedule(), '?groupId=nowhere')).body.code).toBe('InvalidGroup');
    expect((await listed(id)).revShare).toBe(25);
  });

  test('404 for one that was deleted', async () => {
    const created = await create();
    await remove(`${path}/${created.id}`);
    expect((await replace(created.id, schedule())).body.code).toBe('NotFound');
  });

  test.each([
    ['without a start', { startDate: undefined }],
    ['without an end', { endDate: undefined }],
    ['with neither share', { revShare: undefined }],
    ['below one percent', { revShare: 0.5 }],
    ['with a tier that nobody has', { tierRevenueShares: [{ tierId: 'x', revShare: 5 }] }],
  ])('400 with an errors array %s, and it stays as it was', async (_what, changes) => {
    const created = await create({ tierRevenueShares: [{ tierId: gold, revShare: 30 }] });
    const { status, body } = await replace(created.id, { ...schedule(), ...changes });
    expect([status, body]).toEqual([400, error]);
    expect(await listed(created.id)).toMatchObject(created);
  });

  test('400 in plain text when it ends before it starts', async () => {
    const { id, startDate, endDate } = await create();
    const answer = await replace(id, { startDate: endDate, endDate: startDate, revShare: 5 });
    expect([answer.status, answer.text]).toEqual([400, 'endDate must be after startDate']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('401 without a key, 403 with a public one, before the body is read', async () => {
    const { id } = await create();
    for (const json of [schedule(), {}]) {
      expect((await replace(id, json, '', null)).body.code).toBe('Unauthorized');
      expect((await replace(id, json, '', keys().client)).body.code).toBe('Forbidden');
    }
  });
});

describe('replacing a schedule', () => {
  test('answers with the schedule as it is now, under the same id', async () => {
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

  test('drops tier shares that the body does not name, and does not merge', async () => {
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

  test("drops the group-wide share that the body does not name: then the group's default is reported", async () => {
    const { id, startDate, endDate } = await create({ revShare: 77 });
    const tierRevenueShares = [{ tierId: gold, revShare: 30 }];
    const { body } = await replace(id, { startDate, endDate, tierRevenueShares });
    expect(body.revShare).toBe(10);
  });

  test('does not overlap itself: the same window, a shorter, a longer, one beside it', async () => {
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

  test('frees the window it had', async () => {
    const { id, startDate, endDate } = await create();
    await replace(id, schedule());
    expect((await send('POST', path, { startDate, endDate, revShare: 5 })).status).toBe(200);
  });

  test('takes an instant, as creating does not', async () => {
    const { id, startDate } = await create();
    const { status, body } = await replace(id, { startDate, endDate: startDate, revShare: 5 });
    expect([status, body.startDate, body.endDate]).toEqual([200, startDate, startDate]);
  });

  test('works with a key of the group alone, whatever groupId says', async () => {
    const { id } = await create({}, '?groupId=moba');
    const { status, body } = await replace(id, schedule(), '?groupId=nowhere', keys().moba);
    expect([status, body.groupId]).toEqual([200, 'moba']);
  });
});
