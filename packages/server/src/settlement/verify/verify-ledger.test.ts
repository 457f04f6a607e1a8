import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkAll } from '../../../test/bounties.ts';
import { useMoney } from '../../../test/money.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { systemClock } from '../../platform/clock.ts';
import { verifyLedger } from './verify-ledger.ts';

const money = useMoney();
const { earn, settle, create, patch, db } = money;

const tables = [
  'attribution',
  'membership',
  'unposted',
  'posting',
  'payment',
  'refund_record',
  'ledger_entry',
  'member_balance',
  'earning_rollup',
  'group_rollup',
  'transaction_count',
  'credited_code',
  'payout_batch',
  'payout_item',
  'clawback',
  'reward_payment',
  'progress_reward',
];
const moneyColumns = [
  'row_count',
  'gross_minor',
  'share_minor',
  'reversed_count',
  'reversed_gross_minor',
  'reversed_share_minor',
];
const statusColumns = ['all_count', 'test_count', 'refund_count', 'fraud_count', 'chargeback_count'];
/** Superuser connection that skips foreign key checks and can make changes that the service's role cannot. */
let admin: pg.Client;

/**
 * Creates rows in every state: unposted, posted, fully and partly refunded, in an open payout, in a canceled payout,
 * paid, clawed back, and a Test row.
 */
beforeAll(async () => {
  await money.makeGroup('books');
  const clawed = await earn('books', 'A', 300);
  await earn('books', 'A', 50);
  await settle();
  const [paid] = await create('books');
  await money.markPaid(paid?.batchId ?? '');
  await money.clawBack(clawed.id, 'Fraud');
  await earn('books', 'B', 70);
  await settle();
  const [cancelled] = await create('books');
  await money.cancel(cancelled?.batchId ?? '');
  await money.provisionGroup('books', 'holdDays: 0');
  await reward('sooner', 5);
  await create('books');
  await earn('books', 'B', 11);
  const refunded = await earn('books', 'B', 13);
  await earn('books', 'A', 19, { status: 'Test' });
  await settle();
  await patch(refunded.transactionId, { form: { action: 'Refund' } });
  const inParts = await earn('books', 'B', 100, { memberSharePercent: 40 });
  await settle();
  for (const refundId of ['one', 'two'])
    await money.refund(inParts.transactionId, { refundId, amount: 20, reason: 'Refund' });
  await reward('later', 3);
  await earn('books', 'A', 17);

  admin = new pg.Client(money.service().testDatabase.adminConnection);
  await admin.connect();
  await admin.query("set session_replication_role = 'replica'; create schema saved");
  for (const table of tables) await admin.query(`create table saved.${table} as select * from ${table}`);
});
afterEach(async () => {
  for (const table of tables)
    await admin.query(`delete from ${table}; insert into ${table} select * from saved.${table}`);
  await money.expectSound();
});
afterAll(() => admin?.end());

/** Gives B a reward for completing a bounty with an event, which earns no share. */
async function reward(eventId: string, amount: number): Promise<void> {
  await money
    .service()
    .provision(
      `{ publisher: { id: aurora }, groups: [ { id: books, bounties: [ { id: ${eventId}, name: ${eventId}, startsAt: 2024-01-01T00:00:00Z, objectives: [ { name: do, type: Event, eventCode: ${eventId}, count: 1 } ], rewards: [ { name: r, type: Payment, amount: ${amount}, currency: USD } ] } ] } ] }`,
    );
  const json = { eventId, eventCode: eventId, code: 'M-B', playerId: 'x' };
  await money.service().call('POST', '/v1/events?groupId=books', { key: money.keys().backend, json });
  expect(await checkAll(db(), systemClock.now())).toBe(1);
}

const id = '0197a000-0000-7000-8000-000000000001';
/** Condition for B's row with the subtotal 11, which is posted and otherwise unchanged. */
const open = 'subtotal_minor = 11';
const refunded = 'reversed_at is not null and payout_batch_id is null';
const recordingOf = (where: string): string =>
  `(select (left(attribution_id::text, 32) || '0000')::uuid from attribution where ${where})`;
