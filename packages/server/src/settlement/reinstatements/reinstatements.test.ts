import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { useBounties } from '../../../test/bounties.ts';
import { purchase } from '../../../test/fixtures.ts';
import { operations } from '../../../test/money.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../../test/simulation/crashing-database.ts';
import { testActor } from '../../../test/test-actor.ts';
import { transactionPath } from '../../../test/transactions.ts';

const money = useBounties();
const { service, keys, record, patch, get, list, makeGroup, earn, settle, preview, create, balance, query } =
  money;
let crashing: CrashingDatabase;
beforeAll(() => {
  crashing = openCrashingDatabase(service().testDatabase.connection);
});
afterAll(() => crashing?.close());
afterEach(() => money.expectSound());

const refundsPath = (transactionId: string) => `${transactionPath(transactionId)}/refunds`;
const refund = (transactionId: string, refundId: string, changes: Record<string, unknown> = {}) =>
  money.refund(transactionId, { refundId, reason: 'Refund', ...changes });
const reinstate = (
  transactionId: string,
  refundId: string,
  json: unknown = { reason: 'it failed' },
  key = keys().backend,
) =>
  service().call('POST', `${refundsPath(transactionId)}/${encodeURIComponent(refundId)}/reinstate`, {
    key,
    json: json as object,
  });
const listed = async (transactionId: string) =>
  (await service().call('GET', refundsPath(transactionId), { key: keys().backend })).body;
/** Returns the id that the list shows for the last refund of a source that is in effect. */
const idOf = async (transactionId: string, source: string): Promise<string> =>
  (await listed(transactionId)).findLast(
    (each: { source: string; reinstatedAt?: string }) =>
      each.source === source && each.reinstatedAt === undefined,
  )?.refundId;
const meta = async (transactionId: string) =>
  (await get(transactionId, { query: '?include=meta' })).body.map(
    ({ transaction: { status, refundedAmount } }: { transaction: Record<string, unknown> }) => [
      status,
      refundedAmount,
    ],
  );
const sums = async (group: string) =>
  query(sql`
    select reversed_count::integer as count, reversed_gross_minor::integer as gross, reversed_share_minor::integer as share
    from group_rollup where publisher_id = 'aurora' and group_id = ${group}`);
const counts = async (group: string) =>
  query(sql`
    select sum(refund_count)::integer as refunds, sum(fraud_count)::integer as frauds, sum(chargeback_count)::integer as chargebacks
    from transaction_count where publisher_id = 'aurora' and group_id = ${group}`);
const none = [{ count: 0, gross: 0, share: 0 }];
const due = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables.map(({ name, amountMinor, rowCount }) => [
    name,
    amountMinor,
    rowCount,
  ]);

let groups = 0;
/** Creates a group, and a purchase in it. Member A gets `percent` of it. */
async function bought(subtotal: number, percent: number, isPosted = true) {
  groups += 1;
  const group = `again-${groups}`;
  await makeGroup(group);
  const row = await earn(group, 'A', subtotal, { memberSharePercent: percent });
  if (isPosted) await settle();
  return { group, ...row };
}

async function paid(subtotal: number, percent: number, before: (transactionId: string) => Promise<unknown>) {
  const row = await bought(subtotal, percent);
  await before(row.transactionId);
  const [payout] = await create(row.group);
  await money.markPaid(payout?.batchId ?? '');
  return row;
}

