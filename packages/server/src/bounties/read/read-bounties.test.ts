import { describe, expect, test } from 'vitest';
import { amount, bounty, eventsOf, newPlayers, purchases, useBounties } from '../../../test/bounties.ts';
import { preflight } from '../../../test/management.ts';
import { countTowardNext } from './progress-rows.ts';

const at = useBounties();
const { define, defineAll, earn, settle, settleAndCheck, bounties, group } = at;
const client = () => ({ key: at.keys().client });
const list = (query = '') => bounties('GET', `/bounties?groupId=${group()}${query}`, client());

describe('the list', () => {
  test('has pages ordered by start, with the page fields of the contract', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `${group()}-${index}`);
    await defineAll(
      ids.map((id, index) =>
        bounty({ id, startsAt: `2024-01-${String(28 - index).padStart(2, '0')}T00:00:00Z` }),
      ),
    );
    const first = await list();
    expect(first.status).toBe(200);
    const { bounties: found, ...paging } = first.body;
    expect(paging).toEqual({
      groupId: group(),
      groupName: group(),
      currentPage: 1,
      currentPageSize: 10,
      totalCount: 12,
    });
    const second = await list('&page=2');
    const third = await list('&page=3&pageSize=5');
    const of = (answer: { body: { bounties: { id: string }[] } }) => answer.body.bounties.map(({ id }) => id);
    expect([...found.map(({ id }: { id: string }) => id), ...of(second)]).toEqual(ids.toReversed());
    expect(of(third)).toEqual(ids.toReversed().slice(10));
    expect((await list('&page=4')).body).toMatchObject({ totalCount: 12, bounties: [] });
  });

  test.each([
    ['page=0', 'InvalidPage'],
    ['page=x', 'InvalidPage'],
    ['page=1&page=2', 'InvalidPage'],
    ['page=10000', 'InvalidPage'],
    ['pageSize=0', 'InvalidPageSize'],
    ['pageSize=101', 'InvalidPageSize'],
  ])('rejects %s', async (query, code) => {
    const { status, body } = await list(`&${query}`);
    expect([status, body.code]).toEqual([400, code]);
  });

  test("follows the group rule: the default group, a scoped key's own group, and nothing for another publisher", async () => {
    const id = await define({}, 'main');
    const idsOf = async (path: string, key: string) =>
      (await bounties('GET', path, { key })).body.bounties.map((each: { id: string }) => each.id);
    expect(await idsOf('/bounties', at.keys().client)).toContain(id);
    expect(await idsOf('/bounties?groupId=nonsense', at.keys().moba)).toEqual([]);
    expect(await idsOf('/bounties', at.keys().rival)).toEqual([]);
    const unknown = await bounties('GET', '/bounties?groupId=nowhere', client());
    expect([unknown.status, unknown.body.code]).toEqual([404, 'InvalidGroup']);
    expect((await bounties('GET', '/bounties', { key: null })).status).toBe(401);
    const { headers } = await preflight(at.service(), '/v1/bounties', 'GET');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('one bounty', () => {
  test('shows everything that was defined and leaves out absent values', async () => {
    const before = await define({ name: 'Before' });
    const id = `${group()}-full`;
    await defineAll([
      bounty({
        id,
        name: 'Full',
        description: 'All of it',
        imageSrc: 'https://game.example/a.png',
        rewardDescription: 'A lot',
        limit: 3,
        endsAt: '2030-01-01T02:00:00+02:00',
        prerequisites: [before],
        objectives: [
          { id: `${id}-1`, ...purchases(2, { skus: [{ id: 'z' }, { id: 'a', name: 'Axe' }] }) },
          { id: `${id}-2`, ...amount(500, 'EUR') },
          { id: `${id}-3`, ...newPlayers(4, { currency: 'JPY' }) },
          { id: `${id}-4`, ...eventsOf('won', 5) },
        ],
        rewards: [
          { id: `${id}-5`, name: 'X', type: 'External', externalId: 'x-1' },
          { id: `${id}-6`, name: 'P', type: 'Payment', amount: 1, currency: 'KWD' },
          { id: `${id}-7`, name: 'S', type: 'Sku', sku: { id: 'sword', name: 'Sword' } },
        ],
      }),
    ]);
    const { body } = await bounties('GET', `/bounties/${id}?groupId=${group()}`, client());
    const count = 'Count';
    expect(body).toEqual({
      groupId: group(),
      groupName: group(),
      bounty: {
        id,
        name: 'Full',
        description: 'All of it',
        imageSrc: 'https://game.example/a.png',
        rewardDescription: 'A lot',
        limit: 3,
        startsAt: '2024-01-01T00:00:00.000Z',
        endsAt: '2030-01-01T00:00:00.000Z',
        objectives: [
          {
            id: `${id}-1`,
            name: 'Sell',
            type: 'Purchase',
            condition: count,
            count: 2,
            skus: [
              { id: 'z', name: 'z' },
              { id: 'a', name: 'Axe' },
            ],
          },
          {
            id: `${id}-2`,
            name: 'Earn',
            type: 'Purchase',
            condition: 'Amount',
            count: 500,
            currency: 'EUR',
            skus: [],
          },
          {
            id: `${id}-3`,
            name: 'Bring players',
            type: 'NewPlayers',
            condition: count,
            count: 4,
            currency: 'JPY',
            skus: [],
          },
          {
            id: `${id}-4`,
            name: 'Do',
            type: 'Event',
            condition: count,
            count: 5,
            eventCode: 'won',
            skus: [],
          },
        ],
        rewards: [
          { id: `${id}-5`, name: 'X', type: 'External', externalId: 'x-1' },
          { id: `${id}-6`, name: 'P', type: 'Payment', amount: 1, currency: 'KWD' },
          { id: `${id}-7`, name: 'S', type: 'Sku', sku: { id: 'sword', name: 'Sword' } },
        ],
        prerequisites: [{ id: before, name: 'Before' }],
        dependants: [],
      },
    });
    const shown = async (bountyId: string) =>
      (await bounties('GET', `/bounties/${bountyId}?groupId=${group()}`, client())).body.bounty;
    const plain = await shown(before);
    expect(plain).toMatchObject({ limit: 1, dependants: [{ id, name: 'Full' }], prerequisites: [] });
    expect(Object.keys(plain)).not.toContain('endsAt');
    const endless = await define({ limit: null });
    expect(await shown(endless)).not.toHaveProperty('limit');
  });

  test('is found in the group chosen by the group rule, and otherwise returns 400 BountyNotFound', async () => {
    const id = await define({}, 'main');
    const mobas = await define({}, 'moba');
    const answer = async (bountyId: string, key: string, query = '') => {
      const path = `/bounties/${encodeURIComponent(bountyId)}${query}`;
      const { status, body } = await bounties('GET', path, { key });
      return `${status} ${body.bounty?.id ?? body.code}`;
    };
    expect(await answer(id, at.keys().client)).toBe(`200 ${id}`);
    expect(await answer(mobas, at.keys().client, '?groupId=moba')).toBe(`200 ${mobas}`);
    expect(await answer(mobas, at.keys().moba, '?groupId=main')).toBe(`200 ${mobas}`);
    expect(await answer(mobas, at.keys().client)).toBe('400 BountyNotFound');
    expect(await answer(id, at.keys().client, '?groupId=nowhere')).toBe('404 InvalidGroup');
    for (const [bountyId, key] of [
      [id, at.keys().moba],
      [id, at.keys().rival],
      [id.toUpperCase(), at.keys().client],
      ['nothing', at.keys().client],
      ["x' or 'a", at.keys().client],
    ] as const)
      expect(await answer(bountyId, key)).toBe('400 BountyNotFound');
    expect((await bounties('GET', `/bounties/${id}`, { key: null })).status).toBe(401);
    const wrong = await bounties('GET', `/bounties/${id}?includeProgress=perhaps`, client());
    expect([wrong.status, wrong.body.code]).toEqual([400, 'InvalidInput']);
  });
});

describe('progress', () => {
  test('shows the count toward the next completion, and past completions with their rewards', async () => {
    const id = await define({
      limit: 2,
      objectives: [
        { id: `${group()}-o1`, ...purchases(2) },
        { id: `${group()}-o2`, ...amount(30) },
      ],
      rewards: [
        { name: 'Trophy', type: 'External', externalId: 't' },
        { name: 'Bonus', type: 'Payment', amount: 5, currency: 'USD' },
      ],
    });
    for (let index = 0; index < 3; index += 1) await earn(group(), 'A', 25);
    at.setNow('2026-06-01T00:00:00.000Z');
    await settleAndCheck();
    const { body } = await bounties(
      'GET',
      `/bounties/${id}?groupId=${group()}&includeProgress=true`,
      client(),
    );
    const { data, ...paging } = body.progress;
    expect(paging).toEqual({ currentPage: 1, currentPageSize: 10, totalCount: 1 });
    expect(data).toHaveLength(1);
    const [progress] = data;
    const objective = (number: 1 | 2, count: number) => ({
      id: `${progress.id}.${group()}-o${number}`,
      completed: count >= (number === 1 ? 2 : 30),
      count,
      objective:
        number === 1
          ? { id: `${group()}-o1`, name: 'Sell', count: 2, condition: 'Count' }
          : { id: `${group()}-o2`, name: 'Earn', count: 30, condition: 'Amount' },
    });
    const rewards = progress.completedObjectives[0].rewards;
    expect(progress).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      completed: false,
      completionCount: 1,
      lastProgressCheck: '2026-06-01T00:00:00.000Z',
      currentObjectives: [objective(1, 1), objective(2, 30)],
      currentObjectiveGroupId: `${progress.id}.2`,
      completedObjectives: [
        {
          objectiveGroupId: `${progress.id}.1`,
          objectives: [objective(1, 2), objective(2, 30)],
          rewards: [
            { id: rewards[0].id, name: 'Trophy', externalId: 't', rewardCompleted: false, type: 'External' },
            { id: rewards[1].id, name: 'Bonus', rewardCompleted: true, type: 'Payment' },
          ],
        },
      ],
      member: {
        id: at.memberId('A'),
        playerId: 'p-A',
        name: 'A',
        codes: [{ code: 'M-A', isPrimary: true, isGenerated: false, isManaged: false }],
      },
    });
    await earn(group(), 'A', 25);
    await settleAndCheck();
    expect(await at.progress(id)).toMatchObject({
      completed: true,
      completionCount: 2,
      currentObjectives: [objective(1, 2), objective(2, 30)],
    });
  });

  test('includes a page of the approved, visible members in the order they joined', async () => {
    const members = Array.from({ length: 7 }, (_, index) => `${group()}-m${index}`);
    await at.provisionGroup(
      group(),
      `members: [ ${members.map((id) => `{ id: ${id}, codes: [ { code: ${id}, group: ${group()} } ] }`).join(', ')} ]`,
    );
    const id = await define({ objectives: [purchases(9)] });
    for (const code of members.toReversed()) {
      const sent = { code, subtotal: 1, transactionDate: '2024-05-01T00:00:00Z' };
      await earn(group(), 'A', 1, sent);
      await settle();
    }
    await at.provisionGroup(
      group(),
      `members: [ { id: ${members[1]}, status: Removed }, { id: ${members[2]}, visible: false }, { id: ${members[3]}, status: Pending } ]`,
    );
    const shown = async (query: string) => {
      const path = `/bounties/${id}?groupId=${group()}&includeProgress=true${query}`;
      const { data, totalCount } = (await bounties('GET', path, client())).body.progress;
      expect(totalCount).toBe(4);
      return data.map((each: { member: { id: string } }) => each.member.id);
    };
    const left = [0, 4, 5, 6].map((index) => members[index]);
    expect(await shown('')).toEqual(left);
    expect(await shown('&pageSize=3&page=1')).toEqual(left.slice(0, 3));
    expect(await shown('&pageSize=3&page=2')).toEqual(left.slice(3));
    const { status, body } = await bounties(
      'GET',
      `/bounties/${id}?groupId=${group()}&includeProgress=true&pageSize=101`,
      client(),
    );
    expect([status, body.code]).toEqual([400, 'InvalidPageSize']);
  });

  test('of a member includes every begun bounty of the group, ordered by start', async () => {
    const later = await define({ startsAt: '2024-03-01T00:00:00Z', objectives: [purchases(3)] });
    const sooner = await define({ objectives: [purchases(3)] });
    await define({ objectives: [purchases(3, { currency: 'EUR' })] });
    await earn(group(), 'A', 1);
    await settle();
    const ask = (memberId: string, query = `?groupId=${group()}`, key = at.keys().client) =>
      bounties('GET', `/bounties/member/id/${encodeURIComponent(memberId)}${query}`, { key });
    const { status, body } = await ask(at.memberId('A'));
    expect(status).toBe(200);
    const paging = { groupId: group(), groupName: group(), currentPage: 1, currentPageSize: 10 };
    const named = async (bountyId: string) => ({
      ...(await at.progress(bountyId)),
      name: expect.any(String),
      limit: 1,
    });
    expect(body).toEqual({
      ...paging,
      totalCount: 2,
      memberId: at.memberId('A'),
      playerId: 'p-A',
      progress: [await named(sooner), await named(later)],
    });
    const second = await ask(at.memberId('A'), `?groupId=${group()}&page=2&pageSize=1`);
    expect(second.body).toMatchObject({ currentPage: 2, currentPageSize: 1, totalCount: 2 });
    expect(second.body.progress).toEqual([await named(later)]);
    expect((await ask(at.memberId('B'))).body).toEqual({
      ...paging,
      totalCount: 0,
      memberId: at.memberId('B'),
      playerId: 'p-B',
      progress: [],
    });
    expect((await ask('acc_alice', '')).body).toMatchObject({ memberId: 'acc_alice', playerId: 'p-1' });
    for (const [memberId, query, key] of [
      ['unknown', undefined, undefined],
      ['acc_pending', '', undefined],
      ['acc_removed', '', undefined],
      [at.memberId('A'), '', undefined],
      [at.memberId('A'), undefined, at.keys().moba],
      [at.memberId('A'), '', at.keys().rival],
    ] as const) {
      const answer = await ask(memberId, query, key);
      expect([answer.status, answer.body.code], memberId).toEqual([400, 'MemberNotFound']);
    }
    const unknown = await ask(at.memberId('A'), '?groupId=nowhere');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'InvalidGroup']);
    expect((await bounties('GET', `/bounties/member/id/${at.memberId('A')}`, { key: null })).status).toBe(
      401,
    );
  });
});

test.each([
  [0n, 10, 0, 0],
  [7n, 10, 0, 7],
  [10n, 10, 0, 10],
  [25n, 10, 0, 10],
  [25n, 10, 2, 5],
  [19n, 10, 2, 0],
  [2n ** 70n, Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER],
])(
  'of a total of %s, with a target of %i and %i completions, %i counts toward the next completion',
  (total, target, completions, left) => {
    expect(countTowardNext(total, target, completions)).toBe(left);
  },
);
