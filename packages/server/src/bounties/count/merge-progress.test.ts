import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { amount, eventsOf, longAgo, newPlayers, purchases, useBounties } from '../../../test/bounties.ts';
import { purchase } from '../../../test/fixtures.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { lockForPosting } from '../../settlement/settlement-lock.ts';
import { mergeProgress } from './merge-progress.ts';

const at = useBounties();
const { define, earn, settle, settleAndCheck, check, standing, given, group, query, number } = at;
afterEach(() => at.expectSound());

const membershipOf = async (member: 'A' | 'B'): Promise<MembershipId> => {
  const [row] = await query(sql<{ membership_id: MembershipId }>`
    select membership_id from membership where publisher_id = 'aurora' and account_id = ${at.memberId(member)}`);
  if (row === undefined) throw new Error(`no member ${member}`);
  return row.membership_id;
};
const merge = async () => {
  const [from, into] = await Promise.all([membershipOf('A'), membershipOf('B')]);
  await inTransaction(at.db(), async (tx) => {
    await lockForPosting(tx, 'aurora');
    await sql`
      select from membership where membership_id in (${from}::uuid, ${into}::uuid) order by membership_id for no key update`.execute(
      tx,
    );
    await mergeProgress(tx, 'aurora', from, into);
  });
  const left = await number(sql`
    select (select count(*) from bounty_contribution where membership_id = ${from}::uuid)
         + (select count(*) from bounty_total where membership_id = ${from}::uuid)
         + (select count(*) from bounty_event where membership_id = ${from}::uuid)
         + (select count(*) from bounty_progress where membership_id = ${from}::uuid) as n`);
  expect(left).toBe(0n);
};
const sell = async (member: 'A' | 'B', count: number) => {
  for (let index = 0; index < count; index += 1) await earn(group(), member, 10);
};
const payment = { name: 'Bonus', type: 'Payment', amount: 500, currency: 'EUR' };

test('adds the progress of both, which completes a bounty that neither had completed', async () => {
  const id = await define({ objectives: [purchases(5), amount(50), eventsOf('merge', 2)] });
  await sell('A', 3);
  await sell('B', 2);
  for (const code of ['M-A', 'M-B']) {
    const json = { eventId: `m-${code}`, eventCode: 'merge', code, playerId: 'x' };
    expect((await at.bounties('POST', `/events?groupId=${group()}`, { json })).status).toBe(200);
  }
  expect(await settleAndCheck()).toBe(0);
  await merge();
  expect([await standing(id), await standing(id, 'B')]).toEqual(['not begun', '0/5,50,2']);
  expect(await check()).toBe(1);
  expect(await standing(id, 'B')).toBe('1/5,50,2');
});

test('moves contributions from events whose days were dropped, and keeps them in a recount', async () => {
  const terms = {
    name: 'Merged',
    limit: null,
    objectives: [{ ...eventsOf('merge', 2), id: `m-${group()}` }],
  };
  const id = await define(terms);
  for (const [index, code] of ['M-A', 'M-B', 'M-A'].entries()) {
    const json = { eventId: `dropped-${index}`, eventCode: 'merge', code, playerId: 'x' };
    expect((await at.bounties('POST', `/events?groupId=${group()}`, { json })).status).toBe(200);
  }
  expect(await check()).toBe(1);
  await query(sql`delete from bounty_event where group_id = ${group()}`);
  await merge();
  expect(await standing(id, 'B')).toBe('1/1');
  await at.defineAll([
    {
      id,
      ...terms,
      startsAt: '2024-01-01T00:00:00Z',
      endsAt: '2099-01-01T00:00:00Z',
      rewards: [{ name: 'Trophy', type: 'External', externalId: 'trophy' }],
    },
  ]);
  expect([await check(), await standing(id, 'B')]).toEqual([0, '1/1']);
});

test('counts a purchase that credited both once, for the sum of its rows', async () => {
  const id = await define({ objectives: [purchases(9), amount(900), newPlayers(9)] });
  const { transactionId } = purchase();
  const row = { transactionId, transactionDate: longAgo, playerId: `both-${group()}` };
  await at.record(
    [purchase({ ...row, code: 'M-A', subtotal: 30 }), purchase({ ...row, code: 'M-B', subtotal: 40 })],
    { query: `?groupId=${group()}` },
  );
  await settle();
  await merge();
  expect(await standing(id, 'B')).toBe('0/1,70,1');
});

test('keeps the completions and rewards of both, and completes no bounty twice', async () => {
  const once = await define({ objectives: [purchases(3)], rewards: [payment] });
  const often = await define({ limit: null, objectives: [purchases(2)], rewards: [payment] });
  await sell('A', 3);
  await sell('B', 5);
  expect(await settleAndCheck()).toBe(2 + 1 + 2);
  const before = [await given(once), await given(once, 'B'), await given(often), await given(often, 'B')].map(
    (rewards) => rewards.map(({ id }) => id),
  );
  await merge();
  // 3 + 5 sales. Three completions with two sales each already exist, and 8 sales are enough for a fourth
  // completion.
  expect(await check()).toBe(1);
  expect(await standing(once, 'B')).toBe('2/3');
  expect(await standing(often, 'B')).toBe('4/0');
  const after = [await given(once, 'B'), await given(often, 'B')].map((rewards) =>
    rewards.map(({ id }) => id),
  );
  expect(after[0]).toEqual([...(before[1] ?? []), ...(before[0] ?? [])]);
  expect(after[1]?.slice(0, 3)).toEqual([...(before[3] ?? []), ...(before[2] ?? [])]);
  expect(await number(sql`select count(*) as n from reward_payment where group_id = ${group()}`)).toBe(6n);
  await sell('B', 1);
  expect(await settleAndCheck()).toBe(0);
});

test('moves the progress of only one member with its id, and completes bounties that required it', async () => {
  const first = await define({ objectives: [purchases(1, { skus: [{ id: 'sword' }] })] });
  const second = await define({
    prerequisites: [first],
    objectives: [purchases(1, { skus: [{ id: 'bow' }] })],
  });
  await earn(group(), 'A', 1, { skuId: 'sword' });
  await earn(group(), 'B', 1, { skuId: 'bow' });
  expect(await settleAndCheck()).toBe(1);
  const progress = await at.progress(first);
  await merge();
  expect((await at.progress(first, 'B'))?.id).toBe(progress?.id);
  expect(await check()).toBe(1);
  expect(await standing(second, 'B')).toBe('1/1');
});

test('merges two members without progress', async () => {
  await define();
  await merge();
  expect(await check()).toBe(0);
});