describe('the reinstatement of a refund', () => {
  test('gives back its part of the share, once, however often it is requested', async () => {
    const { group, id, transactionId } = await bought(1_000, 33.3333); // a share of 333
    await refund(transactionId, 'one', { amount: 100 });
    await refund(transactionId, 'two', { amount: 900, reason: 'Chargeback' });
    expect(await meta(transactionId)).toEqual([['Chargeback', 1_000]]);
    const sent = { reason: 'The bank rejected it.', occurredAt: '2026-05-06T08:00:00Z' };
    const first = await reinstate(transactionId, 'two', sent);
    expect([first.status, first.body]).toEqual([
      200,
      {
        refundId: 'two',
        transactionId,
        reason: sent.reason,
        occurredAt: '2026-05-06T08:00:00.000Z',
        createdAt: expect.any(String),
        rows: [{ id, amount: 900, currency: 'USD', memberShareAmount: 300, status: 'Normal' }],
      },
    ]);
    const again = await reinstate(transactionId, 'two', { reason: 'other words' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await meta(transactionId)).toEqual([['Normal', 100]]);
    expect(await balance('A', 'USD', group)).toBe(300n);
    expect(await due(group)).toEqual([['A', 300n, 1]]);
    expect(await sums(group)).toEqual([{ count: 0, gross: 100, share: 33 }]);
    expect(await counts(group)).toEqual([{ refunds: 0, frauds: 0, chargebacks: 0 }]);
    expect((await listed(transactionId)).map((each: { reinstatedAt?: string }) => each.reinstatedAt)).toEqual(
      [undefined, first.body.createdAt],
    );
    expect((await reinstate(transactionId, 'one')).body.rows).toMatchObject([
      { amount: 100, memberShareAmount: 33 },
    ]);
    expect(await sums(group)).toEqual(none);
    expect(await create(group)).toMatchObject([{ totalMinor: 333n, rowCount: 1 }]);
  });

  test('sums are rounded together, so that all of them together give back the share to the cent', async () => {
    const { group, transactionId } = await bought(3, 34); // a share of 1
    for (const refundId of ['a', 'b', 'c']) await refund(transactionId, refundId, { amount: 1 });
    const given: number[] = [];
    for (const refundId of ['b', 'a', 'c'])
      given.push((await reinstate(transactionId, refundId)).body.rows[0].memberShareAmount);
    expect(given).toEqual([0, 1, 0]);
    expect(await balance('A', 'USD', group)).toBe(1n);
    await refund(transactionId, 'd');
    expect(await balance('A', 'USD', group)).toBe(0n);
  });

  test('of a whole reversal by PATCH covers all rows and all repeats, and the status can be set again', async () => {
    await makeGroup('whole');
    const sent = purchase({
      memberSharePercent: 10,
      transactionDate: '2024-05-01T12:00:00Z',
      subtotal: 1_000,
    });
    const { transactionId } = sent;
    await record(
      [
        { ...sent, code: 'M-A' },
        { ...sent, code: 'M-B' },
      ],
      { query: '?groupId=whole' },
    );
    await settle();
    for (const _ of [1, 2]) await patch(transactionId, { form: { action: 'Refund' } });
    const [change, ...others] = await listed(transactionId);
    expect(others).toEqual([]);
    expect(change).toMatchObject({ source: 'StatusChange', reason: 'Refund', amount: 2_000 });
    expect((await reinstate(transactionId, change.refundId.toUpperCase())).status).toBe(200);
    expect(await meta(transactionId)).toEqual([
      ['Normal', 0],
      ['Normal', 0],
    ]);
    expect([await balance('A', 'USD', 'whole'), await balance('B', 'USD', 'whole')]).toEqual([100n, 100n]);
    expect(await sums('whole')).toEqual(none);
    await money.expectSound();
    await patch(transactionId, { form: { action: 'Fraud' } });
    expect(await sums('whole')).toEqual([{ count: 2, gross: 2_000, share: 200 }]);
    expect(await counts('whole')).toEqual([{ refunds: 0, frauds: 2, chargebacks: 0 }]);
    await money.expectSound();
    expect(await idOf(transactionId, 'StatusChange')).not.toBe(change.refundId);
    await reinstate(transactionId, await idOf(transactionId, 'StatusChange'));
    expect(await due('whole')).toEqual([
      ['A', 100n, 1],
      ['B', 100n, 1],
    ]);
  });

  test('gives nothing back while another status is in effect, and everything once that is reinstated', async () => {
    const { group, id, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'part', { amount: 400 });
    await patch(transactionId, { form: { action: 'Fraud' } });
    await patch(transactionId, { form: { action: 'Chargeback' } });
    expect((await reinstate(transactionId, 'part')).body.rows).toEqual([
      { id, amount: 0, currency: 'USD', memberShareAmount: 0, status: 'Chargeback' },
    ]);
    const [, fraud, chargeback] = await listed(transactionId);
    expect((await reinstate(transactionId, chargeback.refundId)).body.rows).toMatchObject([
      { amount: 0, status: 'Fraud' },
    ]);
    expect(await meta(transactionId)).toEqual([['Fraud', 1_000]]);
    expect(await counts(group)).toEqual([{ refunds: 0, frauds: 1, chargebacks: 0 }]);
    await money.expectSound();
    expect((await reinstate(transactionId, fraud.refundId)).body.rows).toMatchObject([
      { amount: 1_000, memberShareAmount: 100, status: 'Normal' },
    ]);
    expect(await balance('A', 'USD', group)).toBe(100n);
    expect(
      await query(sql`select is_fraud from payment where publisher_id = 'aurora' and attribution_id = ${id}`),
    ).toEqual([{ is_fraud: false }]);
  });

  test('of a row that is not posted yet counts once the row is posted', async () => {
    const { group, transactionId } = await bought(1_000, 50, false);
    const other = await earn(group, 'B', 10);
    await patch(transactionId, { form: { action: 'Refund' } });
    await refund(other.transactionId, 'part', { amount: 4 });
    await refund(other.transactionId, 'rest');
    await reinstate(transactionId, await idOf(transactionId, 'StatusChange'));
    await reinstate(other.transactionId, 'part');
    await settle();
    expect([await balance('A', 'USD', group), await balance('B', 'USD', group)]).toEqual([500n, 4n]);
    expect(await sums(group)).toEqual([{ count: 0, gross: 6, share: 6 }]);
    expect(await due(group)).toEqual([
      ['A', 500n, 1],
      ['B', 4n, 1],
    ]);
  });

  test('makes a row payable that is older than everything paid since', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await patch(transactionId, { form: { action: 'Refund' } });
    await earn(group, 'A', 7, { transactionDate: '2024-06-01T00:00:00Z' });
    await settle();
    const [payout] = await create(group);
    await money.markPaid(payout?.batchId ?? '');
    await reinstate(transactionId, await idOf(transactionId, 'StatusChange'));
    expect(await create(group)).toMatchObject([{ totalMinor: 100n, rowCount: 1 }]);
  });

  test('is rejected for bad input, unknown refunds, other keys and other publishers, and changes nothing', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'one', { amount: 500 });
    for (const json of [
      {},
      { reason: '' },
      { reason: 5 },
      { reason: 'x'.repeat(501) },
      { reason: 'a\u0000' },
      [],
    ])
      expect([json, (await reinstate(transactionId, 'one', json)).status]).toEqual([json, 400]);
    for (const json of [
      { reason: 'x', occurredAt: 'yesterday' },
      { reason: 'x', amount: 1 },
    ])
      expect([json, (await reinstate(transactionId, 'one', json)).status]).toEqual([json, 400]);
    const unknown = await reinstate(transactionId, 'two');
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      expect.stringContaining('List its refunds'),
    ]);
    expect((await reinstate('unknown', 'one')).status).toBe(404);
    expect((await reinstate(transactionId, 'one', { reason: 'x' }, keys().client)).status).toBe(403);
    const rival = await asRole(service(), 'owner', 'rival');
    expect(
      await rival('POST', `/transactions/${transactionId}/refunds/one/reinstate`, { reason: 'x' }),
    ).toMatchObject({
      status: 404,
    });
    expect(await balance('A', 'USD', group)).toBe(50n);
  });

  test('is audited with its reason, and lists no longer select the purchase', async () => {
    const { group, id, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'one', { amount: 500 });
    const selected = async () => (await list(`groupId=${group}&hasRefund=true`)).body.length;
    expect(await selected()).toBe(1);
    expect(await entriesOf(money.db(), () => reinstate(transactionId, 'one'))).toMatchObject([
      {
        action: 'transaction.reinstate',
        reason: 'it failed',
        after: { refund: 'one', statuses: 'Normal', amounts: '500 USD', rows: [id] },
      },
    ]);
    expect(await selected()).toBe(0);
    expect((await list(`groupId=${group}&hasRefund=false`)).body).toHaveLength(1);
  });
});

