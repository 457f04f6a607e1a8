import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { holdPurchase } from '../../src/settlement/holds/hold-purchase.ts';
import { releaseHold } from '../../src/settlement/holds/release-hold.ts';
import { setResults } from '../../src/settlement/payouts/results/set-results.ts';
import { type Earned, useMoney } from '../money.ts';
import { testActor } from '../test-actor.ts';

const money = useMoney();
const { db, query } = money;
const publisherId = 'aurora';
const groupId = 'worked-out';
const page = readFileSync(new URL('../../../../docs/payouts.md', import.meta.url), 'utf8');

interface Line {
  date: string;
  /** First amount in the description, in cents. */
  amount: number;
  alice: string;
  ben: string;
}

/** Reads the steps of the example, which say what to record and what must be owed after it. */
function readSteps(): Line[] {
  const rows = page.matchAll(/^\| \d+ \| (\d{4}-\d\d-\d\d) \| (.*) \| (\d+\.\d\d) \| (\d+\.\d\d) \|$/gm);
  return [...rows].map(([, date = '', what = '', alice = '', ben = '']) => {
    const [, units = '0', cents = '0'] = /(\d+)\.(\d\d)/.exec(what) ?? [];
    return { date, amount: Number(units + cents), alice, ben };
  });
}

const inUnits = (minor: bigint | string): string => (Number(minor) / 100).toFixed(2);

test('the worked example in docs/payouts.md is correct', async () => {
  await money.makeGroup(groupId, 'payoutMinimums: { USD: 500 },');
  const orders: Earned[] = [];
  const payouts: string[] = [];
  let asOf: Date | null = null;
  let holdId = '';
  const buy =
    (member: 'A' | 'B') =>
    async ({ amount, date }: Line) => {
      const transactionDate = `${date}T12:00:00Z`;
      orders.push(
        await money.earn(groupId, member, amount, { memberSharePercent: undefined, transactionDate }),
      );
      await money.settle();
    };
  const order = (index: number): Earned => orders[index] ?? { id: '', transactionId: '' };
  const refund =
    (index: number) =>
    async ({ amount }: Line) => {
      const { status } = await money.refund(order(index).transactionId, {
        ...{ refundId: `of-${index}`, amount, reason: 'Refund' },
      });
      expect(status).toBe(200);
    };
  const setResult = async (name: string, result: 'Failed' | 'Returned'): Promise<void> => {
    const [line] = await query(sql<{ reference: string }>`
      select i.reference
      from payout_item i
      join membership m using (publisher_id, membership_id)
      where i.batch_id = ${payouts[0]}::uuid and m.account_id = ${`acc_${groupId}_${name}`}`);
    const results = [{ line: 1, reference: line?.reference ?? '', result, note: null, problem: null }];
    const { verdicts } = await setResults(
      { clock: { now: () => new Date() }, needsAnotherPerson: async () => false },
      db(),
      testActor,
      { publisherId, payoutId: payouts[0] ?? '', results, isDryRun: false },
    );
    expect(verdicts).toMatchObject([{ verdict: 'change' }]);
  };
  const actions: ((line: Line) => Promise<void>)[] = [
    buy('A'),
    buy('B'),
    buy('A'),
    refund(2),
    buy('B'),
    async () => {
      const { transactionId } = order(3);
      await holdPurchase(db(), testActor, {
        ...{ publisherId, transactionId, rows: null, reason: 'dispute', endsAt: null },
      });
      const [hold] = await query(sql<{ hold_id: string }>`select hold_id from payment_hold`);
      holdId = hold?.hold_id ?? '';
    },
    async ({ amount }) => {
      const preview = await money.preview(groupId);
      asOf = preview.asOf;
      expect(preview.payables).toMatchObject([
        { name: 'A', amountMinor: BigInt(amount), isDue: true, onHold: null },
        { name: 'B', amountMinor: 1_200n, isDue: true, onHold: { amountMinor: 500n } },
      ]);
    },
    refund(0),
    async ({ amount }) => {
      const { payouts: made, reductions } = await money.createOrLess(groupId, asOf ?? new Date());
      payouts.push(made[0]?.batchId ?? '');
      expect(reductions.members).toMatchObject([
        { name: 'A', previewedMinor: 1_034n, paidMinor: BigInt(amount) },
      ]);
    },
    async () => {
      await setResult('B', 'Failed');
      await money.markPaid(payouts[0] ?? '');
    },
    () => setResult('A', 'Returned'),
    async () => {
      await releaseHold(db(), testActor, { publisherId, holdId, reason: 'won' });
    },
    buy('A'),
    () => money.clawBack(order(1).id, 'Chargeback'),
    async () => {
      payouts.push((await money.create(groupId))[0]?.batchId ?? '');
    },
  ];
  const steps = readSteps();
  expect(steps).toHaveLength(actions.length);
  for (const [index, line] of steps.entries()) {
    await actions[index]?.(line);
    const owed = [];
    for (const name of ['A', 'B'])
      owed.push(
        await money.number(sql`
          select coalesce(sum(balance_minor), 0) as n
          from member_balance
          join membership using (publisher_id, membership_id)
          where account_id = ${`acc_${groupId}_${name}`}`),
      );
    expect([index + 1, ...owed.map(inUnits)]).toEqual([index + 1, line.alice, line.ben]);
    await money.expectSound();
  }
  const items = await query(sql<{ batch_id: string; name: string } & Record<string, string>>`
    select i.batch_id, a.name, i.payments_minor::text as payments, i.adjustments_minor::text as adjustments,
           i.amount_minor::text as amount
    from payout_item i
    join membership m using (publisher_id, membership_id)
    join creator_account a using (account_id)
    order by i.batch_id, a.name`);
  const shown = [...page.matchAll(/^\| (first|second) \| (Alice|Ben) \| (.*) \| (.*) \| (.*) \|$/gm)];
  expect(
    items.map(({ batch_id, name, payments = '', adjustments = '', amount = '' }) => [
      batch_id === payouts[0] ? 'first' : 'second',
      name === 'A' ? 'Alice' : 'Ben',
      ...[payments, adjustments, amount].map(inUnits),
    ]),
  ).toEqual(shown.map(([, ...cells]) => cells));
});