const postingOf = (where: string): string => `${recordingOf(where)} = any(recording_ids)`;
/** Conditions for B's rollup on the day of all purchases, and for the group's rollup. */
const ofB = "code = 'M-B'";
const ofGroup = "group_id = 'books'";

test.each([
  [
    'a merged membership points to a merged one',
    `with fell as (
       update membership set status = 'Removed', merged_into = (select membership_id from membership where account_id = 'acc_bob')
       where account_id = 'acc_books_A' returning membership_id)
     update membership set status = 'Removed', merged_into = (select membership_id from fell)
     where account_id = 'acc_books_B' returning membership_id as id`,
    /points directly to/,
  ],
  [
    'a row disappeared from the queue',
    'delete from unposted returning recording_id as id',
    /either unposted or posted exactly once/,
  ],
  [
    'a posted row is back in the queue',
    `insert into unposted select publisher_id, ${recordingOf(open)}, 1 from publisher where publisher_id = 'aurora' returning recording_id as id`,
    /either unposted or posted exactly once/,
  ],
  [
    'a row is in two postings',
    `update posting set recording_ids = recording_ids || ${recordingOf('is_test')} where not ${postingOf('is_test')} and cardinality(recording_ids) = 2 returning ${recordingOf('is_test')} as id`,
    /either unposted or posted exactly once/,
  ],
  [
    'a row is also in a posting long before it',
    `insert into posting select publisher_id, '0180a000-0000-7000-8000-000000000001', posted_at, earliest_date, array[${recordingOf('is_test')}] from posting where ${postingOf('is_test')} returning ${recordingOf('is_test')} as id`,
    /either unposted or posted exactly once/,
  ],
  [
    'a Test row is in no posting',
    `update posting set recording_ids = array_remove(recording_ids, ${recordingOf('is_test')}) where ${postingOf('is_test')} returning ${recordingOf('is_test')} as id`,
    /either unposted or posted exactly once/,
  ],
  [
    'a posting has a recording that never existed',
    `update posting set recording_ids = recording_ids || '${id}'::uuid where ${postingOf(open)} returning '${id}' as id`,
    /either unposted or posted exactly once/,
  ],
  [
    'a row is in no posting',
    `update posting set recording_ids = array_remove(recording_ids, ${recordingOf(open)}) where ${postingOf(open)} returning posting_id as id`,
    /a posting's entry for a member is the sum/,
  ],
  [
    'a posted row is gone',
    `delete from attribution where ${open} returning (select posting_id from posting where ${postingOf(open)}) as id`,
    /a posting's entry for a member is the sum/,
  ],
  [
    'a posting has a row before its earliest date',
    `update posting set earliest_date = earliest_date + interval '1 ms' where ${postingOf(open)} returning posting_id as id`,
    /no row in a posting has a date before/,
  ],
  [
    'the queue has more rows than were recorded',
    'update unposted set row_count = row_count + 1 returning recording_id as id',
    /as many rows as were recorded/,
  ],
  [
    'a Test row has a payment',
    `insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor
     from attribution where is_test returning attribution_id as id`,
    /is not a Test row/,
  ],
  [
    'a payment has no row',
    `delete from attribution a using payment p
     where p.attribution_id = a.attribution_id and p.share_minor = 50 returning a.attribution_id as id`,
    /every payment belongs to a recorded row/,
  ],
  [
    'a row credits no member',
    `update attribution set membership_id = '${id}' where is_test returning attribution_id as id`,
    /credits a membership of its group/,
  ],
  [
    "a payment is another member's",
    `update payment p set membership_id = m.membership_id from membership m
     where ${refunded} and m.account_id = 'acc_books_A' returning p.attribution_id as id`,
    /group, member, currency, date and share as its row/,
  ],
  ...[
    "group_id = 'main'",
    "currency = 'EUR'",
    "transaction_date = transaction_date + interval '1 ms'",
    'share_minor = share_minor - 1',
  ].map((set): [string, string, RegExp] => [
    `a payment has ${set}`,
    `update payment set ${set} where ${refunded} returning attribution_id as id`,
    /group, member, currency, date and share as its row/,
  ]),
  [
    'a share is a unit too small',
    `update attribution set share_minor = share_minor - 1 where ${open} returning attribution_id as id`,
    /its percentage of the subtotal/,
  ],
  [
    'a share of a Test row is a unit too small',
    'update attribution set share_minor = share_minor - 1 where is_test returning attribution_id as id',
    /its percentage of the subtotal/,
  ],
  [
    'a percentage is wrong',
    `update attribution set share_millionths = 999999 where ${open} returning attribution_id as id`,
    /the most specific rule/,
  ],
  [
    'the rule that applied is not the most specific one',
    `update attribution set share_rule = 'group' where ${open} returning attribution_id as id`,
    /the most specific rule/,
  ],
  [
    'a more specific rule had offered a share',
    `update attribution set sent_share_millionths = null, sku_share_millionths = 1000000 where ${open} returning attribution_id as id`,
    /the most specific rule/,
  ],
  [
    'a row is assigned before it is posted',
    `insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, payout_payment_id)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, 'x'
     from attribution where subtotal_minor = 17 returning attribution_id as id`,
    /before it is posted/,
  ],
  [
    "a posting's entry is a unit too large",
    "update ledger_entry set amount_minor = amount_minor + 1 where kind = 'payment' and amount_minor = 24 returning subject_id as id",
    /a posting's entry for a member is the sum/,
  ],
  [
    "a posting's entry is missing",
    "delete from ledger_entry where kind = 'payment' and amount_minor = 24 returning subject_id as id",
    /a posting's entry for a member is the sum/,
  ],
  [
    'a posting has an entry for a member without rows in it',
    `insert into ledger_entry
     select e.publisher_id, e.subject_id, 'payment', m.membership_id, e.currency, 5
     from ledger_entry e, membership m
     where e.kind = 'payment' and e.amount_minor = 24 and m.account_id = 'acc_books_A' returning subject_id as id`,
    /a posting's entry for a member is the sum/,
  ],
  [
    "a posted row has an entry of its own in addition to its posting's",
    `insert into ledger_entry
     select publisher_id, attribution_id, 'payment', membership_id, currency, share_minor
     from attribution where ${open} returning subject_id as id`,
    /there are no other payment entries/,
  ],
  [
    'a payment entry has no posting',
    `insert into ledger_entry select publisher_id, '${id}', 'payment', membership_id, currency, 5 from member_balance limit 1 returning subject_id as id`,
    /there are no other payment entries/,
  ],
  [
    'a refund entry is missing',
    "delete from ledger_entry where kind = 'refund' and amount_minor = -13 returning subject_id as id",
    /if and only if its payment is fully reversed/,
  ],
  [
    'a refund entry is too small',
    "update ledger_entry set amount_minor = amount_minor + 1 where kind = 'refund' and amount_minor = -13 returning subject_id as id",
    /one reversal entry, for its whole share/,
  ],
  [
    "a refund entry is another member's",
    `update ledger_entry e set membership_id = m.membership_id from membership m
     where e.kind = 'refund' and e.amount_minor = -13 and m.account_id = 'acc_books_A' returning e.subject_id as id`,
    /one reversal entry, for its whole share/,
  ],
  [
    'a refund entry has no row',
    `insert into ledger_entry select publisher_id, '${id}', 'refund', membership_id, currency, -5 from member_balance limit 1 returning subject_id as id`,
    /one reversal entry, for its whole share/,
  ],
  [
    'the payment of a refunded row is not reversed',
    `update payment set reversed_at = null where ${refunded} returning attribution_id as id`,
    /if and only if its payment is fully reversed/,
  ],
  [
    'a refund record is missing',
    "delete from refund_record where action = 'Refund' and sent_refund_id is null returning attribution_id as id",
    /one refund record that reverses money/,
  ],
  [
    'a refund record has a payment that is not reversed',
    `insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
     select publisher_id, '${id}', attribution_id, 'Fraud', true from payment where share_minor = 50 returning attribution_id as id`,
    /and no other payment has one/,
  ],
  [
    'a refund record has a row without a payment',
    `insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
     select publisher_id, '${id}', attribution_id, 'Fraud', true from attribution where ${open} returning attribution_id as id`,
    /and no other payment has one/,
  ],
  [
    'the payment of a refunded row is missing',
    `delete from payment where ${refunded} returning attribution_id as id`,
    /is Normal if and only if/,
  ],
  [
    'a refunded row is Normal',
    "update attribution set status = 'Normal' where subtotal_minor = 13 returning attribution_id as id",
    /is Normal if and only if/,
  ],
  [
    'a row with status Fraud is not reversed',
    `update attribution set status = 'Fraud' where ${open} returning attribution_id as id`,
    /is Normal if and only if/,
  ],
  [
    'a part of a row has no refund record',
    `delete from refund_record where sent_refund_id = 'two' returning attribution_id as id`,
    /partly refunded row is in proportion/,
  ],
  [
    'a part of a row took back too much',
    `update payment set reversed_minor = 17 where refunded_minor = 40 returning attribution_id as id`,
    /partly refunded row is in proportion/,
  ],
  [
    'a part and its record took back too little',
    `with record as (update refund_record set share_minor = 7 where sent_refund_id = 'two' returning attribution_id)
     update payment set reversed_minor = 15 where refunded_minor = 40 returning attribution_id as id`,
    /partly refunded row is in proportion/,
  ],
  [
    'the entry of a part is missing',
    `with gone as (delete from ledger_entry where subject_id in (select refund_id from refund_record where sent_refund_id = 'two'))
     select attribution_id as id from payment where refunded_minor = 40`,
    /partly refunded row is in proportion/,
  ],
  [
    'a part has a row without parts',
    `update payment set refunded_minor = null, reversed_minor = null, subtotal_minor = null, part_at = null
     where refunded_minor = 40 returning attribution_id as id`,
    /a posted row has one reversal entry/,
  ],
  [
    'a clawback is missing',
    'delete from clawback returning attribution_id as id',
    /has a clawback for its amount/,
  ],
  [
    'a clawback is too small',
    'update clawback set amount_minor = amount_minor - 1 returning attribution_id as id',
    /has a clawback for its amount/,
  ],
  [
    'a clawback has a row without a payment',
    `insert into clawback (publisher_id, refund_id, attribution_id, group_id, membership_id, currency, amount_minor, created_at)
     select publisher_id, '${id}', attribution_id, group_id, membership_id, currency, share_minor, now()
     from attribution where ${open} returning attribution_id as id`,
    /has a clawback for its amount/,
  ],
  [
    'a refunded row is in a payout',
    `update payment set payout_batch_id = (select batch_id from payout_batch where status = 'Created')
     where ${refunded} returning attribution_id as id`,
    /has a clawback for its amount/,
  ],
  [
    'a row of a paid payout has a different payment date',
    `update payment p set paid_at = b.paid_at + interval '1 ms' from payout_batch b
     where b.batch_id = p.payout_batch_id and b.status = 'Paid' and share_minor = 50 returning attribution_id as id`,
    /matches that of its payout/,
  ],
  [
    'a row of an open payout has a payment date',
    `update payment p set paid_at = now() from payout_batch b
     where b.batch_id = p.payout_batch_id and b.status = 'Created' returning attribution_id as id`,
    /matches that of its payout/,
  ],
  [
    'the member of a payable row has no mark',
    `update member_balance b set unpaid_from = null from attribution a
     where a.membership_id = b.membership_id and ${open} returning a.attribution_id as id`,
    /a date before the mark/,
  ],
  [
    'a mark is after a payable row',
    `update member_balance b set unpaid_from = a.transaction_date + interval '1 ms' from attribution a
     where a.membership_id = b.membership_id and ${open} returning a.attribution_id as id`,
    /a date before the mark/,
  ],
  [
    'a payout entry is too small',
    "update ledger_entry set amount_minor = -349 where kind = 'payout' and amount_minor = -350 returning subject_id as id",
    /payout item has a ledger entry for its amount/,
  ],
  [
    'a payout entry has no item',
    `insert into ledger_entry select publisher_id, '${id}', 'payout', membership_id, currency, -5 from member_balance limit 1 returning subject_id as id`,
    /every payout entry has an item/,
  ],
  [
    'an item of a canceled payout was not returned',
    "delete from ledger_entry where kind = 'payout-return' returning subject_id as id",
    /every item of a canceled payout/,
  ],
  [
    'an item of an open payout was returned',
    "insert into ledger_entry select publisher_id, subject_id, 'payout-return', membership_id, currency, 350 from ledger_entry where kind = 'payout' and amount_minor = -350 returning subject_id as id",
    /and no other item was/,
  ],
  [
    'a row is no longer in its payout',
    `update payment p set payout_batch_id = null from payout_item i
     join payout_batch b using (batch_id)
     where p.payout_batch_id = i.batch_id and b.status = 'Created' returning i.item_id as id`,
    /are the sum of the rows, rewards and clawbacks/,
  ],
  [
    'a row is in a payout without an item of its member',
    `insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, payout_batch_id)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor,
            (select batch_id from payout_batch where status = 'Paid')
     from attribution where ${open} returning payout_batch_id as id`,
    /every assigned row or reward has an item/,
  ],
  [
    'a row is in a payout that does not exist',
    `insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, payout_batch_id)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, '${id}'
     from attribution where ${open} returning attribution_id as id`,
    /every assigned row or reward has an item/,
  ],
  [
    'a reward is in a payout without an item of its member',
    `update reward_payment set payout_batch_id = (select batch_id from payout_batch where status = 'Paid')
     where payout_batch_id is null returning payout_batch_id as id`,
    /every assigned row or reward has an item/,
  ],
  [
    'a row is in a canceled payout',
    `insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, payout_batch_id)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor,
            (select batch_id from payout_batch where status = 'Cancelled')
     from attribution where ${open} returning payout_batch_id as id`,
    /every assigned row or reward has an item/,
  ],
  [
    'a reward entry is missing',
    "delete from ledger_entry where kind = 'payment' and amount_minor = 3 returning subject_id as id",
    /a reward's entry is its amount/,
  ],
  [
    'a reward was paid twice',
    `insert into reward_payment select publisher_id, '${id}', group_id, membership_id, currency, 3, earned_at, settled_at from reward_payment limit 1 returning progress_reward_id as id`,
    /a reward's entry is its amount/,
  ],
  [
    'a reward was not paid',
    'insert into progress_reward select publisher_id, gen_random_uuid(), gen_random_uuid(), reward_id, true from progress_reward limit 1 returning progress_reward_id as id',
    /is paid once and in full/,
  ],
  [
    'a reward of an open payout has a payment date',
    'update reward_payment set paid_at = now() where payout_batch_id is not null returning progress_reward_id as id',
    /matches that of its payout/,
  ],
  [
    'a reward is no longer in its payout',
    `update reward_payment w set payout_batch_id = null from payout_item i
     where w.payout_batch_id = i.batch_id and i.membership_id = w.membership_id returning i.item_id as id`,
    /are the sum of the rows, rewards and clawbacks/,
  ],
  [
    'a payout is a unit too large',
    "update payout_batch set total_minor = total_minor + 1 where status = 'Paid' returning batch_id as id",
    /a payout is the sum of its items/,
  ],
  [
    'a payout counts one row too many',
    "update payout_batch set row_count = row_count + 1 where status = 'Cancelled' returning batch_id as id",
    /a payout is the sum of its items/,
  ],
  [
    'a balance is a unit too large',
    'update member_balance set balance_minor = balance_minor + 1 where balance_minor < 0 returning membership_id as id',
    /a balance is the sum of its ledger entries/,
  ],
  [
    'a balance is missing',
    'delete from member_balance where balance_minor < 0 returning membership_id as id',
    /a balance is the sum of its ledger entries/,
  ],
  ...[...moneyColumns, ...statusColumns].map((column): [string, string, RegExp] => [
    `${column} of a rollup is one too many`,
    `update earning_rollup set ${column} = ${column} + 1 where ${ofB} returning membership_id as id`,
    /a rollup is the sum of its posted rows/,
  ]),
  ...moneyColumns.map((column): [string, string, RegExp] => [
    `${column} of a group is one too many`,
    `update group_rollup set ${column} = ${column} + 1 where ${ofGroup} returning group_id as id`,
    /the sums of its members' rollups/,
  ]),
  ...statusColumns.map((column): [string, string, RegExp] => [
    `${column} of an hour is one too many`,
    `update transaction_count set ${column} = ${column} + 1 where ${ofGroup} returning group_id as id`,
    /transaction counts of an hour/,
  ]),
  [
    'a rollup is missing',
    `delete from earning_rollup where ${ofB} returning membership_id as id`,
    /a rollup is the sum of its posted rows/,
  ],
  [
    "a group's day is missing",
    `delete from group_rollup where ${ofGroup} returning group_id as id`,
    /the sums of its members' rollups/,
  ],
  [
    'an hour is missing',
    `delete from transaction_count where ${ofGroup} returning group_id as id`,
    /transaction counts of an hour/,
  ],
  [
    'a group has a rollup on a day without purchases',
    `insert into group_rollup select publisher_id, group_id, day + 1, currency, 1, 1, 1, 0, 0, 0 from group_rollup where ${ofGroup} returning group_id as id`,
    /the sums of its members' rollups/,
  ],
  [
    'transactions are counted in an hour without purchases',
    `insert into transaction_count select publisher_id, group_id, hour + interval '7 hours', 1, 0, 0, 0, 0 from transaction_count where ${ofGroup} returning group_id as id`,
    /transaction counts of an hour/,
  ],
  [
    'transactions are counted in the next hour',
    `update transaction_count set hour = hour + interval '1 hour' where ${ofGroup} returning group_id as id`,
    /transaction counts of an hour/,
  ],
  [
    'a code is not stored with its member',
    "delete from credited_code where code_folded = 'm-b' returning membership_id as id",
    /is stored with its member/,
  ],
])('reports that %s', async (_what, breaking, rule) => {
  const { rows } = await admin.query<{ id: string }>(breaking);
  expect(rows, 'exactly one row is broken').toHaveLength(1);
  expect(await verifyLedger(db())).toEqual({
    isSound: false,
    rule: expect.stringMatching(rule),
    publisherId: 'aurora',
    row: expect.stringContaining(rows[0]?.id ?? ''),
    rows: expect.any(Array),
  });
});

