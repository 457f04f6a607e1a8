import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operations, testPages } from '../../../../test/money.ts';
import {
  type Crash,
  type CrashingDatabase,
  openCrashingDatabase,
} from '../../../../test/simulation/crashing-database.ts';
import { signIn } from '../../../../test/staff.ts';
import { testActor } from '../../../../test/test-actor.ts';
import { useToldEvents } from '../../../../test/told-events.ts';
import type { Db } from '../../../platform/database/database.ts';
import { readLedger } from '../../read-ledger.ts';
import { findDue } from '../read/find-due.ts';
import { listPayoutItems } from '../read/list-payout-items.ts';
import { getPayout } from '../read/read-payouts.ts';
import { readResultTotals } from './read-result-totals.ts';
import type { LineResult } from './result.ts';
import { setResults } from './set-results.ts';

const money = useToldEvents();
const { makeGroup, earn, settle, create, preview, balance, query, number, db } = money;
let crashing: CrashingDatabase;
beforeAll(() => {
  crashing = openCrashingDatabase(money.service().testDatabase.connection);
});
afterAll(() => crashing?.close());
afterEach(async () => {
  await money.expectSound();
  const { zeroSums } = await readLedger(db(), 'aurora');
  expect(zeroSums.filter(({ differenceMinor }) => differenceMinor !== 0n)).toEqual([]);
});

/** Creates a group and a payout of 70.00 to A and 5.00 to B. @returns the payout and the references of its lines */
async function payoutOf(group: string, settings = '') {
  await makeGroup(group, settings);
  await earn(group, 'A', 7_000);
  await earn(group, 'B', 500);
  await settle();
  const [batch] = await create(group);
  if (batch === undefined) throw new Error('nothing is due');
  const { rows } = await listPayoutItems(
    db(),
    testPages,
    { publisherId: 'aurora', batchId: batch.batchId },
    { cursor: null, size: 10 },
  );
  const [a = '', b = ''] = rows.map(({ reference }) => reference);
  return { payoutId: batch.batchId, a, b };
}

const wanted = (lines: readonly (readonly [string, LineResult, string?])[]) =>
  lines.map(([reference, result, note = null], index) => ({
    line: index + 1,
    reference,
    result,
    note,
    problem: null,
  }));
const set = (payoutId: string, lines: readonly (readonly [string, LineResult, string?])[], at: Db = db()) =>
  operations.setResults(at, testActor, {
    publisherId: 'aurora',
    payoutId,
    results: wanted(lines),
    isDryRun: false,
  });
const verdictsOf = async (...[payoutId, lines]: Parameters<typeof set>) =>
  (await set(payoutId, lines)).verdicts.map(({ verdict }) => verdict);
const totals = async (payoutId: string) =>
  (await readResultTotals(db(), 'aurora', await getPayout(db(), 'aurora', payoutId))).map(
    ({ result, count, amountMinor }) => [result, count, amountMinor],
  );
const dueOf = async (group: string) =>
  (await preview(group)).payables.map(({ name, adjustmentsMinor, amountMinor, isDue }) => [
    name,
    adjustmentsMinor,
    amountMinor,
    isDue,
  ]);

