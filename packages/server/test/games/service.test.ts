import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, newPlayers, purchases, useBounties } from '../bounties.ts';
import { useTransactions } from '../transactions.ts';
import { type Core, cores, useDriver } from './cores.ts';

const oddId = 'p/9 %25 ?&=+#é😀';

const service = useBounties();
/** Service that allows two guesses a minute. */
const guarded = useTransactions({ environment: { CODE_MISSES_PER_MINUTE: '2' } });

/** Answers that are faults of a server, by path. */
const faults: Readonly<Record<string, RequestListener>> = {
  closes: (request) => request.socket.destroy(),
  slow: () => undefined,
  truncated: (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
    response.write('{"groupId":"main"', () => request.socket.destroy());
  },
  huge: (_, response) => {
    response.on('error', () => undefined);
    response.end(Buffer.alloc(30_000_000, ' '));
  },
  binary: (_, response) => response.end(Buffer.from([0x7b, 0xff, 0xfe, 0x00])),
  elsewhere: (_, response) => response.writeHead(302, { location: '/stolen/v1/manage/members' }).end(),
};
const requested: string[] = [];
let faulty = '';
const server = createServer((request, response) => {
  const path = request.url ?? '';
  requested.push(path);
  faults[path.split('/')[1] ?? '']?.(request, response);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  faulty = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each(cores)('$name', (core: Core) => {
  describe.skipIf(!core.isInstalled)('against the service', () => {
    const driver = useDriver(core);
    const call = (name: string, command: object = {}) =>
      driver.run({
        ...{ do: 'call', call: name, baseUrl: service.service().url, key: service.keys().client },
        ...command,
      });
    const read = async (path: string): Promise<unknown> => {
      const { status, body } = await service
        .service()
        .call('GET', `/v1/${path}`, { key: service.keys().client });
      expect(status).toBe(200);
      return body;
    };

    test('reads members by code, account id and player id', async () => {
      const alice = await read('manage/members/ALICE');
      const found = { value: alice };
      expect((await call('getMemberByCode', { id: 'alice' })).result).toEqual(found);
      expect((await call('getMemberByCode', { id: 'ALICE', groupId: '' })).result).toEqual(found);
      expect((await call('getMemberById', { id: 'acc_alice', groupId: 'main' })).result).toEqual(found);
      expect((await call('getMemberByPlayer', { id: 'p-1' })).result).toEqual(found);
      expect((await call('getMemberByCode', { id: 'MOBA-AL', groupId: 'moba' })).result.value.groupId).toBe(
        'moba',
      );
    });

    test('text that needs escaping arrives as it is', async () => {
      const playerMetadata = { displayName: 'Zoë 😀 "\\', nested: { list: [1.5, null, true] } };
      const made = await service.send('POST', '/members', { playerId: oddId, playerMetadata });
      expect(made.status).toBe(200);
      const { result } = await call('getMemberByPlayer', { id: oddId });
      expect(result.value).toMatchObject({ playerId: oddId, playerMetadata });
      expect((await call('getReferralCode', { id: oddId })).result).toEqual({ value: made.body.code });
    });

    test.each(['none', 'a/b', '100%', '%2F', 'a b', '😀', '../members', '?groupId=none', 'x'.repeat(300)])(
      'an unknown code is rejected as such: %s',
      async (id) => {
        const { result } = await call('getMemberByCode', { id });
        expect(result.error).toMatchObject({
          kind: 'Rejected',
          status: 400,
          code: 'CodeNotInGroup',
          tries: 1,
        });
      },
    );

    test('lists members by page', async () => {
      const all = await call('listMembers', { pageSize: 1_000 });
      expect(all.result.value).toEqual(await read('manage/members?pageSize=1000'));
      const second = await call('listMembers', { page: 2, pageSize: 1 });
      expect(second.result.value.members).toEqual([all.result.value.members[1]]);
      const { result } = await call('listMembers', { pageSize: 1_001 });
      expect(result.error).toMatchObject({ kind: 'Rejected', status: 400 });
    });

    test('reads bounties with progress', async () => {
      const group = service.group();
      const bountyId = await service.define({
        description: 'Sell and win',
        rewardDescription: 'A trophy',
        limit: 3,
        endsAt: '2099-01-01T00:00:00Z',
        objectives: [purchases(1, { skus: [{ id: 'sword', name: 'Sword' }] }), eventsOf('won', 1)],
        rewards: [
          { name: 'Trophy', type: 'External', externalId: 'trophy-7' },
          { name: 'Bonus', type: 'Payment', amount: 5000, currency: 'USD' },
          { name: 'Sword', type: 'Sku', sku: { id: 'sword', name: 'Sword' } },
        ],
      });
      await service.define({ objectives: [newPlayers(1)], prerequisites: [bountyId] });
      await service.earn(group, 'A', 500, { skuId: 'sword', playerId: 'p-7' });
      await service.earn(group, 'B', 500, { skuId: 'sword', playerId: 'p-8' });
      const event = { eventId: `${group} 1`, eventCode: 'won', code: 'M-A', playerId: 'p-7' };
      expect((await service.bounties('POST', `/events?groupId=${group}`, { json: event })).status).toBe(200);
      await service.settleAndCheck();

      const list = await call('listBounties', { groupId: group });
      expect(list.result.value).toEqual(await read(`bounties?groupId=${group}`));
      const plain = await call('getBounty', { id: bountyId, groupId: group });
      expect(plain.result.value).toEqual(await read(`bounties/${bountyId}?groupId=${group}`));
      const detail = await call('getBounty', { id: bountyId, groupId: group, flag: true, pageSize: 100 });
      expect(detail.result.value).toEqual(
        await read(`bounties/${bountyId}?groupId=${group}&includeProgress=true&pageSize=100`),
      );
      const [first] = detail.result.value.progress.data;
      expect(first).toMatchObject({ completionCount: 1, member: { id: service.memberId('A') } });
      expect(first.completedObjectives[0].rewards).toHaveLength(3);
      const member = { id: service.memberId('B'), groupId: group };
      const progress = await call('getMemberProgress', member);
      expect(progress.result.value).toEqual(await read(`bounties/member/id/${member.id}?groupId=${group}`));
      expect(
        progress.result.value.progress[0].currentObjectives.map(({ count }: { count: number }) => count),
      ).toEqual([1, 0]);
      expect((await call('getBounty', { id: 'none' })).result.error).toMatchObject({
        status: 400,
        code: 'BountyNotFound',
      });
    });

    test('reads supporters, who stay unnamed', async () => {
      const attached = await service.service().call('PUT', '/v1/attributions/players/fan-1/code', {
        key: service.keys().backend,
        json: { code: 'BOB' },
      });
      expect(attached.status).toBe(200);
      const ofPlayer = await call('getPlayerReferrals', { id: 'p-2' });
      expect(ofPlayer.result.value).toEqual(await read('referrals/player/p-2'));
      expect(ofPlayer.result.value.referrals).toHaveLength(1);
      const { result } = await call('getCodeReferrals', { id: 'bob', flag: true });
      expect(result.value).toMatchObject({ totalCount: 1, referrals: [], codes: [{ code: 'BOB' }] });
      expect((await call('getReferralCode', { id: 'p-2' })).result).toEqual({ value: 'BOB' });
      expect((await call('getReferralCode', { id: 'none' })).result.error).toMatchObject({
        status: 404,
        code: 'ReferralAccountNotFound',
      });
    });

    test('a wrong key and a wrong group are rejected at once', async () => {
      const key = 'svc_pk_0123456789abcdefghijABCDEFGHIJ01234567';
      const unauthorized = { kind: 'Rejected', status: 401, code: 'Unauthorized', tries: 1 };
      expect((await call('listMembers', { key })).result.error).toMatchObject(unauthorized);
      expect((await call('getMemberByCode', { id: 'ALICE', groupId: 'no' })).result.error).toMatchObject({
        status: 400,
        code: 'InvalidGroup',
      });
      expect((await call('listBounties', { groupId: 'no' })).result.error).toMatchObject({
        status: 404,
        code: 'InvalidGroup',
      });
    });

    test('a code field finds a creator as the player types', async () => {
      const texts = ['a', 'al', 'ali', 'alic', 'alice', 'alice?'];
      const at = [0, 60, 120, 180, 240, 1_500];
      const steps = texts.map((text, index) => ({ at: at[index], text }));
      const { changes, requests } = await driver.run({
        ...{ do: 'field', baseUrl: service.service().url, key: service.keys().client, steps, endMs: 2_500 },
      });
      const states = changes.map(({ state, member }: Record<string, unknown>) => member ?? state);
      expect(states).toEqual(['Waiting', 'Checking', 'acc_alice', 'Waiting', 'Checking', 'Unknown']);
      expect(requests).toHaveLength(2);
    });

    test.each<[fault: string, error: { tries: number; kind: string; status?: number }, options?: object]>([
      ['closes', { kind: 'ConnectionFailed', status: 0, tries: 4 }],
      ['truncated', { kind: 'ConnectionFailed', tries: 4 }],
      ['slow', { kind: 'TimedOut', tries: 4 }, { tryTimeoutMs: 700 }],
      ['huge', { kind: 'InvalidResponse', tries: 1 }, { maxBodyBytes: 1_000_000 }],
      ['binary', { kind: 'InvalidResponse', status: 200, tries: 1 }],
      ['elsewhere', { kind: 'Rejected', status: 302, tries: 1 }],
    ])(
      'a server that is faulty: %s',
      async (fault, error, options = {}) => {
        requested.length = 0;
        const { result } = await call('listMembers', {
          baseUrl: `${faulty}/${fault}`,
          random: 1,
          ...options,
        });
        expect(result.error).toMatchObject(error);
        expect(requested).toEqual(Array(error.tries).fill(`/${fault}/v1/manage/members`));
      },
      60_000,
    );

    test('a server that is not there', async () => {
      const { result } = await call('listMembers', { baseUrl: 'http://127.0.0.1:1', totalTimeoutMs: 600 });
      expect(result.error).toMatchObject({ kind: 'ConnectionFailed', status: 0, tries: 2 });
    });

    test('too many guesses are rejected with the time to wait, and members are still found', async () => {
      const answer = (id: string) =>
        call('getMemberByCode', { id, baseUrl: guarded.service().url, key: guarded.keys().client });
      for (let guess = 0; guess < 3; guess += 1) await answer(`guess ${guess}`);
      const { result } = await answer('guess');
      const rejected = { status: 429, code: 'RateLimited', retryAfterMs: 60_000, tries: 1 };
      expect(result.error).toMatchObject(rejected);
      expect((await answer('BOB')).result.value.id).toBe('acc_bob');
    });
  });
});
