import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fillBooks } from '../../../../test/fill-books.ts';
import { useMoney } from '../../../../test/money.ts';
import {
  type CrashingDatabase,
  openCrashingDatabase,
} from '../../../../test/simulation/crashing-database.ts';
import { testActor } from '../../../../test/test-actor.ts';
import { asOperator } from '../../../../test/test-database.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createPayout } from './create-payout.ts';

const money = useMoney();
const { makeGroup, earn, settle, preview, create, createOrLess, patch, balance, query, number, db } = money;
let crashing: CrashingDatabase;
beforeAll(() => {
  crashing = openCrashingDatabase(money.service().testDatabase.connection);
});
afterAll(() => crashing?.close());
afterEach(async () => {
  await expectReachable();
  await money.expectSound();
});

const early = { transactionDate: '2023-01-01T00:00:00.000Z' };
const middle = '2024-05-01T12:00:00.000Z'; // the default date of `earn`
const daysAgo = (days: number): string =>
  new Date(systemClock.now().getTime() - days * 86_400_000).toISOString();

/** Expects that no payable row precedes its member's mark, because payouts start reading at the mark. */
async function expectReachable(): Promise<void> {
  const lost = await query(sql`
    select a.attribution_id
    from attribution a
    left join payment p using (publisher_id, attribution_id)
    where not a.is_test and p.payout_batch_id is null and p.reversed_at is null
      and not exists (
        select from unposted u
        where u.publisher_id = a.publisher_id and left(u.recording_id::text, 32) = left(a.attribution_id::text, 32))
      and not exists (
        select from member_balance b
        where b.publisher_id = a.publisher_id and b.membership_id = a.membership_id and b.currency = a.currency
          and b.unpaid_from <= a.transaction_date)`);
  expect(lost).toEqual([]);
}
const mark = async (group: string, name: 'A' | 'B' = 'A', currency = 'USD'): Promise<Date | null> => {
  const [found] = await query(sql<{ unpaid_from: Date | null }>`
    select b.unpaid_from
    from member_balance b
    join membership m using (publisher_id, membership_id)
    where m.account_id = ${`acc_${group}_${name}`} and b.currency = ${currency}`);
  return found?.unpaid_from ?? null;
};
const due = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables.map(({ name, amountMinor }) => [name, amountMinor]);
const totals = async (group: string, asOf: Date | null = null) =>
  (await create(group, asOf)).map(({ totalMinor, rowCount }) => [totalMinor, rowCount]);
const assigned = (group: string) =>
  number(sql`select count(*) as n from payment where group_id = ${group} and payout_batch_id is not null`);

