import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useStatements } from '../../test/statements.ts';
import { testActor } from '../../test/test-actor.ts';
import { createPayout } from '../settlement/payouts/create/create-payout.ts';
import { resumePayouts } from '../settlement/payouts/resume-payouts.ts';

const scene = await useStatements();
const { portal, months, listed, amounts, payoutsOf, setResult, crashing, csvOf } = scene;
const { earn, settle, create, markPaid, cancel, refund, query, db } = portal;

// Comes first, because it skips a month.
describe('the first statement of a publisher from before statements', () => {
  test('begins with the balance by the ledger', async () => {
    await earn(scene.group, 'A', 444);
    await settle();
    await months.issue();
    await months.end();
    // The month that just ended is skipped, as for a publisher that existed at the upgrade.
    await query(sql`
      update statement_progress
      set month = (month + interval '1 month')::date, closes_at = closes_at + interval '1 month'
      where publisher_id = 'aurora'`);
    await earn(scene.group, 'A', 6);
    await settle();
    const month = await months.close();
    expect(await amounts()).toEqual([[month, { opening: 444, earned: 6, closing: 450 }]]);
  });
});

describe('a monthly statement', () => {
  test('has every kind of movement, and begins with the closing balance of the one before', async () => {
    const first = await earn(scene.group, 'A', 1_000);
    const second = await earn(scene.group, 'A', 500);
    await settle();
    await refund(second.transactionId, { refundId: 'r1', amount: 200, reason: 'Refund' });
    const month = await months.close();
    const [batch] = await create(scene.group);
    await markPaid(batch?.batchId ?? '');
    await portal.clawBack(first.id, 'Fraud');
    await portal.reinstate(second.transactionId, 'r1');
    await earn(scene.group, 'A', 70);
    await settle();
    const next = await months.close();
    await months.close(); // nothing was booked
    expect(await amounts()).toEqual([
      [month, { earned: 1_500, reversed: -200, closing: 1_300 }],
      [
        next,
        { opening: 1_300, earned: 70, clawedBack: -1_000, reinstated: 200, toPayouts: -1_300, closing: -730 },
      ],
    ]);
  });

  test('is issued an hour after the end of the month, and not before', async () => {
    await earn(scene.group, 'A', 100);
    await settle();
    await months.issue();
    expect(await listed()).toEqual([]);
    const [{ closes_at: closesAt } = { closes_at: new Date(0) }] = await query(sql<{ closes_at: Date }>`
      select closes_at from statement_progress where publisher_id = 'aurora'`);
    const month = await months.close();
    expect(closesAt.toISOString()).toMatch(/-01T01:00:00.000Z$/);
    const [statement] = await listed();
    expect(statement?.month).toBe(month);
    const answer = await scene.browser.get(`/statements/${statement?.statementId}?publisher=aurora`);
    expect([answer.status, answer.body]).toEqual([200, statement]);
  });

  test('books a purchase that is sent late, and a refund, in the month in which they were booked', async () => {
    const early = await earn(scene.group, 'A', 300);
    await settle();
    const month = await months.close();
    const before = await listed();
    await earn(scene.group, 'A', 40, { transactionDate: new Date().toISOString() });
    await earn(scene.group, 'A', 60, { transactionDate: '2024-01-01T00:00:00Z' });
    await settle();
    await refund(early.transactionId, { refundId: 'late', amount: 300, reason: 'Chargeback' });
    const next = await months.close();
    expect((await listed()).slice(0, 1)).toEqual(before);
    expect(await amounts()).toEqual([
      [month, { earned: 300, closing: 300 }],
      [next, { opening: 300, earned: 100, reversed: -300, closing: 100 }],
    ]);
  });

  test('calls an amount paid only once it is, and books what comes back when it does', async () => {
    await earn(scene.group, 'A', 500);
    await settle();
    const [batch] = await create(scene.group);
    const month = await months.close();
    const line = { amountMinor: '500', toPayoutMinor: '-500', fromPayoutMinor: '0' };
    expect(await payoutsOf()).toMatchObject([[{ ...line, state: 'Created', paidAt: null }]]);
    await markPaid(batch?.batchId ?? '');
    await earn(scene.group, 'A', 10);
    await settle();
    const paid = await months.close();
    await setResult(batch?.batchId, 'Returned');
    const returned = await months.close();
    expect(await amounts()).toEqual([
      [month, { earned: 500, toPayouts: -500 }],
      [paid, { earned: 10, closing: 10 }],
      [returned, { opening: 10, fromPayouts: 500, closing: 510 }],
    ]);
    const nothing = { amountMinor: '500', toPayoutMinor: '0', fromPayoutMinor: '0' };
    expect(await payoutsOf()).toMatchObject([
      [{ ...line, state: 'Created', paidAt: null }],
      [{ ...nothing, state: 'Paid', paidAt: expect.stringMatching(paid) }],
      [{ ...nothing, fromPayoutMinor: '500', state: 'Returned' }],
    ]);
  });

  test('gives a line that failed no date of payment, even if its payout is marked as paid', async () => {
    await earn(scene.group, 'A', 700);
    await settle();
    const [failing] = await create(scene.group);
    await setResult(failing?.batchId, 'Failed');
    await markPaid(failing?.batchId ?? '');
    const failed = { toPayoutMinor: '-700', fromPayoutMinor: '700', state: 'Failed', paidAt: null };
    await months.close();
    expect(await payoutsOf()).toMatchObject([[failed]]);
    const [sent] = await create(scene.group);
    await setResult(sent?.batchId, 'Sent');
    await markPaid(sent?.batchId ?? '');
    const month = await months.close();
    await setResult(sent?.batchId, 'Failed');
    await months.close();
    const later = { toPayoutMinor: '0', fromPayoutMinor: '700', state: 'Failed', paidAt: null };
    // A line that is only known to be sent counts as paid when its payout is marked as paid, as in the yearly file.
    const asSent = { toPayoutMinor: '-700', state: 'Sent', paidAt: expect.stringMatching(month) };
    expect(await payoutsOf()).toMatchObject([[failed], [asSent], [later]]);
    const states = [];
    for (const each of await listed()) states.push((await csvOf(each)).lines.at(-2));
    expect(states.map((line) => [line?.state, line?.paidAt?.slice(0, 7)])).toEqual([
      ['Failed', ''],
      ['Sent', month],
      ['Failed', ''],
    ]);
  });

  test('gives a line no date of payment if its money came back before its payout was marked as paid', async () => {
    await earn(scene.group, 'A', 50);
    await settle();
    const [batch] = await create(scene.group);
    await setResult(batch?.batchId, 'Sent');
    await setResult(batch?.batchId, 'Returned');
    await markPaid(batch?.batchId ?? '');
    await months.close();
    await months.close(); // not listed again
    expect(await payoutsOf()).toMatchObject([[{ state: 'Returned', paidAt: null }]]);
  });

  test('shows a payout that was canceled in the same month, but not one that was undone', async () => {
    await earn(scene.group, 'A', 80);
    await settle();
    const [batch] = await create(scene.group);
    await cancel(batch?.batchId ?? '');
    const request = { publisherId: 'aurora', groupId: scene.group, currency: null, asOf: null };
    await createPayout(crashing().db({ afterCommit: 4 }), testActor, request).catch(() => undefined);
    await query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`,
    );
    await resumePayouts(db(), 'aurora');
    expect(
      await query(sql`select 1 from payout_batch where group_id = ${scene.group} and was_undone`),
    ).toHaveLength(1);
    const month = await months.close();
    expect(await amounts()).toEqual([[month, { earned: 80, toPayouts: -80, fromPayouts: 80, closing: 80 }]]);
    expect((await listed())[0]?.payouts).toMatchObject([{ number: expect.any(Number), state: 'Cancelled' }]);
  });
});

describe('a month is not closed', () => {
  test('while a payout from before its end is being created', async () => {
    await earn(scene.group, 'A', 90);
    await settle();
    const request = { publisherId: 'aurora', groupId: scene.group, currency: null, asOf: null };
    await createPayout(crashing().db({ afterCommit: 3 }), testActor, request).catch(() => undefined);
    expect(await query(sql`select 1 from payout_batch where status = 'Preparing'`)).toHaveLength(1);
    const month = await months.close();
    expect(await listed()).toEqual([]);
    await query(
      sql`update payout_batch set worked_until = now() - interval '1 second' where status = 'Preparing'`,
    );
    await resumePayouts(db(), 'aurora');
    await months.issue();
    expect(await amounts()).toEqual([[month, expect.objectContaining({ earned: 90 })]]);
  });

  test('while a transaction from before its end is open, whose entries are in the month', async () => {
    await earn(scene.group, 'A', 20);
    await settle();
    await earn(scene.group, 'A', 3);
    let finish = () => {};
    const opened = Promise.withResolvers<void>();
    const posting = db()
      .transaction()
      .execute(async (tx) => {
        await sql`select now()`.execute(tx);
        opened.resolve();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      });
    await opened.promise;
    const month = await months.close();
    expect(await listed()).toEqual([]);
    finish();
    await posting;
    await settle();
    await months.issue();
    expect(await amounts()).toEqual([[month, { earned: 20, closing: 20 }]]);
    const next = await months.close();
    expect(await amounts()).toContainEqual([next, { opening: 20, earned: 3, closing: 23 }]);
  });
});
