import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventsOf, purchases, useBounties } from '../../../test/bounties.ts';
import { anyHasStarted } from './check-begun.ts';

const at = useBounties();
const { define, earn, settleAndCheck, check, group, standing, preview, query, bounties } = at;
beforeEach(() => at.provisionGroup(group(), 'skuRevShares: [ { skuId: free, revShare: 0 } ]'));
afterEach(() => at.expectSound());

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const bonus = { name: 'Bonus', type: 'Payment', amount: 500, currency: 'USD' };
/** Returns a purchase that earns its member nothing. */
const sell = (days: number) =>
  earn(group(), 'A', 100, { memberSharePercent: undefined, skuId: 'free', transactionDate: inDays(days) });
const earnedAt = async () =>
  (
    await query(sql<{ earned_at: Date }>`
      select earned_at from reward_payment where group_id = ${group()} order by earned_at`)
  ).map(({ earned_at }) => Math.round((earned_at.getTime() - Date.now()) / 86_400_000) + 0);
const due = async () =>
  (await preview(group())).payables.filter(({ isDue }) => isDue).map(({ rewardsMinor }) => rewardsMinor);
const hasStarted = async () =>
  (await query(sql<{ is: boolean }>`select ${anyHasStarted(at.now())} as is`))[0]?.is;

describe('a bounty before its start', () => {
  test('is not completed by purchases dated ahead until it starts', async () => {
    const id = await define({
      startsAt: inDays(10),
      objectives: [purchases(2), eventsOf(`visit-${group()}`, 1)],
      rewards: [bonus],
    });
    await sell(11);
    await sell(12);
    const { status } = await bounties('POST', `/events?groupId=${group()}`, {
      json: {
        eventId: `e-${group()}`,
        eventCode: `visit-${group()}`,
        memberId: at.memberId('A'),
        playerId: 'p',
        occurredAt: inDays(13),
      },
    });
    expect(status).toBe(200);
    expect(await settleAndCheck()).toBe(0);
    expect(await standing(id)).toBe('0/2,1');
    expect(await hasStarted()).toBe(false);
    at.setNow(inDays(9.9));
    expect(await check()).toBe(0);
    at.setNow(inDays(10.1));
    expect(await hasStarted()).toBe(true);
    expect(await check()).toBe(1);
    expect([await standing(id), await hasStarted()]).toEqual(['1/2,1', false]);
    expect(await earnedAt()).toEqual([13]);
    expect(await check()).toBe(0);
  });
});

describe('the hold of a reward payment begins', () => {
  test('at the date of the purchase that earned it, if that is in the future', async () => {
    await define({ objectives: [purchases(2)], rewards: [bonus] });
    await sell(-3);
    await sell(20);
    await sell(30);
    expect(await settleAndCheck()).toBe(1);
    expect(await earnedAt()).toEqual([20]);
    expect(await due()).toEqual([]);
  });

  test('now, if past purchases are enough, for each completion separately', async () => {
    await define({ limit: null, objectives: [purchases(2)], rewards: [bonus] });
    for (const days of [-3, -2, -1, 15, 25, 26]) await sell(days);
    expect(await settleAndCheck()).toBe(3);
    expect(await earnedAt()).toEqual([0, 15, 26]);
    expect(await due()).toEqual([500n]);
  });
});
