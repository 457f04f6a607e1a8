import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { amount, purchases, useBounties } from '../../../test/bounties.ts';
import { killWaiting } from '../../../test/money.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../../test/simulation/crashing-database.ts';
import { connect } from '../../../test/test-database.ts';
import { startService, type TestService } from '../../../test/test-service.ts';
import { woken } from '../../../test/woken.ts';
import { startBounties } from './bounty-worker.ts';
import { completeBounties } from './complete-bounties.ts';

const at = useBounties();
const { define, earn, patch, settle, settleAndCheck, check, standing, given, events, group, db, number } = at;
let crashing: CrashingDatabase;
let other: TestService;
beforeAll(async () => {
  crashing = openCrashingDatabase(at.service().testDatabase.connection);
  other = await startService({ beside: at.service() });
});
afterAll(async () => {
  await crashing.close();
  await other.close();
});
afterEach(() => at.expectSound());

const sell = async (count: number, member: 'A' | 'B' = 'A') => {
  const sold: string[] = [];
  for (let index = 0; index < count; index += 1) sold.push((await earn(group(), member, 10)).transactionId);
  return sold;
};
const refund = (transactionId: string) => patch(transactionId, { form: { action: 'Refund' } });
const payment = { name: 'Bonus', type: 'Payment', amount: 500, currency: 'EUR' };

describe('a bounty', () => {
  test('completes once when all objectives are reached, with all its rewards in one event', async () => {
    const id = await define({
      name: 'All of it',
      objectives: [purchases(2), amount(50)],
      rewards: [
        { id: `${group()}-cup`, name: 'Cup', type: 'External', externalId: 'cup-1' },
        { id: `${group()}-pay`, ...payment },
        { id: `${group()}-sword`, name: 'Sword', type: 'Sku', sku: { id: 'sword', name: 'Sword of A' } },
        { id: `${group()}-bow`, name: 'Bow', type: 'Sku', sku: { id: 'bow' }, externalId: 'cat-bow' },
        { id: `${group()}-none`, name: 'Handshake', type: 'External' },
      ],
    });
    await sell(4);
    expect(await settleAndCheck()).toBe(0);
    expect(await standing(id)).toBe('0/2,40');
    await sell(1);
    expect(await settleAndCheck()).toBe(1);
    expect(await check()).toBe(0);
    await sell(10);
    expect(await settleAndCheck()).toBe(0);
    const progress = await at.progress(id);
    expect(progress).toMatchObject({ completed: true, completionCount: 1 });
    const rewards = await given(id);
    const [event, ...rest] = await events(id);
    expect(rest).toEqual([]);
    const ids = rewards.map((reward) => reward.id);
    const userId = 'p-A';
    expect(event).toEqual({
      attributionGroupId: group(),
      attributionGroupName: group(),
      creatorId: at.memberId('A'),
      bountyId: id,
      bountyName: 'All of it',
      bountyProgressId: progress?.id,
      bountyRewards: [
        { id: ids[0], name: 'Cup', externalId: 'cup-1', creatorRewardId: `${group()}-cup`, userId },
        { id: ids[1], name: 'Bonus', amount: 500, creatorRewardId: `${group()}-pay`, userId },
        {
          id: ids[2],
          name: 'Sword',
          externalId: 'sword',
          creatorRewardId: `${group()}-sword`,
          userId,
          sku: { id: 'sword', name: 'Sword of A' },
        },
        {
          id: ids[3],
          name: 'Bow',
          externalId: 'cat-bow',
          creatorRewardId: `${group()}-bow`,
          userId,
          sku: { id: 'bow', name: 'bow' },
        },
        { id: ids[4], name: 'Handshake', creatorRewardId: `${group()}-none`, userId },
      ],
    });
    expect(rewards.map(({ rewardCompleted }) => rewardCompleted)).toEqual([false, true, true, true, false]);
    expect(await at.balance('A', 'EUR', group())).toBe(500n);
  });

  test('has the account id in its event if the member has no player id', async () => {
    await at.provisionGroup(
      group(),
      `members: [ { id: acc_${group()}_C, name: C, codes: [ { code: M-C, group: ${group()} } ] } ]`,
    );
    const id = await define();
    await earn(group(), 'C' as 'A', 10);
    await settleAndCheck();
    const [event] = await events(id);
    expect(event.bountyRewards[0].userId).toBe(`acc_${group()}_C`);
  });

  test.each([
    [1, 1, '1/2'],
    [3, 3, '3/2'],
    [null, 4, '4/1'],
    [1_000_000, 4, '4/1'],
  ])(
    'with the limit %s completes %i times for nine sales with a target of two',
    async (limit, times, shown) => {
      const id = await define({ limit, objectives: [purchases(2)] });
      await sell(9);
      expect(await settleAndCheck()).toBe(times);
      expect(await standing(id)).toBe(shown);
      expect(await events(id)).toHaveLength(times);
      expect(await given(id)).toHaveLength(times);
    },
  );

  test('completes more times than one check handles', async () => {
    const id = await define({ limit: null, objectives: [amount(1)], rewards: [payment] });
    await earn(group(), 'A', 47);
    expect(await settleAndCheck()).toBe(47);
    expect(await standing(id)).toBe('47/0');
    expect(await at.balance('A', 'EUR', group())).toBe(47n * 500n);
  });

  test('stays complete after a refund, which counts against the next completion', async () => {
    const id = await define({ limit: null, objectives: [purchases(2)] });
    const [first = '', second = ''] = await sell(2);
    expect(await settleAndCheck()).toBe(1);
    await refund(first);
    await refund(second);
    expect(await settleAndCheck()).toBe(0);
    expect(await standing(id)).toBe('1/0');
    await sell(3);
    expect(await settleAndCheck()).toBe(0);
    expect(await standing(id)).toBe('1/1');
    await sell(1);
    expect(await settleAndCheck()).toBe(1);
    expect(await standing(id)).toBe('2/0');
  });

  test("doesn't complete with purchases refunded before the check", async () => {
    const id = await define({ objectives: [purchases(2)] });
    const [first = ''] = await sell(2);
    await settle();
    await refund(first);
    expect(await check()).toBe(0);
    expect(await standing(id)).toBe('0/1');
  });

  test('completes for a member who has been removed', async () => {
    const id = await define();
    await sell(1);
    await at.provisionGroup(group(), `members: [ { id: ${at.memberId('A')}, status: Removed } ]`);
    expect(await settleAndCheck()).toBe(1);
    expect(await events(id)).toHaveLength(1);
    expect(await at.progress(id)).toBeUndefined();
  });
});