describe("a member's mark", () => {
  test('is at the first row, moves past paid rows, and is lowered by late rows', async () => {
    await makeGroup('late');
    await earn('late', 'A', 100);
    await settle();
    expect(await mark('late')).toEqual(new Date(middle));
    const [first] = await create('late');
    const { asOf } = await preview('late');
    const held = asOf.getTime() - 30 * 86_400_000;
    expect(Math.abs(held - ((await mark('late'))?.getTime() ?? 0)), 'the hold period').toBeLessThan(60_000);
    await money.markPaid(first?.batchId ?? '');

    await earn('late', 'B', 5);
    await settle();
    await earn('late', 'A', 7, early);
    const before = await preview('late');
    await settle();
    expect(await mark('late')).toEqual(new Date(early.transactionDate));
    expect(await due('late', before.asOf), 'the late row was not posted yet').toEqual([['B', 5n]]);
    expect(await totals('late', before.asOf)).toEqual([[5n, 1]]);
    expect(await mark('late'), 'the late row is still unpaid').toEqual(new Date(early.transactionDate));
    expect(await totals('late')).toEqual([[7n, 1]]);
    expect((await mark('late'))?.getTime()).toBeGreaterThan(new Date(middle).getTime());
    expect(await totals('late')).toEqual([]);
  });

  test('stays at an older row that is posted between preview and payout', async () => {
    await makeGroup('between');
    await earn('between', 'A', 100);
    await settle();
    const { asOf } = await preview('between');
    await earn('between', 'A', 7, early);
    await earn('between', 'A', 8, { transactionDate: daysAgo(40) });
    await settle();
    expect(await due('between', asOf)).toEqual([['A', 100n]]);
    expect(await totals('between', asOf)).toEqual([[100n, 1]]);
    expect(await mark('between')).toEqual(new Date(early.transactionDate));
    expect(await totals('between')).toEqual([[15n, 2]]);
  });

  test('stays for a member below the minimum, separately in each currency', async () => {
    await makeGroup('waits', 'payoutMinimums: { USD: 1000 },');
    await earn('waits', 'A', 999, early);
    await earn('waits', 'A', 50, { ...early, currency: 'JPY' });
    await settle();
    expect(await totals('waits')).toEqual([[50n, 1]]);
    expect(await mark('waits')).toEqual(new Date(early.transactionDate));
    expect((await mark('waits', 'A', 'JPY'))?.getTime()).toBeGreaterThan(new Date(middle).getTime());
    await earn('waits', 'A', 1);
    await earn('waits', 'A', 3, { currency: 'JPY' });
    await settle();
    expect((await create('waits')).map(({ currency, totalMinor }) => [currency, totalMinor])).toEqual([
      ['JPY', 3n],
      ['USD', 1_000n],
    ]);
  });

  test('is lowered to the rows of a canceled payout, which the next one pays', async () => {
    await makeGroup('cancelled');
    await earn('cancelled', 'A', 100, early);
    await earn('cancelled', 'A', 20);
    await earn('cancelled', 'B', 3);
    await settle();
    const [batch] = await create('cancelled');
    await money.cancel(batch?.batchId ?? '');
    expect(await mark('cancelled')).toEqual(new Date(early.transactionDate));
    expect(await mark('cancelled', 'B')).toEqual(new Date(middle));
    expect(await totals('cancelled')).toEqual([[123n, 3]]);
  });

  test('is not moved by a clawback, which is deducted from the next payout', async () => {
    await makeGroup('clawed');
    const row = await earn('clawed', 'A', 100, early);
    await settle();
    const [batch] = await create('clawed');
    await money.markPaid(batch?.batchId ?? '');
    const before = await mark('clawed');
    await money.clawBack(row.id, 'Chargeback');
    expect(await mark('clawed')).toEqual(before);
    expect(await due('clawed')).toEqual([['A', -100n]]);
    await earn('clawed', 'A', 130);
    await settle();
    expect(await totals('clawed')).toEqual([[30n, 1]]);
    expect(await balance('A', 'USD', 'clawed')).toBe(0n);
  });

  test('moves past rows refunded before the payout, posted or not', async () => {
    await makeGroup('refunded');
    const posted = await earn('refunded', 'A', 100, early);
    await settle();
    const waiting = await earn('refunded', 'A', 10, early);
    for (const { transactionId } of [posted, waiting])
      expect((await patch(transactionId, { form: { action: 'Refund' } })).status).toBe(200);
    await earn('refunded', 'A', 1);
    await settle();
    expect(await totals('refunded')).toEqual([[1n, 1]]);
    expect((await mark('refunded'))?.getTime()).toBeGreaterThan(new Date(middle).getTime());
  });

  test('works with a changing hold period, and with none', async () => {
    await makeGroup('hold', 'holdDays: 30,');
    await earn('hold', 'A', 1, { transactionDate: daysAgo(45) });
    await earn('hold', 'A', 20, { transactionDate: daysAgo(15) });
    await settle();
    expect(await totals('hold')).toEqual([[1n, 1]]);
    await money.provisionGroup('hold', 'holdDays: 0');
    await earn('hold', 'A', 300, { transactionDate: daysAgo(0) });
    await earn('hold', 'A', 4_000, { transactionDate: daysAgo(-1) });
    await settle();
    expect(await totals('hold')).toEqual([[320n, 2]]);
    await money.provisionGroup('hold', 'holdDays: 60');
    await earn('hold', 'A', 50_000, { transactionDate: daysAgo(61) });
    await earn('hold', 'A', 600_000, { transactionDate: daysAgo(10) });
    await settle();
    expect(await totals('hold'), 'a mark may be past the end of the hold period').toEqual([[50_000n, 1]]);
    await money.provisionGroup('hold', 'holdDays: 0');
    expect(await totals('hold')).toEqual([[600_000n, 1]]);
  });

  test('ignores Test rows', async () => {
    await makeGroup('test');
    await earn('test', 'A', 100, { ...early, status: 'Test' });
    await settle();
    expect(await mark('test')).toBeNull();
    await earn('test', 'A', 5);
    await settle();
    expect(await mark('test')).toEqual(new Date(middle));
    expect(await totals('test')).toEqual([[5n, 1]]);
  });
});

