import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { testPages, useMoney } from '../../../test/money.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { systemClock } from '../../platform/clock.ts';
import { createPayout } from './create/create-payout.ts';
import { previewPayout } from './create/preview-payout.ts';
import { listPayoutItems, pagesOfItems } from './read/list-payout-items.ts';
import { listPayouts } from './read/list-payouts.ts';
import { getPayout } from './read/read-payouts.ts';

const money = useMoney();
const { makeGroup, earn, settle, preview, create, shown, patch, balance, query, db } = money;
afterEach(() => money.expectSound());

const dayMs = 86_400_000;
const daysAgo = (days: number, ms = 0): string =>
  new Date(systemClock.now().getTime() - days * dayMs + ms).toISOString();
const summary = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables.map(({ name, currency, rowCount, amountMinor, isDue }) => [
    name,
    currency,
    rowCount,
    amountMinor,
    isDue,
  ]);

describe('the amount due', () => {
  test('is posted, past the hold period, and not reversed', async () => {
    await makeGroup('hold', 'holdDays: 30,');
    await earn('hold', 'A', 100);
    expect(await summary('hold')).toEqual([]); // unposted
    await settle();
    await earn('hold', 'A', 10, { transactionDate: daysAgo(30, -60_000) });
    await earn('hold', 'A', 1, { transactionDate: daysAgo(30, 60_000) });
    await earn('hold', 'B', 1, { transactionDate: daysAgo(-30) });
    const refunded = await earn('hold', 'A', 1_000);
    await settle();
    await patch(refunded.transactionId, { form: { action: 'Refund' } });
    expect(await summary('hold')).toEqual([['A', 'USD', 2, 110n, true]]);
    await money.provisionGroup('hold', 'holdDays: 0');
    expect(await summary('hold')).toEqual([['A', 'USD', 3, 111n, true]]);
  });

  test("waits below its currency's minimum, unassigned and refundable, and is paid once it reaches it", async () => {
    await makeGroup('minimum', 'payoutMinimums: { USD: 5000, KWD: 1 },');
    const early = await earn('minimum', 'A', 4_000);
    const gone = await earn('minimum', 'A', 999);
    await earn('minimum', 'A', 700, { currency: 'JPY' });
    await earn('minimum', 'B', 5_000);
    await settle();
    expect(await summary('minimum')).toEqual([
      ['A', 'JPY', 1, 700n, true],
      ['A', 'USD', 2, 4_999n, false],
      ['B', 'USD', 1, 5_000n, true],
    ]);
    const batches = await create('minimum');
    expect(batches.map((each) => [each.currency, each.totalMinor, each.memberCount, each.rowCount])).toEqual([
      ['JPY', 700n, 1, 1],
      ['USD', 5_000n, 1, 1],
    ]);
    expect((await patch(gone.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
    expect(await create('minimum')).toEqual([]);
    await earn('minimum', 'A', 1_000);
    await settle();
    expect(await create('minimum')).toMatchObject([{ totalMinor: 5_000n, rowCount: 2 }]);
    expect((await patch(early.transactionId, { form: { action: 'Refund' } })).status).toBe(409);
    expect(await summary('minimum')).toEqual([]);
  });

  test('is not paid when it is zero', async () => {
    await makeGroup('nothing');
    await earn('nothing', 'A', 1, { memberSharePercent: 1 });
    await settle();
    expect(await summary('nothing')).toEqual([['A', 'USD', 1, 0n, false]]);
    expect(await create('nothing')).toEqual([]);
  });

  test('can be previewed and paid in a single currency', async () => {
    await makeGroup('one');
    await earn('one', 'A', 5);
    await earn('one', 'A', 6, { currency: 'EUR' });
    await settle();
    const { payables } = await previewPayout(db(), {
      publisherId: 'aurora',
      groupId: 'one',
      currency: 'EUR',
      asOf: null,
    });
    expect(payables).toMatchObject([{ currency: 'EUR', amountMinor: 6n }]);
    expect(await create('one', null, 'EUR')).toMatchObject([{ totalMinor: 6n }]);
    expect(await summary('one')).toEqual([['A', 'USD', 1, 5n, true]]);
  });

  test("never includes another group's or publisher's rows", async () => {
    await makeGroup('mine');
    await makeGroup('theirs');
    await earn('theirs', 'A', 5);
    await settle();
    expect(await summary('mine')).toEqual([]);
    expect(await create('mine')).toEqual([]);
    const message = 'Publisher rival has no group mine.';
    const rivals = { publisherId: 'rival', groupId: 'mine', currency: null, asOf: null };
    await expect(previewPayout(db(), rivals)).rejects.toThrow(message);
    await expect(createPayout(db(), testActor, rivals)).rejects.toThrow(message);
  });
});

describe('a preview and a payout with its cutoff', () => {
  test('have equal amounts, regardless of what is posted in between', async () => {
    await makeGroup('asof', 'payoutMinimums: { USD: 100 },');
    await earn('asof', 'A', 150);
    await earn('asof', 'B', 99);
    await settle();
    const seen = await preview('asof');
    await earn('asof', 'A', 1_000);
    await earn('asof', 'B', 1);
    await settle();
    expect((await preview('asof', seen.asOf)).payables).toEqual(seen.payables);
    const [batch, ...others] = await create('asof', seen.asOf);
    expect(others).toEqual([]);
    expect(batch).toMatchObject({ totalMinor: 150n, rowCount: 1 });
    expect(await summary('asof')).toEqual([
      ['A', 'USD', 1, 1_000n, true],
      ['B', 'USD', 2, 100n, true],
    ]);
  });

  test('leave out rows that pass the hold period later', async () => {
    await makeGroup('later', 'holdDays: 1,');
    const { asOf } = await preview('later');
    await earn('later', 'A', 5, { transactionDate: new Date(asOf.getTime() - dayMs + 1).toISOString() });
    await earn('later', 'B', 7, { transactionDate: new Date(asOf.getTime() - dayMs).toISOString() });
    await settle();
    const admin = await connect(money.service().testDatabase.adminConnection);
    await admin.query('update posting set posted_at = $1', [asOf]);
    expect(await summary('later', asOf)).toEqual([['B', 'USD', 1, 7n, true]]);
  });

  test('are rejected for the future', async () => {
    await makeGroup('future');
    const asOf = new Date(systemClock.now().getTime() + 60_000);
    await expect(create('future', asOf)).rejects.toThrow("can't be in the future");
    await expect(preview('future', asOf)).rejects.toThrow("can't be in the future");
  });
});

describe('a batch', () => {
  test('assigns its rows, which can no longer be changed but are not paid yet', async () => {
    await makeGroup('assigned');
    const row = await earn('assigned', 'A', 500);
    await settle();
    expect(await balance('A', 'USD', 'assigned')).toBe(500n);
    const [batch] = await create('assigned');
    expect(await balance('A', 'USD', 'assigned')).toBe(0n);
    for (const form of [{ action: 'Refund' }, { playerId: 'p-5' }] as Record<string, string>[]) {
      expect((await patch(row.transactionId, { form })).status).toBe(409);
    }
    expect(await shown(row.transactionId, 'assigned')).toMatchObject([
      { status: 'Normal', memberPaid: false },
    ]);
    expect(await create('assigned')).toEqual([]);
    expect(batch?.batchId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is the sum of its members, which are the sums of their rows', async () => {
    await makeGroup('sums');
    for (const [code, amount] of [
      ['A', 1],
      ['A', 20],
      ['B', 300],
      ['B', 4_000],
      ['B', 50_000],
    ] as const)
      await earn('sums', code, amount);
    await settle();
    const [created] = await create('sums');
    const batch = await getPayout(db(), 'aurora', created?.batchId ?? '');
    expect(batch).toMatchObject({
      status: 'Created',
      totalMinor: 54_321n,
      memberCount: 2,
      rowCount: 5,
      groupId: 'sums',
    });
    const items = (await Array.fromAsync(pagesOfItems(db(), 'aurora', batch.batchId))).flat();
    expect(items.map(({ name, rowCount, amountMinor }) => [name, rowCount, amountMinor])).toEqual([
      ['A', 2, 21n],
      ['B', 3, 54_300n],
    ]);
    const rows = await query(sql`
      select m.account_id as member, sum(p.share_minor)::int as amount
      from payment p
      join membership m using (publisher_id, membership_id)
      where p.payout_batch_id = ${batch.batchId}::uuid
      group by 1
      order by 1`);
    expect(rows).toEqual([
      { member: 'acc_sums_A', amount: 21 },
      { member: 'acc_sums_B', amount: 54_300 },
    ]);
  });

  test('is listed newest first, only for its publisher', async () => {
    await makeGroup('listed');
    await earn('listed', 'A', 5);
    await settle();
    const [batch] = await create('listed');
    const [newest, ...older] = await money.payouts();
    expect(newest).toMatchObject({ batchId: batch?.batchId, groupId: 'listed', totalMinor: 5n });
    const times = [newest, ...older].map((each) => each?.createdAt.getTime() ?? 0);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(await money.payouts('rival')).toEqual([]);
    await expect(getPayout(db(), 'rival', batch?.batchId ?? '')).rejects.toThrow('has no payout');
  });

  test('is listed by page without gaps, even if payouts are created in between', async () => {
    await makeGroup('paged');
    for (const currency of ['USD', 'EUR', 'JPY']) await earn('paged', 'A', 5, { currency });
    await settle();
    await create('paged');
    const all = await money.payouts();
    const list = (cursor: string | null, size: number, publisherId = 'aurora') =>
      listPayouts(db(), testPages, publisherId, { cursor, size });
    const first = await list(null, 2);
    expect(first.rows).toEqual(all.slice(0, 2));
    await earn('paged', 'B', 5);
    await settle();
    await create('paged');
    expect(await list(first.nextCursor, 1_000)).toEqual({ rows: all.slice(2), nextCursor: null });
    await expect(list(first.nextCursor, 2, 'rival')).rejects.toMatchObject({ code: 'InvalidCursor' });
  });

  test('lists its members by page, largest amount first', async () => {
    const amounts = [7, 12, 7, 100, 7];
    const members = amounts.map(
      (_, n) => `{ id: shown_${n}, name: N${n}, codes: [ { code: S-${n}, group: shown } ] }`,
    );
    await money.provisionGroup('shown', `revShare: 10, members: [ ${members.join(', ')} ]`);
    for (const [n, amount] of amounts.entries()) await earn('shown', 'A', amount, { code: `S-${n}` });
    await settle();
    const [batch] = await create('shown');
    const { batchId } = await getPayout(db(), 'aurora', batch?.batchId ?? '');
    const list = (cursor: string | null, size: number, of = batchId) =>
      listPayoutItems(db(), testPages, { publisherId: 'aurora', batchId: of }, { cursor, size });
    const { rows: all } = await list(null, 5);
    expect(all.map(({ amountMinor }) => Number(amountMinor))).toEqual([100, 12, 7, 7, 7]);
    const exported = (await Array.fromAsync(pagesOfItems(db(), 'aurora', batchId))).flat();
    expect(new Set(all)).toEqual(new Set(exported));
    // Pages also end between members with the same amount.
    for (const size of [1, 2, 3, 4]) {
      const paged = [];
      for (let cursor: string | null = null; ; ) {
        const page = await list(cursor, size);
        paged.push(...page.rows);
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect(paged).toEqual(all);
    }
    const { number } = await getPayout(db(), 'aurora', batchId);
    expect(exported.map(({ reference }) => reference)).toEqual(
      exported.map((_, index) => `${number}-${String(index + 1).padStart(5, '0')}`),
    );
    const found = await listPayoutItems(
      db(),
      testPages,
      { publisherId: 'aurora', batchId, reference: ` ${number}-00003` },
      { cursor: null, size: 5 },
    );
    expect(found.rows).toEqual([exported[2]]);
    const { nextCursor } = await list(null, 1);
    const [other] = (await money.payouts()).filter((each) => each.batchId !== batchId);
    if (other === undefined) throw new Error('there is no other payout');
    await expect(list(nextCursor, 1, other.batchId)).rejects.toMatchObject({ code: 'InvalidCursor' });
  });
});