test.each([
  [
    'created',
    `with made as (
       update payout_batch set status = 'Preparing', worked_until = now() where status = 'Created' returning batch_id)
     insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, payout_batch_id)
     select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, batch_id
     from attribution, made where ${open}`,
  ],
  [
    'cancelled',
    `with cancelled as (
       update payout_batch set status = 'Cancelling', worked_until = now(), cancelled_at = now()
       where status = 'Created' returning batch_id)
     update payment set payout_batch_id = null where payout_batch_id = (select batch_id from cancelled)`,
  ],
])('accepts that the rows of a payout that is being %s differ from its items', async (_what, moving) => {
  expect((await admin.query(moving)).rowCount).toBe(1);
  expect(await verifyLedger(db())).toMatchObject({ isSound: true });
});

test.each([
  [
    'a posting',
    "update ledger_entry set amount_minor = amount_minor + 1 where kind = 'payment' and amount_minor = 24",
    /^posting [-0-9a-f]{36}, membership [-0-9a-f]{36} in USD$/,
    [11, 13],
  ],
  [
    'the entry of a posting without rows',
    `insert into ledger_entry
     select e.publisher_id, s.posting_id, 'payment', e.membership_id, e.currency, 5
     from posting s, ledger_entry e
     where e.kind = 'payment' and e.amount_minor = 24 and cardinality(s.recording_ids) = 2`,
    /^posting [-0-9a-f]{36}, membership [-0-9a-f]{36} in USD$/,
    [],
  ],
  [
    'a rollup',
    `update earning_rollup set share_minor = share_minor + 1 where ${ofB}`,
    /^rollup of 2024-05-01, membership [-0-9a-f]{36}, code M-B in USD$/,
    [11, 13, 70, 100],
  ],
  [
    'an hour',
    `update transaction_count set all_count = all_count + 1 where ${ofGroup}`,
    /^hour 2024-05-01T12:00Z of group books$/,
    [11, 13, 19, 50, 70, 100, 300],
  ],
])('reports %s with some of the rows it differs from', async (_what, breaking, row, amounts) => {
  expect((await admin.query(breaking)).rowCount).toBe(1);
  const verdict = await verifyLedger(db());
  if (verdict.isSound) expect.fail('it was not found');
  expect(verdict.row).toMatch(row);
  const { rows } = await admin.query<{ subtotal: number }>(
    'select subtotal_minor::int as subtotal from attribution where attribution_id = any($1::uuid[])',
    [verdict.rows],
  );
  const found = rows.map(({ subtotal }) => subtotal);
  expect(amounts, 'no other row').toEqual(expect.arrayContaining(found));
  expect(found).toHaveLength(Math.min(5, amounts.length));
});