describe('a payout of a preview with a row that was since reversed and is before the mark', () => {
  const refund = async ({ transactionId }: { transactionId: string }) =>
    expect((await patch(transactionId, { form: { action: 'Refund' } })).status).toBe(200);
  /**
   * Creates four purchases: A's early purchase for 10 USD, A's later purchase for 20 USD, A's early purchase
   * in JPY, and B's purchase for 5 USD. Then refunds the first of these purchases.
   */
  const previewed = async (group: string) => {
    await makeGroup(group);
    const first = await earn(group, 'A', 10, early);
    await earn(group, 'A', 20);
    await earn(group, 'A', 4, { ...early, currency: 'JPY' });
    await earn(group, 'B', 5);
    await settle();
    const { asOf } = await preview(group);
    await refund(first);
    return asOf;
  };
  const all = [
    ['A', 4n],
    ['A', 30n],
    ['B', 5n],
  ];
  const expectNoticed = async (group: string, asOf: Date) => {
    expect(await due(group, asOf), 'the preview is unchanged').toEqual(all);
    await expect(createOrLess(group, asOf, { isExact: true })).rejects.toThrow(
      `acc_${group}_A (A): 0.30 → 0.20 USD (refund)`,
    );
    expect(await assigned(group)).toBe(0n);
    expect(await create(group, asOf, 'JPY')).toMatchObject([{ totalMinor: 4n, rowCount: 1 }]);
    expect(await createOrLess(group, asOf)).toMatchObject({
      payouts: [{ currency: 'JPY' }, { totalMinor: 25n, memberCount: 2, rowCount: 2 }],
      reductions: { members: [{ name: 'A', previewedMinor: 30n, paidMinor: 20n, reasons: ['Refund'] }] },
    });
  };

  test('leaves it out after a payout of the other rows crashed and was undone', async () => {
    const asOf = await previewed('undone');
    const crashes = crashing.db({ afterCommit: 4 });
    await createPayout(crashes, testActor, {
      publisherId: 'aurora',
      groupId: 'undone',
      currency: null,
      asOf: null,
    }).catch(() => undefined);
    expect(await assigned('undone')).toBeGreaterThan(0n);
    await query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
    );
    await preview('undone');
    expect(await assigned('undone')).toBe(0n);
    expect(await mark('undone')).toEqual(new Date(middle));
    await expectNoticed('undone', asOf);
  });

  const setMark = (group: string, to: string | null, currency = 'USD') =>
    query(sql`
      update member_balance b
      set unpaid_from = ${to}::timestamptz
      from membership m
      where m.membership_id = b.membership_id and m.account_id = ${`acc_${group}_A`} and b.currency = ${currency}`);

  test('leaves it out, regardless of what raised the mark', async () => {
    const asOf = await previewed('raised');
    await setMark('raised', middle);
    await expectNoticed('raised', asOf);
  });

  test('pays nothing when no other row is left and there is no mark', async () => {
    await makeGroup('nothing');
    const row = await earn('nothing', 'A', 10, early);
    await settle();
    const { asOf } = await preview('nothing');
    await refund(row);
    await setMark('nothing', null);
    expect(await due('nothing', asOf)).toEqual([['A', 10n]]);
    expect(await createOrLess('nothing', asOf)).toMatchObject({
      payouts: [],
      reductions: { members: [{ previewedMinor: 10n, paidMinor: 0n, reasons: ['Refund'] }] },
    });
    expect(await totals('nothing')).toEqual([]);
  });

  test('leaves out rows that were reversed, unposted or held at the cutoff', async () => {
    await makeGroup('not');
    await refund(await earn('not', 'A', 1, early)); // before the cutoff, and unposted
    await settle();
    await earn('not', 'A', 20);
    const young = await earn('not', 'A', 4_000, { currency: 'JPY', transactionDate: daysAgo(1) });
    await settle();
    const waiting = await earn('not', 'A', 300, early);
    const { asOf } = await preview('not');
    await refund(waiting);
    await refund(young);
    await settle();
    await setMark('not', middle);
    await setMark('not', null, 'JPY');
    expect(await due('not', asOf)).toEqual([['A', 20n]]);
    expect(await totals('not', asOf)).toEqual([[20n, 1]]);
  });
});

