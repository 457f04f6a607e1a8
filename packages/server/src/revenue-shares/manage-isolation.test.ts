import { beforeAll, describe, expect, test } from 'vitest';
import { seen, useManagement } from '../../test/management.ts';
import { schedule, schedulesPath } from '../../test/schedules.ts';
import type { Answer } from '../../test/test-service.ts';

const { service, keys, ask, send, remove } = useManagement();

const tier = '22222222-2222-4222-8222-222222222222';
const noTier = '99999999-9999-4999-8999-999999999999';
const theirs: Record<string, string> = {};
const rivalSees = async () =>
  Promise.all(
    ['/groups', '/members', '/tiers', `/tiers/${tier}`, schedulesPath, '/members?groupId=hidden'].map(
      async (path) => (await ask(path, { key: keys().rival })).text,
    ),
  );
beforeAll(async () => {
  await service().provision(
    `{ publisher: { id: rival }, groups: [ { id: main, tiers: [ { id: ${tier}, name: Theirs, revShare: 50 } ], members: [ { id: acc_rival, tier: Theirs } ] } ] }`,
  );
  const key = keys().rival;
  theirs.schedule = (await send('POST', schedulesPath, schedule(), { key })).body.id;
  theirs.code = (await send('POST', '/members', { playerId: 'p-theirs' }, { key })).body.code;
  theirs.member = (await ask('/members/player/p-theirs', { key })).body.id;
  theirs.authCode = (await ask('/members/p-theirs/authCode', { key })).body.authCode;
});

type Call = (what: {
  group: string;
  tier: string;
  schedule: string;
  member: string;
  code: string;
  player: string;
  authCode: string;
}) => Promise<Answer>;
/** Calls to each operation with another publisher's ids and with unknown ids. */
const calls: Record<string, readonly Call[]> = {
  listGroups: [({ group }) => ask(`/groups?groupId=${group}`)],
  listMembers: [({ group }) => ask(`/members?groupId=${group}`)],
  getMemberByCode: [
    ({ code }) => ask(`/members/${code}`),
    ({ group }) => ask(`/members/ALICE?groupId=${group}`),
  ],
  getMemberById: [
    ({ member }) => ask(`/members/id/${member}`),
    ({ member, group }) => ask(`/members/id/${member}?groupId=${group}`),
  ],
  getMemberByPlayer: [
    ({ player }) => ask(`/members/player/${player}`),
    ({ player, group }) => ask(`/members/player/${player}?groupId=${group}`),
  ],
  generateMember: [({ group }) => send('POST', `/members?groupId=${group}`, { playerId: 'p-1' })],
  getAuthCode: [
    ({ player }) => ask(`/members/${player}/authCode`),
    ({ player, group }) => ask(`/members/${player}/authCode?groupId=${group}`),
  ],
  linkMember: [
    ({ player, authCode }) => send('POST', '/members/link', { playerId: player, authCode }),
    ({ player, authCode, group }) =>
      send('POST', `/members/link?groupId=${group}`, { playerId: player, authCode }),
  ],
  listTiers: [({ group }) => ask(`/tiers?groupId=${group}`)],
  getTier: [({ tier }) => ask(`/tiers/${tier}`), ({ tier, group }) => ask(`/tiers/${tier}?groupId=${group}`)],
  createScheduledRevShare: [
    ({ group }) => send('POST', `${schedulesPath}?groupId=${group}`, schedule()),
    ({ tier }) =>
      send('POST', schedulesPath, schedule({ tierRevenueShares: [{ tierId: tier, revShare: 5 }] })),
  ],
  replaceScheduledRevShare: [
    ({ schedule: id }) => send('PUT', `${schedulesPath}/${id}`, schedule()),
    ({ schedule: id, group }) => send('PUT', `${schedulesPath}/${id}?groupId=${group}`, schedule()),
  ],
  listScheduledRevShares: [({ group }) => ask(`${schedulesPath}?groupId=${group}`)],
  deleteScheduledRevShare: [
    ({ schedule: id }) => remove(`${schedulesPath}/${id}`),
    ({ schedule: id, group }) => remove(`${schedulesPath}/${id}?groupId=${group}`),
  ],
};

describe("another publisher's ids get exactly the same response as unknown ids", () => {
  test.each(Object.entries(calls))('%s', async (operation, each) => {
    const before = await rivalSees();
    for (const call of each) {
      const other = await call({
        group: 'hidden',
        tier,
        schedule: theirs.schedule ?? '',
        member: theirs.member ?? '',
        code: theirs.code ?? '',
        player: 'p-theirs',
        authCode: theirs.authCode ?? '',
      });
      const unknown = await call({
        group: 'nowhere',
        tier: noTier,
        schedule: 'AAAAAAAAAAAAAAAAAAAAA',
        member: 'gen_00000000000000000000',
        code: '00000000',
        player: 'p-unknown',
        authCode: 'ABCD-EFGH',
      });
      expect(seen(other)).toEqual(seen(unknown));
      expect(operation === 'listGroups' ? [200] : [400, 404]).toContain(other.status);
    }
    expect(await rivalSees()).toEqual(before);
  });

  test('and this list includes every operation under /v1/manage', () => {
    const { paths = {} } = service().app.swagger() as unknown as {
      paths?: Record<string, Record<string, { operationId: string }>>;
    };
    const documented = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/manage/'))
      .flatMap(([, operations]) => Object.values(operations).map(({ operationId }) => operationId));
    expect(documented.toSorted()).toEqual(Object.keys(calls).toSorted());
  });
});

describe('two publishers can have', () => {
  test('the same window in groups with the same id', async () => {
    const body = schedule();
    const ours = await send('POST', schedulesPath, body);
    const other = await send('POST', schedulesPath, body, { key: keys().rival });
    expect([ours.status, other.status]).toEqual([200, 200]);
    const ids = async (key: string) =>
      (await ask(`${schedulesPath}?pageSize=100`, { key })).body.scheduledRevShares.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids(keys().backend)).not.toContain(other.body.id);
    expect(await ids(keys().rival)).not.toContain(ours.body.id);
  });

  test('the same playerId', async () => {
    expect((await ask('/members/player/p-1')).body.id).toBe('acc_alice');
    expect((await ask('/members/player/p-1', { key: keys().rival })).body.id).toBe('acc_rival');
  });
});
