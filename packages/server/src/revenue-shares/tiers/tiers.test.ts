import { beforeAll, describe, expect, test } from 'vitest';
import { seen, useManagement } from '../../../test/management.ts';

const { keys, ask, service, provisionGroup } = useManagement();

const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
const inMoba = '11111111-1111-4111-8111-111111111111';
const theirs = '22222222-2222-4222-8222-222222222222';
beforeAll(async () => {
  await provisionGroup('moba', `tiers: [ { id: ${inMoba}, name: Only, revShare: 12.3456 } ]`);
  await service().provision(
    `{ publisher: { id: rival }, groups: [ { id: main, tiers: [ { id: ${theirs}, name: Theirs, revShare: 50 } ], members: [ { id: acc_rival, tier: Theirs } ] } ] }`,
  );
});

const secretOnly = (path: string) =>
  test(`401 without a key, 403 with a public key: ${path}`, async () => {
    expect((await ask(path, { key: null })).body.code).toBe('Unauthorized');
    const { status, body } = await ask(path, { key: keys().client });
    expect([status, body.code]).toEqual([403, 'Forbidden']);
  });

describe('the list of tiers is rejected', () => {
  secretOnly('/tiers');

  test.each([
    ['page=0', 'InvalidPage'],
    ['page=10000', 'InvalidPage'],
    ['page=x', 'InvalidPage'],
    ['page=1&page=2', 'InvalidPage'],
    ['pageSize=0', 'InvalidPageSize'],
    ['pageSize=101', 'InvalidPageSize'],
    ['pageSize=1&pageSize=2', 'InvalidPageSize'],
    ['groupId=main&groupId=moba', 'InvalidInput'],
    ['groupId=nowhere', 'InvalidGroup'],
    ['groupId=hidden', 'InvalidGroup'],
  ])('400 for %s', async (query, code) => {
    const { status, body } = await ask(`/tiers?${query}`);
    expect([status, body.code]).toEqual([400, code]);
  });
});

describe('the tiers of a group', () => {
  test('include every field of the contract, with the share in percent', async () => {
    const { status, body } = await ask('/tiers');
    expect([status, body]).toEqual([
      200,
      {
        groupId: 'main',
        groupName: 'Aurora Creators',
        currentPage: 1,
        currentPageSize: 10,
        totalCount: 1,
        groupTiers: [{ id: gold, name: 'Gold', revShare: 20, memberCount: 1 }],
      },
    ]);
  });

  test("belong to a scoped key's group or the groupId, and keep four decimals", async () => {
    const wanted = [{ id: inMoba, name: 'Only', revShare: 12.3456, memberCount: 0 }];
    expect((await ask('/tiers?groupId=moba')).body.groupTiers).toEqual(wanted);
    for (const query of ['', '?groupId=main', '?groupId=nowhere'])
      expect((await ask(`/tiers${query}`, { key: keys().moba })).body.groupTiers).toEqual(wanted);
  });

  test('count members of every status', async () => {
    const members = ['Approved', 'Pending', 'Removed', 'Approved']
      .map((status, index) => `{ id: acc_counted_${index}, status: ${status}, tier: Counted }`)
      .join(', ');
    await provisionGroup(
      'counts',
      `revShare: 1, tiers: [ { name: Counted, revShare: 0 }, { name: Empty, revShare: 100 } ], members: [ ${members}, { id: acc_hidden, visible: false, tier: Counted } ]`,
    );
    const { body } = await ask('/tiers?groupId=counts');
    expect(body.groupTiers.map(({ id: _id, ...rest }: { id: string }) => rest)).toEqual(
      expect.arrayContaining([
        { name: 'Counted', revShare: 0, memberCount: 5 },
        { name: 'Empty', revShare: 100, memberCount: 0 },
      ]),
    );
  });

  test('are in pages that neither skip nor repeat a tier, with ten by default', async () => {
    const names = Array.from({ length: 105 }, (_, index) => `T${index}`);
    await provisionGroup(
      'many',
      `revShare: 1, tiers: [ ${names.map((name) => `{ name: ${name}, revShare: 5 }`).join(', ')} ]`,
    );
    const page = async (query: string) => (await ask(`/tiers?groupId=many&${query}`)).body;
    expect((await page('')).groupTiers).toHaveLength(10);
    expect((await page('pageSize=100')).groupTiers).toHaveLength(100);
    const walked: string[] = [];
    for (let number = 1; number <= 4; number += 1) {
      const body = await page(`pageSize=27&page=${number}`);
      expect(body).toMatchObject({ currentPage: number, currentPageSize: 27, totalCount: 105 });
      walked.push(...body.groupTiers.map(({ name }: { name: string }) => name));
    }
    expect(walked.toSorted()).toEqual(names.toSorted());
    expect(await page('page=9999&pageSize=100')).toMatchObject({ totalCount: 105, groupTiers: [] });
  });
});