describe('a payout of a member with many rows', () => {
  const books = { members: 2, each: 3, ofA: 1_500 };
  const total = 1_506n;
  const whole = (groupId: string) => ({ publisherId: 'aurora', groupId, currency: null, asOf: null });
  const expireLeases = () =>
    query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
    );

  test.each([4, 5, 6])(
    'returns its rows when interrupted after commit %i, and pays them with newer ones the next time',
    async (afterCommit) => {
      const group = `stops${afterCommit}`;
      await makeGroup(group);
      await fillBooks(db(), group, books);
      const first = await mark(group);
      await createPayout(crashing.db({ afterCommit }), testActor, whole(group)).catch(() => undefined);
      expect(await assigned(group)).toBeGreaterThan(0n);
      expect(await assigned(group)).toBeLessThan(total);
      expect((await mark(group))?.getTime(), 'moves with each step').toBeGreaterThan(first?.getTime() ?? 0);
      await expectReachable();
      await money.expectSound();
      await earn(group, 'A', 40, early);
      await settle();
      await expireLeases();
      expect((await preview(group)).payables).toHaveLength(3);
      expect(await assigned(group)).toBe(0n);
      expect(await mark(group)).toEqual(new Date(early.transactionDate));
      expect(await totals(group)).toEqual([[total + 40n, Number(total) + 1]]);
      expect(await totals(group)).toEqual([]);
    },
  );

  test('in several currencies has an item in each one above its minimum', async () => {
    await makeGroup('many', 'payoutMinimums: { EUR: 1000 },');
    await fillBooks(db(), 'many', books);
    for (const [currency, amount] of [
      ['JPY', 7],
      ['EUR', 5],
      ['JPY', 80],
    ] as const)
      await earn('many', 'A', amount, { currency });
    await earn('many', 'A', 900, { ...early, currency: 'JPY' });
    await settle();
    const made = await create('many');
    expect(made.map(({ currency, totalMinor, rowCount }) => [currency, totalMinor, rowCount])).toEqual([
      ['JPY', 987n, 3],
      ['USD', total, Number(total)],
    ]);
    expect(await mark('many', 'A', 'EUR')).toEqual(new Date(middle));
    expect(await due('many')).toEqual([['A', 5n]]);
    for (const { batchId } of made) await money.cancel(batchId);
    expect(await mark('many', 'A', 'JPY')).toEqual(new Date(early.transactionDate));
    expect((await create('many')).map(({ totalMinor }) => totalMinor)).toEqual([987n, total]);
  });

  test('is complete when many of the rows have the same date', async () => {
    await makeGroup('same');
    await fillBooks(db(), 'same', books);
    const moved = sql`
      with moved as (
        update attribution set transaction_date = '2024-05-01T20:00:00Z'
        where group_id = 'same' and transaction_date < '2024-05-01T20:00:00Z'
      ), left_hours as (
        delete from transaction_count where group_id = 'same' and hour < '2024-05-01T20:00:00Z' returning all_count
      )
      update transaction_count
      set all_count = all_count + (select sum(all_count) from left_hours)
      where group_id = 'same' and hour = '2024-05-01T20:00:00Z'`;
    await asOperator(money.service().testDatabase, moved);
    const made = await totals('same');
    expect(made).toEqual([[total, Number(total)]]);
    expect(await assigned('same')).toBe(total);
  });
});
