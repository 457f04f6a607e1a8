import { beforeAll, describe, expect, test } from 'vitest';
import { preflight, useManagement } from '../../../test/management.ts';

const { service, keys, ask, provisionGroup } = useManagement();

const path = '/members';
const idsOf = ({ body }: { body: { members: { id: string }[] } }): string[] =>
  body.members.map(({ id }) => id);
const alice = {
  groupId: 'main',
  groupName: 'Aurora Creators',
  id: 'acc_alice',
  name: 'Alice',
  playerId: 'p-1',
  playerMetadata: { displayName: 'Al' },
  codes: [
    { code: 'ALICE', isPrimary: true, isGenerated: false, isManaged: false },
    { code: 'AL-1', isPrimary: false, isGenerated: true, isManaged: true },
    { code: 'OLD', isPrimary: false, isGenerated: false, isManaged: false },
  ],
  groupDefaultRevShare: 10,
  codeTTLInDays: 30,
};

describe('a list of members is rejected', () => {
  test.each([
    ['page=0', 'InvalidPage'],
    ['page=-1', 'InvalidPage'],
    ['page=10000', 'InvalidPage'],
    ['page=1.5', 'InvalidPage'],
    ['page=1&page=1', 'InvalidPage'],
    ['pageSize=0', 'InvalidPageSize'],
    ['pageSize=1001', 'InvalidPageSize'],
    ['pageSize=all', 'InvalidPageSize'],
    ['pageSize=1&pageSize=1', 'InvalidPageSize'],
    ['groupId=main&groupId=main', 'InvalidInput'],
    ['groupId=%00', 'InvalidGroup'],
  ])('%s is %s', async (query, code) => {
    const { status, body } = await ask(`${path}?${query}`);
    expect([status, body.code]).toEqual([code === 'InvalidGroup' ? 404 : 400, code]);
  });

  test('404 InvalidGroup for an unknown group', async () => {
    const { status, body } = await ask(`${path}?groupId=nowhere`);
    expect([status, body]).toEqual([
      404,
      { code: 'InvalidGroup', message: 'No creator group was found for the groupId.' },
    ]);
  });

  test('401 without a valid key, before validation', async () => {
    for (const key of [null, 'x']) {
      expect((await ask(`${path}?page=0&groupId=nowhere`, { key })).body.code).toBe('Unauthorized');
    }
  });
});

describe('the member list', () => {
  test('has every field of the contract, and omits absent ones', async () => {
    const { status, body } = await ask(path, { key: keys().client });
    expect(status).toBe(200);
    expect(body).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      groupDefaultRevShare: 10,
      codeTTLInDays: 30,
      currentPage: 1,
      currentPageSize: 100,
      totalCount: 2,
      members: [
        alice,
        {
          groupId: 'main',
          groupName: 'Aurora Creators',
          id: 'acc_bob',
          name: 'Bob',
          playerId: 'p-2',
          codes: [{ code: 'BOB', isPrimary: true, isGenerated: false, isManaged: false }],
          groupDefaultRevShare: 10,
          codeTTLInDays: 30,
        },
      ],
    });
  });

  test('is public, and also accepts a secret key', async () => {
    expect((await ask(path)).text).toBe((await ask(path, { key: keys().client })).text);
  });

  test('uses the group of the key, else groupId, else the default group', async () => {
    expect((await ask(`${path}?groupId=moba`)).body.groupId).toBe('moba');
    expect((await ask(`${path}?groupId=`)).body.groupId).toBe('main');
    for (const query of ['', '?groupId=main', '?groupId=nowhere']) {
      expect((await ask(path + query, { key: keys().moba })).body.groupId).toBe('moba');
    }
  });

  test('shows a creator in two groups with the same name and global codes, and otherwise different values', async () => {
    const { body } = await ask(`${path}?groupId=moba`);
    expect([body.groupDefaultRevShare, idsOf({ body })]).toEqual([8, ['acc_alice', 'acc_dora']]);
    const { playerMetadata: _main, ...shared } = alice;
    expect(body.members[0]).toEqual({
      ...shared,
      groupId: 'moba',
      groupName: 'Aurora MOBA',
      groupDefaultRevShare: 8,
      // MOBA-AL isn't marked as primary, and the account already has a primary code.
      codes: [
        alice.codes[0],
        { code: 'MOBA-AL', isPrimary: false, isGenerated: false, isManaged: false },
        alice.codes[2],
      ],
    });
  });

  test('omits pending, removed and hidden members until that changes', async () => {
    const change = (rest: string) => provisionGroup('moba', `members: [ { id: acc_dora, ${rest} } ]`);
    const listed = async () => {
      const { body } = await ask(`${path}?groupId=moba`);
      expect(body.totalCount).toBe(body.members.length);
      return idsOf({ body });
    };
    for (const hiding of ['status: Pending', 'status: Removed', 'visible: false']) {
      await change(hiding);
      expect(await listed()).toEqual(['acc_alice']);
      await change('status: Approved, visible: true');
      expect(await listed()).toEqual(['acc_alice', 'acc_dora']);
    }
  });

  test("has no members of another publisher's group with the same id", async () => {
    const { body } = await ask(path, { key: keys().rival });
    expect([body.groupId, idsOf({ body })]).toEqual(['main', ['acc_rival']]);
  });
});

