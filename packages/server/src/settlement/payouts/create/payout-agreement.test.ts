import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/attribution-process.ts';
import { entriesOf } from '../../../../test/audit.ts';
import { useMoney } from '../../../../test/money.ts';
import { connect } from '../../../../test/test-database.ts';

const money = useMoney();
const { makeGroup, earn, settle, preview, create, patch, balance, number, query } = money;
afterEach(() => money.expectSound());

const refund = async ({ transactionId }: { transactionId: string }) =>
  (await patch(transactionId, { form: { action: 'Refund' } })).status;
const due = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables
    .filter(({ isDue }) => isDue)
    .map(({ name, amountMinor }) => [name, amountMinor]);
const assigned = (group: string) =>
  number(sql`select count(*) as n from payment where group_id = ${group} and payout_batch_id is not null`);

describe('a payout of a moment', () => {
  test('does not have what a payout gave back that was cancelled since', async () => {
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

  test('does not have a clawback that such a payout gave back', async () => {
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

  test('is refused when a purchase of a member in it was refunded since, and says whose, and how much', async () => {
    await makeGroup('refunded');
    const row = await earn('refunded', 'A', 1_000);
    await earn('refunded', 'A', 234);
    await earn('refunded', 'B', 5);
    await settle();
    const { asOf } = await preview('refunded');
    expect(await refund(row)).toBe(200);
    expect(await due('refunded', asOf), 'a preview shows what it showed').toEqual([
      ['A', 1_234n],
      ['B', 5n],
    ]);
    await expect(create('refunded', asOf)).rejects.toThrow(
      `The amounts changed since the preview. Nothing was paid. Preview the payout again.\n  acc_refunded_A (A): 12.34 → 2.34 USD (refund)`,
    );
    expect(await assigned('refunded')).toBe(0n);
    expect(await create('refunded')).toMatchObject([{ totalMinor: 239n, memberCount: 2, rowCount: 2 }]);
  });

  test('is made when a purchase of a member who waits was refunded since', async () => {
    await makeGroup('waits', 'payoutMinimums: { USD: 100 },');
    const row = await earn('waits', 'A', 50);
    await earn('waits', 'B', 100);
    await settle();
    const { asOf } = await preview('waits');
    expect(await refund(row)).toBe(200);
    expect(await create('waits', asOf)).toMatchObject([{ totalMinor: 100n, memberCount: 1 }]);
  });

  test('is refused when another payout was made since, cancelled or not, in its currency', async () => {
    await makeGroup('another');
    await earn('another', 'A', 500);
    await earn('another', 'A', 7, { currency: 'JPY' });
    await settle();
    const { asOf } = await preview('another');
    const [batch] = await create('another', null, 'USD');
    const words = `Payout ${batch?.batchId} of group another in USD was created`;
    await expect(create('another', asOf)).rejects.toThrow(words);
    await expect(preview('another', asOf)).rejects.toThrow(words);
    await money.cancel(batch?.batchId ?? '');
    await expect(create('another', asOf)).rejects.toThrow(`${words} and cancelled`);
    expect(await create('another', asOf, 'JPY')).toMatchObject([{ totalMinor: 7n }]);
  });

  test.each(['holdDays: 31', 'payoutMinimums: { USD: 1 }'])(
    'is refused when the terms changed since: %s',
    async (terms) => {
      const group = `terms${terms.length}`;
      await makeGroup(group, 'holdDays: 30, payoutMinimums: { USD: 0 },');
      await earn(group, 'A', 500);
      await settle();
      const { asOf } = await preview(group);
      await money.provisionGroup(group, 'holdDays: 30, payoutMinimums: { USD: 0 }');
      expect(await due(group, asOf), 'the same file again is no change').toEqual([['A', 500n]]);
      await money.provisionGroup(group, terms);
      await expect(create(group, asOf)).rejects.toThrow('The hold period or the minimums');
      expect(await create(group)).toMatchObject([{ totalMinor: 500n }]);
    },
  );

  test('made twice is made once', async () => {
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
    await expect(preview('twice', asOf)).rejects.toThrow('is in the payout');
    expect(await balance('A', 'USD', 'twice')).toBe(0n);
  });
});

/** Makes a payout of a group wait before it stamps a member's rows, and something happen to one of them meanwhile. */
async function meanwhile(group: string, asOf: Date | null, { id }: { id: string }, what: string) {
  const client = await connect(money.service().testDatabase.connection);
  await client.query('begin');
  await client.query('select from membership where account_id like $1 for update', [`acc_${group}_%`]);
  const making = create(group, asOf).then(
    (batches) => batches.map(({ totalMinor, memberCount }) => [totalMinor, memberCount]),
    (error: Error) => error.message,
  );
  await until(
    'the payout to begin',
    async () =>
      (await number(
        sql`select count(*) as n from payout_batch where group_id = ${group} and status = 'Preparing'`,
      )) > 0n,
  );
  await client.query(what, [id]);
  await client.query('commit');
  return making;
}

/** As a status change does, but within the transaction that has the members. */
const refunding = `with changed as (
     update attribution set status = 'Refund' where attribution_id = $1
   ), refunded as (
     insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, reversed_at)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, clock_timestamp()
     from attribution where attribution_id = $1
     returning publisher_id, attribution_id, group_id, membership_id, currency, share_minor
   ), recorded as (
     insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
     select publisher_id, gen_random_uuid(), attribution_id, 'Refund', true from refunded
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

/** As a posting does of a row like the one named, that a machine recorded whose clock is years behind. */
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

describe('a refund that comes while a payout is made, before its row is assigned', () => {
  const refundMeanwhile = (group: string, asOf: Date | null, row: { id: string }) =>
    meanwhile(group, asOf, row, refunding);
  const ready = async (group: string, minimum: number) => {
    await makeGroup(group, `payoutMinimums: { USD: ${minimum} },`);
    const row = await earn(group, 'A', 60);
    await earn(group, 'A', 50);
    await earn(group, 'B', 200);
    await settle();
    return { row, asOf: (await preview(group)).asOf };
  };

  test('is left out, and the member is paid what is left', async () => {
    const { row } = await ready('left', 0);
    expect(await refundMeanwhile('left', null, row)).toEqual([[250n, 2]]);
  });

  test('leaves the member out when too little is left', async () => {
    const { row } = await ready('little', 100);
    expect(await refundMeanwhile('little', null, row)).toEqual([[200n, 1]]);
    expect(await balance('A', 'USD', 'little')).toBe(50n);
  });

  test('undoes a payout that was to pay what a preview showed, and it says so', async () => {
    const { row, asOf } = await ready('shown', 0);
    const entries = await entriesOf(money.db(), async () =>
      expect(await refundMeanwhile('shown', asOf, row)).toContain(
        'acc_shown_A (A): 1.10 → 0.50 USD (refund)',
      ),
    );
    expect(entries, 'it was refused').toEqual([]);
    expect(await assigned('shown')).toBe(0n);
    const [batch] = await money.payouts();
    expect(batch).toMatchObject({ groupId: 'shown', status: 'Cancelled', totalMinor: 0n });
    expect(await query(sql`select from webhook_event where event like ${`%${batch?.batchId}%`}`)).toEqual([]);
    expect(await create('shown')).toMatchObject([{ totalMinor: 250n }]);
  });

  test('of everybody leaves no payout', async () => {
    await makeGroup('nobody');
    const row = await earn('nobody', 'A', 60);
    await settle();
    const entries = await entriesOf(money.db(), async () =>
      expect(await refundMeanwhile('nobody', null, row)).toEqual([]),
    );
    expect(entries, 'nobody was paid').toEqual([]);
    expect(await assigned('nobody')).toBe(0n);
  });
});

test.each(['preview', 'moment of its own'])(
  'what is posted while a payout of a %s is made, recorded with an older id, waits for the next one',
  async (of) => {
    const group = `behind${of.length}`;
    await makeGroup(group);
    const row = await earn(group, 'A', 60);
    await settle();
    const asOf = of === 'preview' ? (await preview(group)).asOf : null;
    expect(await meanwhile(group, asOf, row, postingLate)).toEqual([[60n, 1]]);
    expect(await create(group)).toMatchObject([{ totalMinor: 60n, rowCount: 1 }]);
    expect(await create(group)).toEqual([]);
  },
);
