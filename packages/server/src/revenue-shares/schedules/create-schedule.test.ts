import { beforeAll, describe, expect, test } from 'vitest';
import { useManagement } from '../../../test/management.ts';
import { nextWindow, schedulesPath as path, schedule } from '../../../test/schedules.ts';
import { useService } from '../../../test/test-service.ts';

const { service, keys, ask, send, provisionGroup } = useManagement();

const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
const silver = '1b9f3c62-8e0d-4f7a-b1c5-6a2d9e8f4b31';
const inMoba = '11111111-1111-4111-8111-111111111111';
beforeAll(async () => {
  await provisionGroup('main', `tiers: [ { id: ${silver}, name: Silver, revShare: 15 } ]`);
  await provisionGroup('moba', `tiers: [ { id: ${inMoba}, name: Only, revShare: 12 } ]`);
});

const create = (json: unknown, query = '', key: string | null = keys().backend) =>
  send('POST', path + query, json, { key });
const total = async (query = ''): Promise<number> => (await ask(path + query)).body.totalCount;
const error = { errors: [{ message: expect.any(String) }] };

describe('creating a schedule is rejected with an errors array', () => {
  const window = { startDate: '2040-01-01T00:00:00Z', endDate: '2040-02-01T00:00:00Z' };
  const tiers = (...shares: unknown[]) => ({ ...window, tierRevenueShares: shares });

  test.each([
    ['without a start', { endDate: window.endDate, revShare: 5 }],
    ['without an end', { startDate: window.startDate, revShare: 5 }],
    ['with neither share', window],
    ['with no share and no tiers', tiers()],
    ['for a start that is not a timestamp', { ...window, startDate: '2040-01-01', revShare: 5 }],
    ["for an end on a day that doesn't exist", { ...window, endDate: '2040-02-30T00:00:00Z', revShare: 5 }],
    ['for an end without a zone', { ...window, endDate: '2040-02-01T00:00:00', revShare: 5 }],
    ['for a start that is a number', { ...window, startDate: 2208988800, revShare: 5 }],
    ['for an end that is null', { ...window, endDate: null, revShare: 5 }],
    ['for an end after 2100', { ...window, endDate: '2101-01-01T00:00:00Z', revShare: 5 }],
    ['below one percent', { ...window, revShare: 0.9999 }],
    ['of nothing', { ...window, revShare: 0 }],
    ['below zero', { ...window, revShare: -5 }],
    ['above 100 percent', { ...window, revShare: 100.0001 }],
    ['that is text', { ...window, revShare: '5' }],
    ['that is null', { ...window, revShare: null, tierRevenueShares: null }],
    ['that is a fraction', { ...window, revShare: 0.25 }],
    ['with tiers that are not a list', { ...window, revShare: 5, tierRevenueShares: {} }],
    ['with a tier that is text', tiers(gold)],
    ['with a tier without a share', tiers({ tierId: gold })],
    ['with a tier without an id', tiers({ revShare: 5 })],
    ['with a tier below one percent', tiers({ tierId: gold, revShare: 0.5 })],
    ['with a tier above 100 percent', tiers({ tierId: gold, revShare: 101 })],
    ['with an unknown tier', tiers({ tierId: '99999999-9999-4999-8999-999999999999', revShare: 5 })],
    ["with another group's tier", tiers({ tierId: inMoba, revShare: 5 })],
    ["with a tier's name", tiers({ tierId: 'Gold', revShare: 5 })],
    ['with an empty tier id', tiers({ tierId: '', revShare: 5 })],
    ['with U+0000 in a tier id', tiers({ tierId: '\0', revShare: 5 })],
    ['with one tier twice', tiers({ tierId: gold, revShare: 5 }, { tierId: gold, revShare: 6 })],
    [
      'with a tier listed twice, once in capitals',
      tiers({ tierId: gold, revShare: 5 }, { tierId: gold.toUpperCase(), revShare: 5 }),
    ],
    ['with one good tier and one bad', tiers({ tierId: gold, revShare: 5 }, { tierId: 'x', revShare: 5 })],
    ['with 1,001 tiers', tiers(...Array(1_001).fill({ tierId: gold, revShare: 5 }))],
    ['that is a list', [schedule()]],
    ['that is null', null],
  ])('and 400 %s', async (_what, json) => {
    const before = await total();
    const { status, headers, body } = await create(json);
    expect([status, body]).toEqual([400, error]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await total()).toBe(before);
  });

  test.each(['', '{', 'revShare=5', '"x"', '[]'])(
    'and 400 for a body that is not an object: %s',
    async (raw) => {
      const headers = { 'content-type': 'application/json' };
      const { status, body } = await send('POST', path, null, { raw, headers });
      expect([status, body]).toEqual([400, error]);
    },
  );

  test('and 400 for a repeated groupId', async () => {
    const { status, body } = await create(schedule(), '?groupId=main&groupId=main');
    expect([status, body]).toEqual([400, error]);
  });
});