describe('pages of members', () => {
  const names = Array.from({ length: 1_005 }, (_, index) => `acc_crowd_${String(index).padStart(4, '0')}`);
  beforeAll(() =>
    provisionGroup(
      'crowd',
      `name: Crowd, revShare: 5, codeTTLInDays: 7, members: [ ${names.map((id) => `{ id: ${id} }`).join(', ')} ]`,
    ),
  );

  test('have 100 members by default, and 1,000 at most', async () => {
    const first = await ask(`${path}?groupId=crowd`);
    expect(first.body).toMatchObject({ currentPage: 1, currentPageSize: 100, totalCount: 1_005 });
    expect(idsOf(first)).toEqual(names.slice(0, 100));
    const largest = await ask(`${path}?groupId=crowd&pageSize=1000`);
    expect(idsOf(largest)).toEqual(names.slice(0, 1_000));
  });

  test('list every member exactly once, in the order of joining', async () => {
    const walked: string[] = [];
    for (let page = 1; page <= 6; page += 1) {
      const answer = await ask(`${path}?groupId=crowd&pageSize=199&page=${page}`);
      expect(answer.body).toMatchObject({ currentPage: page, currentPageSize: 199, totalCount: 1_005 });
      walked.push(...idsOf(answer));
    }
    expect(walked).toEqual(names);
  });

  test('past the end are empty, and still have the total count', async () => {
    const { body } = await ask(`${path}?groupId=crowd&page=9999&pageSize=1000`);
    expect(body).toMatchObject({ currentPage: 9_999, totalCount: 1_005, members: [], codeTTLInDays: 7 });
  });

  test('show a member without codes with an empty list, and omit a missing playerId', async () => {
    const { body } = await ask(`${path}?groupId=crowd&pageSize=1`);
    expect(body.members).toEqual([
      {
        groupId: 'crowd',
        groupName: 'Crowd',
        id: names[0],
        name: names[0],
        codes: [],
        groupDefaultRevShare: 5,
        codeTTLInDays: 7,
      },
    ]);
  });
});

describe('one path, two kinds of keys', () => {
  const allowed = async (method: string) =>
    (await preflight(service(), `/v1/manage${path}`, method)).headers.get('access-control-allow-origin');

  test('allows a browser to list members but not to create one, based on the preflight’s method', async () => {
    expect(await allowed('GET')).toBe('*');
    for (const method of ['POST', 'DELETE', ''])
      expect([method, await allowed(method)]).toEqual([method, null]);
  });

  test('lets a browser read only the answers of the public operation, including errors', async () => {
    const readable = async (method: string, key: string | null): Promise<string | null> =>
      (
        await service().call(method, `/v1/manage${path}`, { key, ...(method === 'POST' && { json: {} }) })
      ).headers.get('access-control-allow-origin');
    for (const key of [keys().client, keys().backend, null]) {
      expect(await readable('GET', key)).toBe('*');
      expect(await readable('POST', key)).toBeNull();
    }
  });
});