describe('results of lines', () => {
  test('a failed line is reported, owed again in the next payout, and all others are paid (dub#3227, dub#3458)', async () => {
    const { payoutId, a, b } = await payoutOf('failed');
    await money.told();
    expect(await verdictsOf(payoutId, [[b, 'Failed', 'No such account']])).toEqual(['change']);
    expect(await money.told()).toMatchObject([
      [
        'Payout/PayoutLineReturned',
        { payoutId, reference: b, memberId: 'acc_failed_B', result: 'Failed', amountMinor: '500' },
      ],
    ]);
    expect(await balance('M-B', 'USD', 'failed')).toBe(500n);
    await money.markPaid(payoutId);
    expect(await totals(payoutId)).toEqual([
      ['Paid', 1, 7_000n],
      ['Failed', 1, 500n],
    ]);
    expect(await dueOf('failed')).toEqual([['B', 500n, 500n, true]]);
    const due = await findDue(db(), { publisherId: 'aurora', groupIds: ['failed'], now: new Date() });
    expect(due.answer).toEqual([{ groupId: 'failed', currency: 'USD' }]);
    const [next] = await create('failed');
    expect(next).toMatchObject({ totalMinor: 500n, memberCount: 1, rowCount: 0 });
    expect(await balance('M-B', 'USD', 'failed')).toBe(0n);
    expect(await dueOf('failed')).toEqual([]);
    await money.expectSound();
    // Canceling the next payout makes the amount wait again.
    await money.cancel(next?.batchId ?? '');
    expect(await dueOf('failed')).toEqual([['B', 500n, 500n, true]]);
    expect(await create('failed')).toMatchObject([{ totalMinor: 500n }]);
    expect(await verdictsOf(payoutId, [[a, 'Failed']])).toEqual(['impossible']);
  });

  test('a returned line is paid again once, and its purchases stay paid, never unpaid (AffiliateWP#2463)', async () => {
    const { payoutId, a } = await payoutOf('returned');
    await money.markPaid(payoutId);
    await money.expectSound(); // The payout has been compared, and changes again below.
    expect(await verdictsOf(payoutId, [[a, 'Returned', 'Account closed']])).toEqual(['change']);
    expect(await verdictsOf(payoutId, [[a, 'Returned']])).toEqual(['unchanged']);
    for (const result of ['Sent', 'Paid', 'Failed'] as const)
      expect(await verdictsOf(payoutId, [[a, result]])).toEqual(['impossible']);
    expect(await number(sql`select count(*) as n from payout_return where group_id = 'returned'`)).toBe(1n);
    expect(
      await query(sql`select distinct payout_batch_id::text as id from payment where group_id = 'returned'`),
    ).toEqual([{ id: payoutId }]);
    await earn('returned', 'A', 30);
    await settle();
    expect(await create('returned')).toMatchObject([{ totalMinor: 7_030n, rowCount: 1 }]);
    await expect(money.cancel(payoutId)).rejects.toThrow('is paid');
  });

  test('an amount that came back is added to clawbacks, and counts for the minimum', async () => {
    const { payoutId, b } = await payoutOf('both', 'payoutMinimums: { USD: 500 },');
    const [row] = await query<{ id: string }>(
      sql`select attribution_id as id from attribution where group_id = 'both' and share_minor = 500`,
    );
    await money.markPaid(payoutId);
    await money.clawBack(row?.id ?? '', 'Chargeback');
    await set(payoutId, [[b, 'Returned']]);
    expect(await dueOf('both')).toEqual([['B', 0n, 0n, false]]);
    await earn('both', 'B', 499);
    await settle();
    expect(await create('both')).toEqual([]);
    await earn('both', 'B', 1);
    await settle();
    expect(await create('both')).toMatchObject([{ totalMinor: 500n }]);
    expect(await balance('M-B', 'USD', 'both')).toBe(0n);
  });

  test('a preview from before a line came back still pays what it showed', async () => {
    const { payoutId, a } = await payoutOf('before');
    await money.markPaid(payoutId);
    await earn('before', 'B', 40);
    await settle();
    const { asOf } = await preview('before');
    await set(payoutId, [[a, 'Returned']]);
    expect(await create('before', asOf)).toMatchObject([{ totalMinor: 40n, memberCount: 1 }]);
    expect(await dueOf('before')).toEqual([['A', 7_000n, 7_000n, true]]);
  });

  test('give each line a verdict, and set those that can be set', async () => {
    const other = await payoutOf('other-lines');
    const { payoutId, a, b } = await payoutOf('lines');
    expect(await verdictsOf(payoutId, [[a, 'Returned']]), 'not sent yet').toEqual(['impossible']);
    expect(
      await verdictsOf(payoutId, [
        ['9999-00001', 'Paid'],
        [other.a, 'Paid'],
        [a, 'Sent'],
        [b, 'Paid'],
        [b, 'Failed'],
      ]),
    ).toEqual(['unknown', 'other payout', 'change', 'duplicate', 'duplicate']);
    expect(await totals(payoutId)).toEqual([
      [null, 1, 500n],
      ['Sent', 1, 7_000n],
    ]);
    await expect(money.cancel(payoutId)).rejects.toThrow('already have a result');
    await money.markPaid(payoutId);
    expect(await totals(payoutId), 'a line keeps its own result').toEqual([
      ['Sent', 1, 7_000n],
      ['Paid', 1, 500n],
    ]);
    expect(await verdictsOf(payoutId, [[a, 'Failed']])).toEqual(['change']);
    await money.cancel(other.payoutId);
    await expect(set(other.payoutId, [[other.a, 'Paid']])).rejects.toThrow('was canceled');
  });

  test('set by two people at once are set once, and the money comes back once', async () => {
    const { payoutId, a, b } = await payoutOf('two');
    const all = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        verdictsOf(payoutId, [
          [a, 'Failed'],
          [b, 'Paid'],
        ]),
      ),
      money.markPaid(payoutId),
    ]);
    const sets = all.slice(0, 4) as string[][];
    expect(await getPayout(db(), 'aurora', payoutId)).toMatchObject({ status: 'Paid' });
    const failed = sets.filter(([verdict]) => verdict === 'change').length;
    // If the payout was marked as paid first, the line can no longer fail.
    expect(failed).toBeLessThanOrEqual(1);
    expect(await balance('M-A', 'USD', 'two')).toBe(failed === 1 ? 7_000n : 0n);
  });

  test('and a cancellation at once never pay a line twice', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { payoutId, a } = await payoutOf(`cancel-${round}`);
      await Promise.allSettled([set(payoutId, [[a, 'Failed']]), money.cancel(payoutId)]);
      const { status } = await getPayout(db(), 'aurora', payoutId);
      expect(await balance('M-A', 'USD', `cancel-${round}`), status).toBe(7_000n);
      expect(await balance('M-B', 'USD', `cancel-${round}`)).toBe(status === 'Cancelled' ? 500n : 0n);
    }
  });

  test('are set completely or not at all when a process is killed, and can be set again', async () => {
    const { payoutId, a, b } = await payoutOf('killed');
    const lines = [
      [a, 'Failed'],
      [b, 'Failed'],
    ] as const;
    const crashes: Crash[] = [1, 4, 7, 9, 11, 13].map((beforeStatement) => ({ beforeStatement }));
    for (const crash of [...crashes, { afterCommit: 1 } as const]) {
      await set(payoutId, lines, crashing.db(crash)).catch(() => undefined);
      const owed = await balance('M-A', 'USD', 'killed');
      expect([0n, 7_000n]).toContain(owed);
      expect(await balance('M-B', 'USD', 'killed')).toBe(owed === 0n ? 0n : 500n);
      await money.expectSound();
    }
    await set(payoutId, lines);
    expect(await balance('M-B', 'USD', 'killed')).toBe(500n);
  });
});