describe('creating a schedule is rejected', () => {
  test.each([
    ['before', '2040-01-02T00:00:00Z', '2040-01-01T00:00:00Z'],
    ['at', '2040-01-01T00:00:00Z', '2040-01-01T00:00:00Z'],
    ['at, in another zone,', '2040-01-01T00:00:00Z', '2040-01-01T02:00:00+02:00'],
    ['less than a millisecond after', '2040-01-01T00:00:00.0001Z', '2040-01-01T00:00:00.0009Z'],
  ])('with 400 in plain text when it ends %s its start', async (_when, startDate, endDate) => {
    const { status, headers, text } = await create({ startDate, endDate, revShare: 5 });
    expect([status, text]).toEqual([400, 'endDate must be after startDate']);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('with 400 and the path of an unknown tier in the body', async () => {
    const { status, body } = await create({
      ...schedule(),
      tierRevenueShares: [
        { tierId: gold, revShare: 5 },
        { tierId: 'x', revShare: 5 },
      ],
    });
    expect([status, body]).toEqual([
      400,
      {
        errors: [{ message: 'tierRevenueShares[1].tierId is not a tier of the group, or is listed twice' }],
      },
    ]);
  });

  test('with 404 InvalidGroup for an unknown group', async () => {
    for (const group of ['nowhere', 'hidden']) {
      const { status, body } = await create(schedule(), `?groupId=${group}`);
      expect([status, body]).toEqual([
        404,
        { code: 'InvalidGroup', message: 'No creator group was found for the groupId.' },
      ]);
    }
  });

  test('with 401 without a key and 403 with a public key, before the body is read', async () => {
    for (const json of [schedule(), {}]) {
      expect((await create(json, '', null)).body.code).toBe('Unauthorized');
      const { status, body } = await create(json, '', keys().client);
      expect([status, body.code]).toEqual([403, 'Forbidden']);
    }
  });

  test('with 409 for the same body again, because creating is not idempotent', async () => {
    const body = schedule();
    expect((await create(body)).status).toBe(200);
    const before = await total();
    const again = await create(body);
    expect([again.status, again.body.code]).toEqual([409, 'Conflict']);
    expect(await total()).toBe(before);
  });
});

describe('a schedule is created', () => {
  test('with null for the tiers or the group share, which counts as absent', async () => {
    const one = await create({ ...schedule(), tierRevenueShares: null });
    expect([one.status, one.body.tierRevenueShares]).toEqual([200, []]);
    const tiers = [{ tierId: gold, revShare: 40 }];
    const other = await create({ ...schedule(), revShare: null, tierRevenueShares: tiers });
    expect([other.status, other.body.tierRevenueShares.length]).toEqual([200, 1]);
  });

  test('with every field of the contract, in UTC and milliseconds', async () => {
    const { status, headers, body } = await create({
      startDate: '2041-01-01T02:00:00.123456+02:00',
      endDate: '2041-02-01T00:00:00Z',
      revShare: 25,
      tierRevenueShares: [
        { tierId: silver, revShare: 30 },
        { tierId: gold.toUpperCase(), revShare: 40 },
      ],
      id: 'chosen-by-the-client-x',
      status: 'Ended',
    });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[A-Za-z0-9]{21}$/),
        revShare: 25,
        startDate: '2041-01-01T00:00:00.123Z',
        endDate: '2041-02-01T00:00:00.000Z',
        groupId: 'main',
        groupName: 'Aurora Creators',
        tierRevenueShares: [
          { revShare: 30, tierId: silver, tierName: 'Silver' },
          { revShare: 40, tierId: gold, tierName: 'Gold' },
        ],
      },
    ]);
    expect(body.id).not.toBe('chosen-by-the-client-x');
    expect(headers.has('x-warning')).toBe(false);
  });

  test("and returns the group's default if it has only tier shares", async () => {
    const tierRevenueShares = [{ tierId: gold, revShare: 30 }];
    expect((await create({ ...nextWindow(), tierRevenueShares })).body).toMatchObject({ revShare: 10 });
    const inTheirs = await create(
      { ...nextWindow(), tierRevenueShares: [{ tierId: inMoba, revShare: 30 }] },
      '?groupId=moba',
    );
    expect(inTheirs.body).toMatchObject({ revShare: 8, groupId: 'moba' });
  });

  test('with an empty list for no tier shares', async () => {
    for (const more of [{}, { tierRevenueShares: [] }])
      expect((await create(schedule(more))).body.tierRevenueShares).toEqual([]);
  });

  test.each([
    [100, 100],
    [1.0001, 1.0001],
    [1.00001, 1],
    [12.3456, 12.3456],
    [12.34565, 12.3456],
    [12.34575, 12.3458],
    [33.33333333333333, 33.3333],
    [99.99999, 100],
  ])('with %d percent rounded to %d: to millionths, ties to even', async (revShare, stored) => {
    const tierRevenueShares = [{ tierId: gold, revShare }];
    const { body, headers } = await create(schedule({ revShare, tierRevenueShares }));
    expect([body.revShare, body.tierRevenueShares[0].revShare]).toEqual([stored, stored]);
    expect(headers.has('x-warning')).toBe(false);
  });

  test("in a scoped key's group, whatever the groupId", async () => {
    for (const query of ['', '?groupId=main', '?groupId=nowhere'])
      expect((await create(schedule(), query, keys().moba)).body.groupId).toBe('moba');
  });

  test('with the same window in every group', async () => {
    const body = schedule();
    expect((await create(body)).status).toBe(200);
    expect((await create(body, '?groupId=moba')).status).toBe(200);
  });
});

