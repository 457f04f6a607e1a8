import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/attribution-process.ts';
import { entriesOf } from '../../../../test/audit.ts';
import { useMoney } from '../../../../test/money.ts';
import { testActor } from '../../../../test/test-actor.ts';
import { connect } from '../../../../test/test-database.ts';
import { newRowId } from '../../../platform/ids.ts';
import { createPayout } from './create-payout.ts';

const money = useMoney();
const { makeGroup, earn, settle, preview, create, createOrLess, patch, balance, number, query } = money;
afterEach(() => money.expectSound());

const refund = async ({ transactionId }: { transactionId: string }) =>
  (await patch(transactionId, { form: { action: 'Refund' } })).status;
const due = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables
    .filter(({ isDue }) => isDue)
    .map(({ name, amountMinor }) => [name, amountMinor]);
const assigned = (group: string) =>
  number(sql`select count(*) as n from payment where group_id = ${group} and payout_batch_id is not null`);

describe('a payout with the cutoff of a preview', () => {
  test('leaves out rows of a payout that was canceled after the cutoff', async () => {
    await makeGroup('older');
    await earn('older', 'A', 500);
    await settle();
    const [older] = await create('older');
    await earn('older', 'A', 30);
    await settle();
    const { asOf } = await preview('older');
    await money.cancel(older?.batchId ?? '');
    expect(await due('older', asOf)).toEqual([['A', 30n]]);
    expect(await create('older', asOf)).toMatchObject([{ totalMinor: 30n, rowCount: 1 }]);
    expect(await create('older')).toMatchObject([{ totalMinor: 500n, rowCount: 1 }]);
  });

  test('leaves out clawbacks of a payout that was canceled after the cutoff', async () => {
    await makeGroup('clawed');
    const row = await earn('clawed', 'A', 500);
    await settle();
    const [paid] = await create('clawed');
    await money.markPaid(paid?.batchId ?? '');
    await money.clawBack(row.id, 'Fraud');
    await earn('clawed', 'A', 800);
    await settle();
    const [older] = await create('clawed');
    expect(older?.totalMinor).toBe(300n);
    await earn('clawed', 'A', 40);
    await settle();
    const { asOf } = await preview('clawed');
    await money.cancel(older?.batchId ?? '');
    expect(await create('clawed', asOf)).toMatchObject([{ totalMinor: 40n, rowCount: 1 }]);
    expect(await create('clawed')).toMatchObject([{ totalMinor: 300n, rowCount: 1 }]);
  });

  test('that is exact is rejected after a refund of one of its members, with the member and the amounts in the message', async () => {
    await makeGroup('refunded');
    const row = await earn('refunded', 'A', 1_000);
    await earn('refunded', 'A', 234);
    await earn('refunded', 'B', 5);
    await settle();
    const { asOf } = await preview('refunded');
    expect(await refund(row)).toBe(200);
    expect(await due('refunded', asOf), 'the preview is unchanged').toEqual([
      ['A', 1_234n],
      ['B', 5n],
    ]);
    await expect(createOrLess('refunded', asOf, { isExact: true })).rejects.toThrow(
      'Amounts fell since the preview. Nothing was paid. Repeat the request without `exactly` to pay what is left of ' +
        'them, or preview the payout again.\n  acc_refunded_A (A): 12.34 → 2.34 USD (refund)\n  Left: 2.39 USD to 2 member(s).',
    );
    expect(await assigned('refunded')).toBe(0n);
    expect(await create('refunded')).toMatchObject([{ totalMinor: 239n, memberCount: 2, rowCount: 2 }]);
  });

  test('is created after a refund of a member below the minimum', async () => {
    await makeGroup('waits', 'payoutMinimums: { USD: 100 },');
    const row = await earn('waits', 'A', 50);
    await earn('waits', 'B', 100);
    await settle();
    const { asOf } = await preview('waits');
    expect(await refund(row)).toBe(200);
    expect(await create('waits', asOf)).toMatchObject([{ totalMinor: 100n, memberCount: 1 }]);
  });

  test('is rejected after another payout in the same currency, even a canceled one', async () => {
    await makeGroup('another');
    await earn('another', 'A', 500);
    await earn('another', 'A', 7, { currency: 'JPY' });
    await settle();
    const { asOf } = await preview('another');
    const [batch] = await create('another', null, 'USD');
    const message = `Payout ${batch?.batchId} of group another in USD was created`;
    await expect(create('another', asOf)).rejects.toThrow(message);
    await expect(preview('another', asOf)).rejects.toThrow(message);
    await money.cancel(batch?.batchId ?? '');
    await expect(create('another', asOf)).rejects.toThrow(`${message} and canceled`);
    expect(await create('another', asOf, 'JPY')).toMatchObject([{ totalMinor: 7n }]);
  });

  test.each(['holdDays: 31', 'payoutMinimums: { USD: 1 }'])(
    'is rejected after a change of terms: %s',
    async (terms) => {
      const group = `terms${terms.length}`;
      await makeGroup(group, 'holdDays: 30, payoutMinimums: { USD: 0 },');
      await earn(group, 'A', 500);
      await settle();
      const { asOf } = await preview(group);
      await money.provisionGroup(group, 'holdDays: 30, payoutMinimums: { USD: 0 }');
      expect(await due(group, asOf), 'applying the same file again changes nothing').toEqual([['A', 500n]]);
      await money.provisionGroup(group, terms);
      await expect(create(group, asOf)).rejects.toThrow('The hold period or the minimums');
      expect(await create(group)).toMatchObject([{ totalMinor: 500n }]);
    },
  );

  test('is created only once when requested twice', async () => {
    await makeGroup('twice');
    await earn('twice', 'A', 500);
    await earn('twice', 'A', 7, { currency: 'JPY' });
    await settle();
    const { asOf } = await preview('twice');
    const usd = await create('twice', asOf, 'USD');
    const both = await create('twice', asOf);
    expect(both).toMatchObject([
      { currency: 'JPY', totalMinor: 7n, isNew: true },
      { ...usd[0], isNew: false },
    ]);
    expect(await create('twice', asOf)).toEqual(both.map((each) => ({ ...each, isNew: false })));
    await expect(preview('twice', asOf)).rejects.toThrow('was created from this preview');
    expect(await balance('A', 'USD', 'twice')).toBe(0n);
  });
});