describe('a bounty with prerequisites', () => {
  test('counts before its prerequisites are complete, and completes after the last one, through the whole chain', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `${group()}-${name}`) as [
      string,
      string,
      string,
      string,
    ];
    const part = (id: string, count: number, prerequisites: string[] = []) => ({
      id,
      name: id,
      startsAt: '2024-01-01T00:00:00Z',
      objectives: [purchases(count)],
      prerequisites,
      rewards: [{ name: 'Step', type: 'External' }],
    });
    await at.defineAll([part(c, 1, [b]), part(d, 1, [a, c]), part(b, 2, [a]), part(a, 3)]);
    await sell(1, 'B');
    await sell(2);
    expect(await settleAndCheck()).toBe(0);
    expect(await standing(b)).toBe('0/2');
    await sell(1);
    expect(await settleAndCheck()).toBe(4);
    for (const id of [a, b, c, d]) expect(await events(id)).toHaveLength(1);
    expect(await standing(d, 'B')).toBe('0/1');
  });

  test('completes when its definition changes: fewer prerequisites, a higher limit, fewer objectives', async () => {
    const wall = await define({ objectives: [purchases(1_000)] });
    const id = await define({ prerequisites: [wall], objectives: [purchases(1), amount(999_999)] });
    await sell(3);
    expect(await settleAndCheck()).toBe(0);
    const change = (changes: Record<string, unknown>) =>
      at.defineAll([
        {
          id,
          name: 'Changed',
          startsAt: '2024-01-01T00:00:00Z',
          objectives: [purchases(1), amount(999_999)],
          rewards: [{ name: 'Trophy', type: 'External', externalId: 'trophy' }],
          ...changes,
        },
      ]);
    await change({});
    expect(await check()).toBe(0);
    await change({ objectives: [purchases(1)] });
    expect(await check()).toBe(1);
    await change({ objectives: [purchases(1)], limit: 2 });
    expect(await check()).toBe(1);
  });
});

