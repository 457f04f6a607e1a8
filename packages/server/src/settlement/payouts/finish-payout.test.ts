import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { useMoney } from '../../../test/money.ts';
import { getPayout } from './read/read-payouts.ts';

const money = useMoney();
const { makeGroup, earn, settle, preview, create, shown, patch, balance, query, db } = money;
afterEach(() => money.expectSound());

async function paidOut(group: string, amount = 500) {
  await makeGroup(group);
  const row = await earn(group, 'A', amount);
  await settle();
  const [batch] = await create(group);
  return { row, batchId: batch?.batchId ?? '' };
}
const payablesOf = async (group: string) =>
  (await preview(group)).payables.map((each) => [
    each.name,
    each.paymentsMinor,
    each.adjustmentsMinor,
    each.isDue,
  ]);
const entriesOf = (group: string) =>
  query(sql`
    select e.kind, e.amount_minor::int as amount
    from ledger_entry e
    join membership m using (publisher_id, membership_id)
    where m.group_id = ${group}
    order by e.created_at, e.kind`);

describe('marking a payout as paid', () => {
  test('marks its rows as paid, permanently', async () => {
    const { row, batchId } = await paidOut('paid');
    const waiting = await earn('paid', 'A', 7);
    await settle();
    await money.markPaid(batchId);
    expect(await shown(row.transactionId, 'paid')).toMatchObject([
      { memberPaid: true, memberShareAmount: 500 },
    ]);
    expect(await shown(waiting.transactionId, 'paid')).toMatchObject([{ memberPaid: false }]);
    const { paidAt } = await getPayout(db(), 'aurora', batchId);
    await money.markPaid(batchId);
    expect(await getPayout(db(), 'aurora', batchId)).toMatchObject({
      status: 'Paid',
      paidAt,
      cancelledAt: null,
    });
    await expect(money.cancel(batchId)).rejects.toThrow("is paid and can't be canceled");
    expect((await patch(row.transactionId, { form: { action: 'Refund' } })).status).toBe(409);
    expect(await balance('A', 'USD', 'paid')).toBe(7n);
  });

  test('or canceling it succeeds, whichever is first, when both are requested at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { row, batchId } = await paidOut(`either${round}`);
      const [paid, cancelled] = await Promise.allSettled([money.markPaid(batchId), money.cancel(batchId)]);
      expect([paid.status, cancelled.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const isPaid = paid.status === 'fulfilled';
      expect(await shown(row.transactionId, `either${round}`)).toMatchObject([{ memberPaid: isPaid }]);
      expect(await balance('A', 'USD', `either${round}`)).toBe(isPaid ? 0n : 500n);
    }
  });
});