/**
 * Creates a payout for a group and returns the outcome. While the payout is waiting to assign the group's
 * rows, runs a statement on one of these rows.
 */
async function createDuring(
  group: string,
  { asOf, isExact = false }: { asOf: Date | null; isExact?: boolean },
  { id }: { id: string },
  statement: string,
) {
  const client = await connect(money.service().testDatabase.connection);
  await client.query('begin');
  await client.query('select from membership where account_id like $1 for update', [`acc_${group}_%`]);
  const request = { publisherId: 'aurora', groupId: group, currency: null, asOf, isExact };
  const creating = createPayout(money.db(), testActor, request).then(
    ({ payouts, reductions: { members } }) => [
      ...payouts.map(({ totalMinor, memberCount }) => [totalMinor, memberCount]),
      ...members.map(({ name, previewedMinor, paidMinor, reasons }) => [
        ...[name, previewedMinor, paidMinor],
        ...reasons,
      ]),
    ],
    (error: Error) => error.message,
  );
  await until(
    'the payout to start',
    async () =>
      (await number(
        sql`select count(*) as n from payout_batch where group_id = ${group} and status = 'Preparing'`,
      )) > 0n,
  );
  await client.query(statement, [id]);
  await client.query('commit');
  return creating;
}

/**
 * Returns a statement that refunds a row as a status change does, but within the transaction that locks the members.
 * The record's id contains its time, which is used to find the reasons for a lower amount.
 */
const refunding = () => `with changed as (
     update attribution set status = 'Refund' where attribution_id = $1
   ), refunded as (
     insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, reversed_at)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, clock_timestamp()
     from attribution where attribution_id = $1
     returning publisher_id, attribution_id, group_id, membership_id, currency, share_minor
   ), recorded as (
     insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
     select publisher_id, '${newRowId()}', attribution_id, 'Refund', true from refunded
   ), entered as (
     insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
     select publisher_id, attribution_id, 'refund', membership_id, currency, -share_minor from refunded
   ), summed as (
     update earning_rollup e
     set reversed_count = 1, reversed_gross_minor = r.share_minor, reversed_share_minor = r.share_minor, refund_count = 1
     from refunded r where e.membership_id = r.membership_id
   ), summed_of_group as (
     update group_rollup g
     set reversed_count = 1, reversed_gross_minor = r.share_minor, reversed_share_minor = r.share_minor
     from refunded r where g.group_id = r.group_id
   ), counted as (
     update transaction_count t set refund_count = 1 from refunded r where t.group_id = r.group_id
   )
   update member_balance b set balance_minor = balance_minor - r.share_minor
   from refunded r where b.membership_id = r.membership_id`;

/** Statement that records and posts a copy of a row, as if the machine's clock were years behind. */
const postingLate = `with late as (
    insert into attribution
    select (jsonb_populate_record(a, jsonb_build_object(
      'attribution_id', '00000000-0001-7000-8000-' || right(a.attribution_id::text, 8) || '0000',
      'transaction_id', a.transaction_id || '-late'))).*
    from attribution a where attribution_id = $1
    returning *
  ), posted as (
    insert into posting (publisher_id, posting_id, posted_at, earliest_date, recording_ids)
    select publisher_id, attribution_id, date_trunc('milliseconds', clock_timestamp()), transaction_date, array[attribution_id]
    from late
  ), entered as (
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
    select publisher_id, attribution_id, 'payment', membership_id, currency, share_minor from late
  ), summed as (
    update earning_rollup e
    set row_count = e.row_count + 1, gross_minor = e.gross_minor + l.share_minor, share_minor = e.share_minor + l.share_minor,
        all_count = e.all_count + 1
    from late l where e.membership_id = l.membership_id
  ), summed_of_group as (
    update group_rollup g
    set row_count = g.row_count + 1, gross_minor = g.gross_minor + l.share_minor, share_minor = g.share_minor + l.share_minor
    from late l where g.group_id = l.group_id
  ), counted as (
    update transaction_count t set all_count = t.all_count + 1 from late l where t.group_id = l.group_id
  )
  update member_balance b set balance_minor = balance_minor + l.share_minor
  from late l where b.membership_id = l.membership_id`;