describe('getting a tier is rejected', () => {
  secretOnly(`/tiers/${gold}`);

  test.each([
    ['an unknown id', '99999999-9999-4999-8999-999999999999'],
    ["that is another group's", inMoba],
    ["that is another publisher's", theirs],
    ['that is its name', 'Gold'],
    ['that is no uuid', 'nonsense'],
    ['without its dashes', gold.replaceAll('-', '')],
    ['in braces', `{${gold}}`],
    ['with more behind it', `${gold}0`],
    ['much too long', 'x'.repeat(3_000)],
    ['with U+0000', '%00'],
    ['that is an emoji', '😀'],
    ['that tries SQL', "' or true --"],
  ])('with the same 404 NotFound: %s', async (_what, tierId) => {
    const path = tierId === '%00' ? tierId : encodeURIComponent(tierId);
    const answer = await ask(`/tiers/${path}`);
    expect([answer.status, answer.body]).toEqual([
      404,
      { code: 'NotFound', message: 'The creator group has no tier with this id.' },
    ]);
    expect(seen(answer)).toEqual(seen(await ask('/tiers/00000000-0000-4000-8000-000000000000')));
  });

  test('with 404 InvalidGroup for an unknown group', async () => {
    for (const group of ['nowhere', 'hidden']) {
      const { status, body } = await ask(`/tiers/${gold}?groupId=${group}`);
      expect([status, body.code]).toEqual([404, 'InvalidGroup']);
    }
  });

  test.each([
    ['page=0', 'InvalidPage'],
    ['pageSize=101', 'InvalidPageSize'],
    ['groupId=main&groupId=main', 'InvalidInput'],
  ])('400 for %s', async (query, code) => {
    expect((await ask(`/tiers/${gold}?${query}`)).body.code).toBe(code);
  });
});

describe('a tier', () => {
  test('has every field of the contract, with the share as a fraction, and members without defaults', async () => {
    const { status, body } = await ask(`/tiers/${gold}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      id: gold,
      name: 'Gold',
      revShare: 0.2,
      currentPage: 1,
      currentPageSize: 10,
      totalCount: 1,
      members: [
        {
          groupId: 'main',
          groupName: 'Aurora Creators',
          id: 'acc_alice',
          name: 'Alice',
          playerId: 'p-1',
          playerMetadata: { displayName: 'Al' },
          codes: expect.arrayContaining([
            { code: 'ALICE', isPrimary: true, isGenerated: false, isManaged: false },
            { code: 'AL-1', isPrimary: false, isGenerated: true, isManaged: true },
          ]),
        },
      ],
    });
  });

  test("is found by its id in capitals too, and in a scoped key's group", async () => {
    expect((await ask(`/tiers/${gold.toUpperCase()}`)).body.id).toBe(gold);
    const scoped = await ask(`/tiers/${inMoba}?groupId=main`, { key: keys().moba });
    expect(scoped.body).toMatchObject({ groupId: 'moba', revShare: 0.123456, members: [], totalCount: 0 });
    expect((await ask(`/tiers/${gold}?groupId=main`, { key: keys().moba })).status).toBe(404);
  });

  test('has pages of its approved members, including hidden ones', async () => {
    const id = '33333333-3333-4333-8333-333333333333';
    const statuses = ['Approved', 'Pending', 'Removed'];
    const members = Array.from(
      { length: 36 },
      (_, index) =>
        `{ id: acc_tier_${String(index).padStart(2, '0')}, status: ${statuses[index % 3]}, visible: ${index % 2 === 0}, tier: Big }`,
    );
    await provisionGroup(
      'big',
      `revShare: 1, tiers: [ { id: ${id}, name: Big, revShare: 33 } ], members: [ ${members.join(', ')}, { id: acc_outside } ]`,
    );
    expect((await ask('/tiers?groupId=big')).body.groupTiers[0].memberCount).toBe(36);
    expect((await ask(`/tiers/${id}?groupId=big`)).body.members).toHaveLength(10);
    const walked: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await ask(`/tiers/${id}?groupId=big&pageSize=5&page=${page}`);
      expect(body).toMatchObject({ currentPage: page, currentPageSize: 5, totalCount: 12 });
      walked.push(...body.members.map((member: { id: string }) => member.id));
    }
    expect(walked).toEqual(
      Array.from({ length: 12 }, (_, index) => `acc_tier_${String(index * 3).padStart(2, '0')}`),
    );
  });
});
