import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amount, bounty, checkAll, purchases } from '../../../test/bounties.ts';
import { useLinking } from '../../../test/linking.ts';
import { systemClock } from '../../platform/clock.ts';

const at = useLinking();
const { earn, settle, patch, generate, makeMember, linked, makeEmptyGroup, create, number } = at;
afterEach(() => at.expectSound());

let groups = 0;
let group: string;
/** Creates a group with a generated member, and a creator who will claim it. */
let code: string;
let creator: string;
const player = (): string => `p-${group}`;
beforeEach(async () => {
  groups += 1;
  group = `claim-${groups}`;
  await makeEmptyGroup(group, 'holdDays: 0');
  code = await generate(group, player());
  creator = await makeMember(group, `C-${group}`);
});

const define = async (changes: object): Promise<string> => {
  const made = bounty({
    rewards: [{ name: 'Bonus', type: 'Payment', amount: 500, currency: 'USD' }],
    ...changes,
  });
  await at
    .service()
    .provision(JSON.stringify({ publisher: { id: 'aurora' }, groups: [{ id: group, bounties: [made] }] }));
  return String(made.id);
};
const check = () => checkAll(at.db(), systemClock.now());
const sell = (by: string, subtotal = 10) => earn(group, 'A', subtotal, { code: by });
const link = () => linked(group, creator, player());
const standings = async (id: string): Promise<string[]> => {
  const path = `/v1/bounties/${id}?includeProgress=true&groupId=${group}`;
  const { body } = await at.service().call('GET', path, { key: at.keys().client });
  return body.progress.data.map(
    (each: { member: { id: string }; completionCount: number; currentObjectives: { count: number }[] }) =>
      `${each.member.id} ${each.completionCount}/${each.currentObjectives.map(({ count }) => count)}`,
  );
};

describe('a claimed member that merges into its claimer', () => {
  test('brings its progress along, and its purchases that are posted later count for the claimer', async () => {
    const id = await define({ objectives: [purchases(4), amount(1_000)] });
    await sell(code);
    await sell(`C-${group}`);
    await settle();
    await sell(code);
    await link();
    expect(await standings(id)).toEqual([`${creator} 0/2,20`]);
    await settle();
    expect(await standings(id)).toEqual([`${creator} 0/3,30`]);
    await sell(code);
    await settle();
    expect(await standings(id)).toEqual([`${creator} 0/4,40`]);
  });

  test("has its refunds deducted from the claimer's progress, even in a recount", async () => {
    const id = await define({ objectives: [purchases(9), amount(1_000)] });
    const { transactionId } = await sell(code, 7);
    await sell(code, 5);
    await settle();
    await link();
    await patch(transactionId, { form: { action: 'Refund' } });
    expect(await standings(id)).toEqual([`${creator} 0/1,5`]);
    const later = await define({ objectives: [purchases(9), amount(1_000)] });
    expect(await standings(later)).toEqual([`${creator} 0/1,5`]);
  });

  test("keeps its completions, whose payments are in one payout with the claimer's", async () => {
    const id = await define({ limit: null });
    await sell(code, 1);
    await sell(`C-${group}`, 1);
    await settle();
    expect(await check()).toBe(2);
    await link();
    expect(await check()).toBe(0);
    expect(await standings(id)).toEqual([`${creator} 2/0`]);
    await at.expectSound();
    const batches = await create(group);
    expect(batches).toMatchObject([{ totalMinor: 1_002n, memberCount: 1 }]);
    await at.expectSound();
    await at.cancel(batches[0]?.batchId ?? '');
    await at.expectSound();
    expect(await create(group)).toMatchObject([{ totalMinor: 1_002n, memberCount: 1 }]);
  });

  test('is still verified after it was in its own payout', async () => {
    await define({ limit: null });
    await sell(code, 1);
    await settle();
    await check();
    const [batch] = await create(group);
    await link();
    await at.expectSound();
    await at.markPaid(batch?.batchId ?? '');
  });

  test('misses no purchase and counts none twice while purchases are posted, reversed and checked', async () => {
    const id = await define({ limit: null, objectives: [purchases(1)] });
    const sold = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sell(index % 2 ? code : `C-${group}`)),
    );
    await Promise.all([
      ...Array.from({ length: 3 }, settle),
      link(),
      ...sold.slice(0, 8).map(({ transactionId }) => patch(transactionId, { form: { action: 'Refund' } })),
      check(),
      ...Array.from({ length: 6 }, () => sell(`C-${group}`)),
    ]);
    await settle();
    const completions = await check().then(() =>
      number(sql`select count(*) as n from reward_payment where group_id = ${group}`),
    );
    const total = await number(sql`
      select sum(t.total) as n from bounty_total t join bounty_objective o using (publisher_id, objective_id)
      where o.bounty_id = ${id}`);
    expect(total).toBe(28n);
    expect(completions).toBeGreaterThanOrEqual(28n);
    expect(completions).toBeLessThanOrEqual(36n);
    expect(await standings(id)).toEqual([expect.stringMatching(new RegExp(`^${creator} ${completions}/`))]);
  });
});
