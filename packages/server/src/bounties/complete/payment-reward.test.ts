import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { useBounties } from '../../../test/bounties.ts';

const at = useBounties();
const { define, earn, settle, settleAndCheck, check, group, preview, create, balance, number } = at;
afterEach(() => at.expectSound());

const bonus = (amount: number, currency = 'USD') => ({ name: 'Bonus', type: 'Payment', amount, currency });
/** Returns a purchase that earns its member nothing, so that only rewards are owed. */
const sell = (member: 'A' | 'B' = 'A') =>
  earn(group(), member, 1_000, { memberSharePercent: undefined, skuId: 'free' });
const setUp = (settings = '') =>
  at.provisionGroup(group(), `skuRevShares: [ { skuId: free, revShare: 0 } ], ${settings}`);
const owed = async () =>
  (await preview(group())).payables.map((each) => [
    each.memberId.slice(-1),
    each.currency,
    each.paymentsMinor,
    each.rewardsMinor,
    each.amountMinor,
  ]);
const assignedRows = () =>
  number(
    sql`select count(*) as n from reward_payment where group_id = ${group()} and payout_batch_id is not null`,
  );

describe('a Payment reward', () => {
  test('is owed immediately, and previewed, paid and exported with purchases to the cent', async () => {
    await setUp();
    await define({ limit: null, rewards: [bonus(501), bonus(7, 'JPY')] });
    await sell();
    await sell('B');
    await earn(group(), 'A', 300);
    await settleAndCheck();
    expect(await balance('A', 'USD', group())).toBe(2n * 501n + 300n);
    const seen = await preview(group());
    expect(await owed()).toEqual([
      ['A', 'JPY', 0n, 14n, 14n],
      ['B', 'JPY', 0n, 7n, 7n],
      ['A', 'USD', 300n, 1_002n, 1_302n],
      ['B', 'USD', 0n, 501n, 501n],
    ]);
    await sell();
    await settleAndCheck();
    const batches = await create(group(), seen.asOf);
    expect(batches.map(({ currency, totalMinor }) => [currency, totalMinor])).toEqual([
      ['JPY', 21n],
      ['USD', 1_803n],
    ]);
    expect(await balance('A', 'USD', group())).toBe(501n);
    expect(await assignedRows()).toBe(6n);
    for (const { batchId } of batches) await at.markPaid(batchId);
    expect(
      await number(
        sql`
          select count(*) as n
          from reward_payment w
          join payout_batch b on b.batch_id = w.payout_batch_id
          where w.group_id = ${group()} and b.paid_at is not null`,
      ),
    ).toBe(6n);
    expect(await owed()).toEqual([
      ['A', 'JPY', 0n, 7n, 7n],
      ['A', 'USD', 0n, 501n, 501n],
    ]);
  });

  test('waits for the hold and the minimum of the group', async () => {
    await setUp('holdDays: 30, payoutMinimums: { USD: 1500 },');
    await define({ limit: null, rewards: [bonus(1_000)] });
    await sell();
    await settleAndCheck();
    expect(await owed()).toEqual([['A', 'USD', 0n, 0n, 0n]]);
    await setUp('holdDays: 0,');
    expect((await preview(group())).payables).toMatchObject([{ amountMinor: 1_000n, isDue: false }]);
    expect(await create(group())).toEqual([]);
    await sell();
    await settleAndCheck();
    expect(await create(group())).toMatchObject([{ totalMinor: 2_000n }]);
  });

  test('is released when its payout is canceled, and paid by the next payout', async () => {
    await setUp();
    await define({ rewards: [bonus(900)] });
    await sell();
    await settleAndCheck();
    const [first] = await create(group());
    expect(await balance('A', 'USD', group())).toBe(0n);
    await at.expectSound();
    await at.cancel(first?.batchId ?? '');
    expect(await assignedRows()).toBe(0n);
    expect(await balance('A', 'USD', group())).toBe(900n);
    expect(await create(group())).toMatchObject([{ totalMinor: 900n, memberCount: 1, rowCount: 1 }]);
  });

  test("isn't reversed with the purchase that earned it, and covers a clawback", async () => {
    await define({ limit: null, rewards: [bonus(400)] });
    const { id } = await earn(group(), 'A', 1_000);
    await settleAndCheck();
    const [batch] = await create(group());
    expect(batch?.totalMinor).toBe(1_400n);
    await at.markPaid(batch?.batchId ?? '');
    await at.clawBack(id, 'Chargeback');
    expect(await balance('A', 'USD', group())).toBe(-1_000n);
    for (let count = 0; count < 3; count += 1) await earn(group(), 'A', 1);
    await settleAndCheck();
    // Four purchases counted, and one was reversed. The remaining three are enough for two more completions.
    expect(await balance('A', 'USD', group())).toBe(-1_000n + 3n + 800n);
  });

  test('is in a payout completely or not at all while other rewards are completed', async () => {
    await define({ limit: null, rewards: [bonus(10)] });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => earn(group(), index % 2 ? 'A' : 'B', 1)));
      await settle();
      await Promise.all([check(), create(group()), create(group()), check()]);
      await at.expectSound();
    }
    await settleAndCheck();
    await create(group());
    expect(await balance('A', 'USD', group())).toBe(0n);
    const paid = await number(
      sql`select sum(total_minor) as n from payout_batch where group_id = ${group()}`,
    );
    expect(paid).toBe(40n + 400n);
  });
});