describe('after a payout', () => {
  test('a reinstated clawback is added to the next payout', async () => {
    const { group, id, transactionId } = await paid(1_000, 10, async () => {});
    await money.clawBack(id, 'Chargeback');
    await earn(group, 'A', 500);
    await settle();
    const [less] = await create(group);
    expect(less).toMatchObject({ totalMinor: 400n });
    await money.markPaid(less?.batchId ?? '');
    const answer = await reinstate(transactionId, await idOf(transactionId, 'Clawback'));
    expect(answer.body.rows).toMatchObject([{ amount: 1_000, memberShareAmount: 100, status: 'Normal' }]);
    expect(await due(group)).toEqual([['A', 100n, 0]]);
    const [more] = await create(group);
    expect(more).toMatchObject({ totalMinor: 100n, rowCount: 0 });
    await money.expectSound();
    await money.cancel(more?.batchId ?? '');
    await money.expectSound();
    expect(await create(group)).toMatchObject([{ totalMinor: 100n }]);
    expect(await balance('A', 'USD', group)).toBe(0n);
  });

  test('a refund from before the payout is added to the next one, and can be clawed back again', async () => {
    const { group, id, transactionId } = await paid(1_000, 10, (purchaseId) =>
      refund(purchaseId, 'part', { amount: 400 }),
    );
    await reinstate(transactionId, 'part');
    expect(await balance('A', 'USD', group)).toBe(40n);
    expect(await create(group)).toMatchObject([{ totalMinor: 40n, rowCount: 0 }]);
    await money.clawBack(id, 'Fraud');
    expect(await balance('A', 'USD', group)).toBe(-100n);
    await money.expectSound();
    await reinstate(transactionId, await idOf(transactionId, 'Clawback'));
    expect(await balance('A', 'USD', group)).toBe(0n);
  });

  test('that was not marked as paid, it is rejected and changes nothing', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'part', { amount: 400 });
    const [payout] = await create(group);
    const answer = await reinstate(transactionId, 'part');
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringContaining('Mark the payout as paid'),
    ]);
    await money.cancel(payout?.batchId ?? '');
    expect((await reinstate(transactionId, 'part')).status).toBe(200);
    expect(await create(group)).toMatchObject([{ totalMinor: 100n, rowCount: 1 }]);
  });

  test('a preview from before is rejected if its rows changed, and pays as shown if they were reversed then', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'part', { amount: 400 });
    const { asOf } = await preview(group);
    await reinstate(transactionId, 'part');
    expect(await due(group, asOf)).toEqual([['A', 60n, 1]]);
    // The row is left for the next payout.
    expect(await create(group, asOf)).toEqual([]);
    await patch(transactionId, { form: { action: 'Refund' } });
    await earn(group, 'A', 7);
    await settle();
    const later = await preview(group);
    await reinstate(transactionId, await idOf(transactionId, 'StatusChange'));
    expect(await due(group, later.asOf)).toEqual([['A', 7n, 1]]);
    expect(await create(group, later.asOf)).toMatchObject([{ totalMinor: 7n, rowCount: 1 }]);
    expect(await create(group)).toMatchObject([{ totalMinor: 100n, rowCount: 1 }]);
  });
});