describe('the admin API', () => {
  const asPerson = async () => {
    const { headers } = await signIn(money.service(), 'finance');
    return async (path: string, body: object) => {
      const response = await fetch(`${money.service().url}/admin/v1/publishers/aurora${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    };
  };

  test('checks a file, and sets its lines if their sum is confirmed', async () => {
    const { payoutId, a, b } = await payoutOf('file');
    const post = await asPerson();
    const csv = `Status;Reference;Note;Other\r\nfailed;${b.toLowerCase()};"closed; gone";x\r\nPaid;${a};;\r\nLost;${a};;\r\n`;
    const path = `/payouts/${payoutId}/results`;
    const checked = await post(path, { csv, isDryRun: true });
    expect(checked).toMatchObject({
      status: 200,
      body: {
        owedAgainMinor: '500',
        lines: [
          { line: 2, reference: b, verdict: 'change', to: 'Failed', name: 'B', amountMinor: '500' },
          { line: 3, reference: a, verdict: 'duplicate' },
          {
            line: 4,
            reference: a,
            verdict: 'invalid',
            problem: expect.stringContaining('Sent, Paid, Failed'),
          },
        ],
      },
    });
    expect(await totals(payoutId)).toEqual([[null, 2, 7_500n]]);
    expect(await post(path, { csv, isDryRun: false })).toMatchObject({ status: 400 });
    expect(await post(path, { csv, isDryRun: false, owedAgainMinor: '499' })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('5.00 USD, not 4.99') },
    });
    expect(await post(path, { csv, isDryRun: false, owedAgainMinor: '500' })).toMatchObject({ status: 200 });
    expect(await totals(payoutId)).toEqual([
      [null, 1, 7_000n],
      ['Failed', 1, 500n],
    ]);
    for (const [body, status] of [
      [{ csv: 'reference,note\n1,2', isDryRun: true }, 400],
      [{ csv: `reference,status\n${'1,Paid\n'.repeat(5_001)}`, isDryRun: true }, 400],
      [{ isDryRun: true }, 400],
      [{ results: [{ reference: a, result: 'Lost' }], isDryRun: true }, 400],
    ] as const)
      expect(await post(path, body)).toMatchObject({ status });
  });

  test('lets only another person say what became of the money, if two are required', async () => {
    const { payoutId, a } = await payoutOf('second');
    const parts = { clock: { now: () => new Date() }, needsAnotherPerson: async () => true };
    const at = (result: LineResult) =>
      setResults(parts, db(), testActor, {
        publisherId: 'aurora',
        payoutId,
        results: wanted([[a, result]]),
        isDryRun: false,
      });
    expect((await at('Sent')).verdicts).toMatchObject([{ verdict: 'change' }]);
    for (const result of ['Paid', 'Failed', 'Returned'] as const)
      await expect(at(result)).rejects.toMatchObject({ code: 'Forbidden' });
  });
});
