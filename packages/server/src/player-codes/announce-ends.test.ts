import { expect, test } from 'vitest';
import { useToldEvents } from '../../test/told-events.ts';
import { announceEnds } from './announce-ends.ts';

const { service, keys, db, told, add, provisionGroup } = useToldEvents();

const hourMs = 3_600_000;
const lastsMs = 30 * 24 * hourMs;
const soon = (hours: number): Date => {
  const ms = Date.now() + hours * hourMs - lastsMs;
  return new Date(Math.floor(ms / 1_000) * 1_000);
};
const attach = async (playerId: string, code: string, at: Date, key = keys().backend) =>
  expect(
    await service().call('PUT', `/v1/attributions/players/${playerId}/code`, {
      key,
      json: { code, at: at.toISOString() },
    }),
  ).toMatchObject({ status: 200 });
const never = new AbortController().signal;
const announce = () => announceEnds(db(), new Date(), never);

test('a code that expires within a day is announced once, and no other code is', async () => {
  const at = soon(20);
  await attach('ends', 'ALICE', at);
  await attach('renewed', 'ALICE', at);
  await attach('renewed', 'ALICE', new Date(at.getTime() + hourMs * 24 * 5));
  await attach('moved', 'ALICE', at);
  await attach('moved', 'BOB', new Date());
  await attach('deleted', 'ALICE', at);
  await service().call('DELETE', '/v1/attributions/players/deleted/code', { key: keys().backend });
  await attach('later', 'ALICE', soon(26));
  await attach('ended', 'ALICE', soon(-1));
  await told();
  await Promise.all([announce(), announce()]);
  expect(await told()).toEqual([
    [
      'Player/CodeExpiring',
      {
        groupId: 'main',
        playerId: 'ends',
        code: 'ALICE',
        memberId: 'acc_alice',
        attachedAt: at.toISOString(),
        expiresAt: new Date(at.getTime() + lastsMs).toISOString(),
      },
    ],
  ]);
  await announce();
  expect(await told(), 'told before').toEqual([]);
  await attach('ends', 'ALICE', at);
  await announce();
  expect(await told(), 'the same entry again').toEqual([]);
});

test('the code of a removed creator is not announced, and another publisher’s endpoints hear nothing', async () => {
  await provisionGroup('main', 'members: [ { id: acc_gone, name: Gone, codes: [ { code: GONE } ] } ]');
  await attach('left', 'GONE', soon(20));
  await attach('rivals', 'RIVAL', soon(20), keys().rival);
  await provisionGroup('main', 'members: [ { id: acc_gone, status: Removed } ]');
  await told();
  await announce();
  expect(await told()).toEqual([]);
  await add(['Player/CodeExpiring'], 'rival');
  await announce();
  expect(await db().selectFrom('webhook_event').select(['publisher_id', 'kind']).execute()).toEqual([
    { publisher_id: 'rival', kind: 'Player/CodeExpiring' },
  ]);
});