/** Makes a row look as if version 0.1.0 had posted it: the row is in no posting and has its own entry. */
const makeOldRow = async (): Promise<string> => {
  const where = 'subtotal_minor = 50';
  const { rows } = await admin.query<{ id: string }>(
    `with moved as (update posting set recording_ids = array_remove(recording_ids, ${recordingOf(where)}) where ${postingOf(where)}),
     lessened as (update ledger_entry set amount_minor = amount_minor - 50 where kind = 'payment' and amount_minor = 350)
     insert into ledger_entry select publisher_id, attribution_id, 'payment', membership_id, currency, share_minor
     from attribution where ${where} returning subject_id as id`,
  );
  return rows[0]?.id ?? expect.fail('there is no such row');
};

test('a row that predates postings has its own entry for its share', async () => {
  const id = await makeOldRow();
  await money.expectSound();
  const ofRow = `kind = 'payment' and subject_id = '${id}'`;
  await admin.query(`update ledger_entry set amount_minor = amount_minor + 1 where ${ofRow}`);
  expect(await verifyLedger(db())).toMatchObject({ isSound: false, row: `attribution ${id}` });
  await admin.query(`delete from ledger_entry where ${ofRow}`);
  expect(await verifyLedger(db())).toMatchObject({
    isSound: false,
    rule: expect.stringMatching(/either unposted or posted exactly once/),
    rows: [id],
  });
});

test('reports a row as paid twice if it is in a posting and has its own entry', async () => {
  const { rows } = await admin.query<{ id: string }>(
    `insert into ledger_entry select publisher_id, attribution_id, 'payment', membership_id, currency, share_minor
     from attribution where subtotal_minor = 300 returning subject_id as id`,
  );
  expect(await verifyLedger(db())).toMatchObject({
    isSound: false,
    rule: expect.stringMatching(/there are no other payment entries/),
    row: `attribution ${rows[0]?.id}`,
  });
});

test('accepts an empty database, and counts what it compared', async () => {
  const empty = await createTestDatabase();
  onTestFinished(() => empty.drop());
  expect(await verifyLedger(empty.database.db)).toMatchObject({
    isSound: true,
    publishers: 0,
    entries: 0,
    balances: 0,
  });
  expect(await verifyLedger(db())).toMatchObject({ isSound: true, entries: 14, balances: 2 });
});