describe('a refund during the creation of a payout, before its row is assigned,', () => {
  const refundDuring = (group: string, asOf: Date | null, row: { id: string }, isExact = false) =>
    createDuring(group, { asOf, isExact }, row, refunding());
  const ready = async (group: string, minimum: number) => {
    await makeGroup(group, `payoutMinimums: { USD: ${minimum} },`);
    const row = await earn(group, 'A', 60);
    await earn(group, 'A', 50);
    await earn(group, 'B', 200);
    await settle();
    return { row, asOf: (await preview(group)).asOf };
  };

  test('keeps the row out, and the member is paid the rest', async () => {
    const { row } = await ready('left', 0);
    expect(await refundDuring('left', null, row)).toEqual([[250n, 2]]);
  });

  test('keeps the member out when the rest is below the minimum', async () => {
    const { row } = await ready('little', 100);
    expect(await refundDuring('little', null, row)).toEqual([[200n, 1]]);
    expect(await balance('A', 'USD', 'little')).toBe(50n);
  });

  test('keeps the row out of a payout with the cutoff of a preview, which names the member', async () => {
    const { row, asOf } = await ready('named', 0);
    expect(await refundDuring('named', asOf, row)).toEqual([
      [250n, 2],
      ['A', 110n, 50n, 'Refund'],
    ]);
    const again = await createOrLess('named', asOf, { currency: 'USD', totalMinor: 310n });
    expect(again).toMatchObject({ payouts: [{ totalMinor: 250n, isNew: false }], reductions: { count: 1 } });
  });

  test('keeps the member out of it when the rest is below the minimum', async () => {
    const { row, asOf } = await ready('below', 100);
    expect(await refundDuring('below', asOf, row)).toEqual([
      [200n, 1],
      ['A', 110n, 0n, 'Refund', 'minimum'],
    ]);
    expect(await balance('A', 'USD', 'below')).toBe(50n);
  });

  test('undoes an exact payout, and the message names the member', async () => {
    const { row, asOf } = await ready('shown', 0);
    const entries = await entriesOf(money.db(), async () =>
      expect(await refundDuring('shown', asOf, row, true)).toContain(
        'acc_shown_A (A): 1.10 → 0.50 USD (refund)',
      ),
    );
    expect(entries, 'rejected').toEqual([]);
    expect(await assigned('shown')).toBe(0n);
    const [batch] = await money.payouts();
    expect(batch).toMatchObject({ groupId: 'shown', status: 'Cancelled', totalMinor: 0n });
    expect(await query(sql`select from webhook_event where event like ${`%${batch?.batchId}%`}`)).toEqual([]);
    expect(await create('shown')).toMatchObject([{ totalMinor: 250n }]);
  });

  test('of the only row leaves no payout behind', async () => {
    await makeGroup('empty');
    const row = await earn('empty', 'A', 60);
    await settle();
    const entries = await entriesOf(money.db(), async () =>
      expect(await refundDuring('empty', null, row)).toEqual([]),
    );
    expect(entries, 'no member was paid').toEqual([]);
    expect(await assigned('empty')).toBe(0n);
  });

  test('of the only row of a preview leaves no payout behind, and names the member', async () => {
    await makeGroup('gone');
    const row = await earn('gone', 'A', 60);
    await settle();
    const { asOf } = await preview('gone');
    expect(await refundDuring('gone', asOf, row)).toEqual([['A', 60n, 0n, 'Refund']]);
    expect(await assigned('gone')).toBe(0n);
    expect(await createOrLess('gone', asOf)).toMatchObject({
      payouts: [],
      reductions: { count: 1, members: [{ batchId: null, name: 'A', paidMinor: 0n, reasons: ['Refund'] }] },
    });
  });
});

test.each(['a preview', 'its own'])(
  'a payout with %s cutoff leaves rows with older ids that are posted during its creation to the next one',
  async (of) => {
    const group = `late${of.length}`;
    await makeGroup(group);
    const row = await earn(group, 'A', 60);
    await settle();
    const asOf = of === 'a preview' ? (await preview(group)).asOf : null;
    expect(await createDuring(group, { asOf }, row, postingLate)).toEqual([[60n, 1]]);
    expect(await create(group)).toMatchObject([{ totalMinor: 60n, rowCount: 1 }]);
    expect(await create(group)).toEqual([]);
  },
);