describe('a completion happens exactly once', () => {
  test('with many workers in two processes, while purchases and refunds continue', async () => {
    const id = await define({ limit: null, objectives: [purchases(3)], rewards: [payment] });
    const sold = await sell(30);
    const [a, b] = [db(), other.testDatabase.database.db];
    await Promise.all([
      ...Array.from({ length: 8 }, async (_, index) => {
        for (let turn = 0; turn < 10; turn += 1) {
          await completeBounties(index % 2 === 0 ? a : b, 'aurora', at.now());
          await settle();
        }
      }),
      ...sold.slice(0, 6).map(refund),
      sell(12),
    ]);
    await settleAndCheck();
    const completions = (await at.progress(id))?.completionCount ?? 0;
    // There are at least as many completions as the remaining purchases allow, and at most as many as all
    // purchases would have allowed.
    expect(completions).toBeGreaterThanOrEqual(12);
    expect(completions).toBeLessThanOrEqual(14);
    expect(await events(id)).toHaveLength(completions);
    expect(await given(id)).toHaveLength(completions);
    expect(await at.balance('A', 'EUR', group())).toBe(BigInt(completions) * 500n);
  });

  test('even if a worker dies before any of its statements or right after its commit', async () => {
    const id = await define({ objectives: [purchases(1)], rewards: [payment, payment] });
    await sell(1);
    await settle();
    for (let statement = 1; statement <= 16; statement += 1) {
      await completeBounties(crashing.db({ beforeStatement: statement }), 'aurora', at.now()).catch(
        () => undefined,
      );
      expect(await events(id), `a crash before statement ${statement}`).toHaveLength(0);
      expect(await number(sql`select count(*) as n from reward_payment where group_id = ${group()}`)).toBe(
        0n,
      );
      await at.expectSound();
    }
    await expect(completeBounties(crashing.db({ afterCommit: 1 }), 'aurora', at.now())).rejects.toThrow();
    expect(await check()).toBe(0);
    expect(await events(id)).toHaveLength(1);
    expect(await standing(id)).toBe('1/1');
    expect(await at.balance('A', 'EUR', group())).toBe(1_000n);
  });

  test('by another worker, when the first is killed while it waits for a member', async () => {
    const id = await define();
    await sell(1);
    await settle();
    const client = await connect(at.service().testDatabase.connection);
    await client.query('begin');
    await client.query('select 1 from membership for update');
    const crashed = expect(completeBounties(db(), 'aurora', at.now())).rejects.toThrow();
    await killWaiting(db());
    await crashed;
    await client.query('rollback');
    expect(await events(id)).toHaveLength(0);
    expect(await check()).toBe(1);
    expect(await events(id)).toHaveLength(1);
  });
});

test('the worker completes bounties, reports the number, continues after an error, and stops', async () => {
  const id = await define({ limit: null });
  const errors: unknown[] = [];
  let completed = 0;
  const worker = woken(
    db(),
    startBounties({
      db: db(),
      clock: { now: at.now },
      intervalMs: 10,
      onCompleted: (count) => {
        completed += count;
      },
      onError: (error) => errors.push(error),
    }),
  );
  await sell(2);
  await settle();
  await until('two completions', async () => (await events(id)).length === 2);
  const client = await connect(at.service().testDatabase.connection);
  await client.query('begin');
  await client.query('select 1 from membership for update');
  await earnWithoutWaiting();
  await client.query('rollback');
  await settle();
  await until('the third completion', async () => (await events(id)).length === 3);
  await worker.stop();
  expect(completed).toBe(3);
  await sell(1);
  await settle();
  await sleep(50);
  expect(await events(id)).toHaveLength(3);
  await check();

  async function earnWithoutWaiting(): Promise<void> {
    await sell(1);
    await at.query(sql`update bounty_progress set needs_check = true where bounty_id = ${id}`);
    await killWaiting(db());
    await until('an error', () => errors.length > 0);
  }
});

test('progress and its bounty show the time of the last check', async () => {
  const id = await define({ objectives: [purchases(5)] });
  await sell(1);
  await settle();
  expect((await at.progress(id))?.lastProgressCheck).toBeUndefined();
  at.setNow('2030-01-02T03:04:05.678Z');
  await check();
  expect((await at.progress(id))?.lastProgressCheck).toBe('2030-01-02T03:04:05.678Z');
  const { body } = await at.bounties('GET', `/bounties/${id}?groupId=${at.group()}`);
  expect(body.bounty.lastProgressCheck).toBe('2030-01-02T03:04:05.678Z');
});
