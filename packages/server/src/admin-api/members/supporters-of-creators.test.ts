import { beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole } from '../../../test/admin.ts';
import { useLinking } from '../../../test/linking.ts';

const start = Date.parse('2026-05-01T00:00:00Z');
const dayMs = 86_400_000;
let now = new Date(start);
const { service, keys, makeMember, makeEmptyGroup } = useLinking({ clock: { now: () => now } });
let roles: Record<string, Asking>;

const attach = async (groupId: string, playerId: string, code: string, day: number, key = keys().backend) =>
  expect(
    await service().call('PUT', `/v1/attributions/players/${playerId}/code?groupId=${groupId}`, {
      key,
      json: { code, at: new Date(start + day * dayMs).toISOString() },
    }),
  ).toMatchObject({ status: 200 });

beforeAll(async () => {
  now = new Date(start + 40 * dayMs);
  roles = await asEveryRole(service());
  await makeEmptyGroup('fans', 'codeTTLInDays: 30');
  for (const name of ['ANA', 'ELI']) await makeMember('fans', name);
  await attach('fans', 'loyal', 'ANA', 1);
  await attach('fans', 'loyal', 'ANA', 25);
  await attach('fans', 'gone', 'ANA', 5);
  await attach('fans', 'moved', 'ANA', 15);
  await attach('fans', 'moved', 'ELI', 20);
  await attach('main', 'loyal', 'ALICE', 20);
  await attach('main', 'theirs', 'RIVAL', 20, keys().rival);
});

describe('the number of supporters', () => {
  test('is that of a creator, or of each group', async () => {
    const ask = roles.viewer as Asking;
    expect(await ask('GET', '/supporters?member=acc_ANA')).toMatchObject({
      status: 200,
      body: { days: 30, groups: [{ groupId: 'fans', now: 1, new: 1, ended: 2 }] },
    });
    expect((await ask('GET', '/supporters?member=acc_ELI&days=10')).body).toEqual({
      days: 10,
      groups: [{ groupId: 'fans', now: 1, new: 0, ended: 0 }],
    });
    const { groups } = (await ask('GET', '/supporters')).body;
    expect(
      groups.toSorted((one: { groupId: string }, other: { groupId: string }) =>
        one.groupId < other.groupId ? -1 : 1,
      ),
    ).toEqual([
      { groupId: 'fans', now: 2, new: 1, ended: 1 },
      { groupId: 'main', now: 1, new: 1, ended: 0 },
    ]);
  });

  test('is none for a creator without any, or of another publisher', async () => {
    for (const member of ['acc_unknown', 'acc_rival'])
      expect((await (roles.owner as Asking)('GET', `/supporters?member=${member}`)).body).toEqual({
        days: 30,
        groups: [],
      });
  });

  test.each(['days=0', 'days=91', 'days=1.5', 'days=x'])('is not counted with %s', async (query) => {
    expect(await (roles.owner as Asking)('GET', `/supporters?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
  });
});