test('bounties count the purchase again as before', async () => {
  const objective = { name: 'o', type: 'Purchase' };
  const amount = await money.define({
    objectives: [{ ...objective, condition: 'Amount', currency: 'USD', count: 5_000 }],
  });
  const count = await money.define({ objectives: [{ ...objective, count: 5 }] });
  const { transactionId } = await earn(money.group(), 'A', 1_000);
  await refund(transactionId, 'quarter', { amount: 250 });
  await money.settleAndCheck();
  const standings = async () => [await money.standing(amount), await money.standing(count)];
  await refund(transactionId, 'rest');
  expect(await standings()).toEqual(['0/0', '0/0']);
  await reinstate(transactionId, 'rest');
  expect(await standings()).toEqual(['0/750', '0/1']);
  await reinstate(transactionId, 'quarter');
  expect(await standings()).toEqual(['0/1000', '0/1']);
});

describe('at the same time', () => {
  test('the same reinstatement is made once', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'one');
    const answers = await Promise.all(Array.from({ length: 4 }, () => reinstate(transactionId, 'one')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balance('A', 'USD', group)).toBe(100n);
  });

  test.each([1, 2, 3])('refunds, status changes and payouts leave the sums right (%i)', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, 'one', { amount: 300 });
    await refund(transactionId, 'two', { amount: 300 });
    const outcomes = await Promise.allSettled([
      reinstate(transactionId, 'one'),
      refund(transactionId, 'three', { amount: 500 }),
      reinstate(transactionId, 'two'),
      patch(transactionId, { form: { action: 'Chargeback' } }),
      create(group),
      refund(transactionId, 'four', { amount: 100 }),
    ]);
    for (const outcome of outcomes)
      if (outcome.status === 'fulfilled' && 'status' in outcome.value)
        expect(outcome.value.status, outcome.value.text).toBeLessThan(500);
    await money.expectSound();
  });
});

test('killed at any statement, it is made entirely or not at all, and can be repeated', async () => {
  const { group, transactionId } = await paid(1_000, 10, (id) => refund(id, 'part', { amount: 400 }));
  const request = { publisherId: 'aurora', transactionId, refundId: 'part', reason: 'x', occurredAt: null };
  for (let statement = 2; statement < 30; statement += 3) {
    const made = await operations
      .reinstateRefund(crashing.db({ beforeStatement: statement }), testActor, request)
      .then(
        () => true,
        () => false,
      );
    expect(await balance('A', 'USD', group)).toBe(made ? 40n : 0n);
    await money.expectSound();
    if (made) break;
  }
  await operations.reinstateRefund(money.db(), testActor, request);
  expect(await balance('A', 'USD', group)).toBe(40n);
});