describe('canceling a payout', () => {
  test('makes its rows payable and refundable again, and restores balances', async () => {
    const { row, batchId } = await paidOut('cancelled');
    const other = await earn('cancelled', 'A', 20);
    await settle();
    await money.cancel(batchId);
    await money.cancel(batchId);
    expect(await balance('A', 'USD', 'cancelled')).toBe(520n);
    expect(await payablesOf('cancelled')).toEqual([['A', 520n, 0n, true]]);
    await expect(money.markPaid(batchId)).rejects.toThrow('was canceled');
    expect((await patch(row.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
    expect(await create('cancelled')).toMatchObject([{ totalMinor: 20n, rowCount: 1 }]);
    expect((await patch(other.transactionId, { form: { action: 'Refund' } })).status).toBe(409);
    expect(await entriesOf('cancelled')).toEqual([
      { kind: 'payment', amount: 500 },
      { kind: 'payout', amount: -500 },
      { kind: 'payment', amount: 20 },
      { kind: 'payout-return', amount: 500 },
      { kind: 'refund', amount: -500 },
      { kind: 'payout', amount: -20 },
    ]);
  });

  test('makes its clawbacks pending again', async () => {
    const first = await paidOut('again');
    await money.markPaid(first.batchId);
    await money.clawBack(first.row.id, 'Fraud');
    await earn('again', 'A', 800);
    await settle();
    const [second] = await create('again');
    expect(second).toMatchObject({ totalMinor: 300n, rowCount: 1 });
    expect(await payablesOf('again')).toEqual([]);
    await money.cancel(second?.batchId ?? '');
    expect(await payablesOf('again')).toEqual([['A', 800n, -500n, true]]);
    expect(await create('again')).toMatchObject([{ totalMinor: 300n }]);
  });
});

describe('a clawback', () => {
  test.each(['Refund', 'Fraud', 'Chargeback'] as const)(
    'of a paid row is deducted from the next payout, once, and makes the row %s',
    async (status) => {
      const group = `claw${status}`;
      const { row, batchId } = await paidOut(group);
      await money.markPaid(batchId);
      await money.clawBack(row.id, status);
      expect(await balance('A', 'USD', group)).toBe(-500n);
      expect(await shown(row.transactionId, group)).toMatchObject([
        { status, memberShareAmount: 500, memberPaid: true },
      ]);
      await expect(money.clawBack(row.id, status)).rejects.toThrow('was already clawed back');

      await earn(group, 'A', 300);
      await settle();
      expect(await payablesOf(group)).toEqual([['A', 300n, -500n, false]]);
      expect(await create(group)).toEqual([]);
      await earn(group, 'A', 450);
      await settle();
      expect(await create(group)).toMatchObject([{ totalMinor: 250n, rowCount: 2, memberCount: 1 }]);
      expect(await balance('A', 'USD', group)).toBe(0n);
      await earn(group, 'A', 40);
      await settle();
      expect(await payablesOf(group)).toEqual([['A', 40n, 0n, true]]);
      const [{ fraud } = { fraud: null }] = await query(sql<{ fraud: boolean }>`
        select is_fraud as fraud from payment where attribution_id = ${row.id}::uuid`);
      expect(fraud).toBe(status === 'Fraud');
    },
  );

  test('succeeds once out of many at the same time', async () => {
    const { row, batchId } = await paidOut('once');
    await money.markPaid(batchId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => money.clawBack(row.id, 'Fraud')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balance('A', 'USD', 'once')).toBe(-500n);
  });

  test('is rejected for unpaid rows and those of other publishers', async () => {
    const { row, batchId } = await paidOut('unpaid');
    const other = await earn('unpaid', 'A', 5);
    for (const id of [row.id, other.id])
      await expect(money.clawBack(id, 'Refund')).rejects.toThrow('is not paid');
    for (const id of ['0197a000-0000-7000-8000-000000000001', 'nothing'])
      await expect(money.clawBack(id, 'Refund')).rejects.toThrow(`Publisher aurora has no row ${id}.`);
    await expect(money.clawBack(row.transactionId, 'Refund')).rejects.toThrow(
      `${row.transactionId} is the transactionId of a purchase. Specify one of its rows: ${row.id}.`,
    );
    await settle();
    await money.cancel(batchId);
    await expect(money.clawBack(row.id, 'Refund')).rejects.toThrow('is not paid');
    expect(await balance('A', 'USD', 'unpaid')).toBe(505n);
  });

  test('counts against the minimum', async () => {
    const { row, batchId } = await paidOut('least');
    await money.markPaid(batchId);
    await money.clawBack(row.id, 'Chargeback');
    await money.provisionGroup('least', 'payoutMinimums: { USD: 100 }');
    await earn('least', 'A', 599);
    await settle();
    expect(await payablesOf('least')).toEqual([['A', 599n, -500n, false]]);
    await earn('least', 'A', 1);
    await settle();
    expect(await create('least')).toMatchObject([{ totalMinor: 100n }]);
  });

  test("is not in a payout with an earlier preview's cutoff", async () => {
    const { row, batchId } = await paidOut('timely');
    await money.markPaid(batchId);
    await earn('timely', 'A', 900);
    await settle();
    const { asOf } = await preview('timely');
    await new Promise((resolve) => setTimeout(resolve, 2)); // asOf is truncated to milliseconds
    await money.clawBack(row.id, 'Refund');
    expect(await create('timely', asOf)).toMatchObject([{ totalMinor: 900n }]);
    expect(await payablesOf('timely')).toEqual([['A', 0n, -500n, false]]);
    expect(await balance('A', 'USD', 'timely')).toBe(-500n);
  });
});

test.each(['0197a000-0000-7000-8000-000000000001', 'nothing', ''])(
  '%j is not found as a payout',
  async (id) => {
    await expect(money.markPaid(id)).rejects.toThrow('Publisher aurora has no payout');
    await expect(money.cancel(id)).rejects.toThrow('Publisher aurora has no payout');
    await expect(getPayout(db(), 'aurora', id)).rejects.toThrow('Publisher aurora has no payout');
  },
);