describe('a share of exactly 1', () => {
  const oneTier = (revShare: number) => ({ tierRevenueShares: [{ tierId: gold, revShare }] });
  const warning = 'rev-share-one-stored-as-100-percent';

  test('is stored as 100 percent for the group and for tiers, with a warning in the response', async () => {
    for (const [more, group, tier] of [
      [{ revShare: 1 }, 100, undefined],
      [{ revShare: 1, ...oneTier(5) }, 100, 5],
      [{ revShare: 5, ...oneTier(1) }, 5, 100],
      [{ revShare: undefined, ...oneTier(1) }, 10, 100],
    ] as const) {
      const { status, headers, body } = await create(schedule(more));
      expect([status, body.revShare, body.tierRevenueShares[0]?.revShare]).toEqual([200, group, tier]);
      expect(headers.get('x-warning')).toBe(warning);
      const replaced = await send('PUT', `${path}/${body.id}`, { ...body, ...more });
      expect([replaced.status, replaced.headers.get('x-warning')]).toEqual([200, warning]);
      expect(replaced.body).toEqual(body);
    }
  });

  test('causes no warning when nothing was saved', async () => {
    const body = schedule({ revShare: 1 });
    await create(body);
    const again = await create(body);
    expect([again.status, again.headers.has('x-warning')]).toEqual([409, false]);
  });

  describe('with REV_SHARE_ONE=one-percent', () => {
    const fixed = useService({ environment: { REV_SHARE_ONE: 'one-percent' } });

    test('is stored as one percent, without a warning', async () => {
      const [key] = await fixed().provision(
        `{ publisher: { id: aurora, apiKeys: [ { name: k, kind: secret } ] }, groups: [ { id: main, revShare: 10, tiers: [ { id: ${gold}, name: Gold, revShare: 20 } ] } ] }`,
      );
      const { status, headers, body } = await fixed().call('POST', `/v1/manage${path}`, {
        key: key?.key ?? null,
        json: schedule({ revShare: 1, ...oneTier(1) }),
      });
      expect([status, body.revShare, body.tierRevenueShares[0].revShare]).toEqual([200, 1, 1]);
      expect(headers.has('x-warning')).toBe(false);
    });
  });
});

test('the list shows the schedule as it was returned on creation', async () => {
  const [key] = await service().provision(
    `{ publisher: { id: solo, apiKeys: [ { name: k, kind: secret } ] }, groups: [ { id: g, revShare: 7, tiers: [ { id: ${gold}, name: T, revShare: 9 } ] } ] }`,
  );
  const own = key?.key ?? null;
  const created = await create(
    schedule({ revShare: 12.3456, tierRevenueShares: [{ tierId: gold, revShare: 50 }] }),
    '',
    own,
  );
  const { scheduledRevShares } = (await ask(path, { key: own })).body;
  expect(scheduledRevShares).toEqual([{ ...created.body, status: 'Ended' }]);
});
