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
  'unsettled',
  'payment',
  'refund_record',
  'ledger_entry',
  'member_balance',
  'earning_rollup',
  'payout_batch',
  'payout_item',
  'clawback',
  'reward_payment',
  'progress_reward',
];
/** The superuser, who alone can write what the service's role cannot, with foreign keys out of the way. */
let admin: pg.Client;

/** Rows in every state: waiting, settled, refunded, in an open payout, in a cancelled one, paid, clawed back; a Test row. */
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
  await settle();
  await patch(refunded.transactionId, { form: { action: 'Refund' } });
  await reward('later', 3);
  await earn('books', 'A', 17);
  await earn('books', 'A', 19, { status: 'Test' });

  admin = new pg.Client(money.service().testDatabase.adminConnection);
  await admin.connect();
  await admin.query("set session_replication_role = 'replica'; create schema kept");
  for (const table of tables) await admin.query(`create table kept.${table} as select * from ${table}`);
});
afterEach(async () => {
  for (const table of tables)
    await admin.query(`delete from ${table}; insert into ${table} select * from kept.${table}`);
  await money.expectSound();
});
afterAll(() => admin?.end());

/** A bounty that B completes by an event, so that nothing but its reward is owed for it. */
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
const settledAndOpen = 'settled_at is not null and reversed_at is null and payout_batch_id is null';

test.each([
  [
    'a merged membership leads to a merged one',
    `with fell as (
       update membership set status = 'Removed', merged_into = (select membership_id from membership where account_id = 'acc_bob')
       where account_id = 'acc_books_A' returning membership_id)
     update membership set status = 'Removed', merged_into = (select membership_id from fell)
     where account_id = 'acc_books_B' returning membership_id as id`,
    /in one step/,
  ],
  [
    'a row fell out of the queue',
    'delete from unsettled returning attribution_ids[1] as id',
    /settled or waits/,
  ],
  [
    'a settled row waits again',
    `insert into unsettled select publisher_id, attribution_id, array[attribution_id] from payment where ${settledAndOpen} returning unsettled_id as id`,
    /settled or waits/,
  ],
  [
    'a settled payment is gone',
    `delete from payment where ${settledAndOpen} returning attribution_id as id`,
    /settled or waits/,
  ],
  [
    'a Test row has a payment',
    'insert into payment (publisher_id, attribution_id) select publisher_id, attribution_id from attribution where is_test returning attribution_id as id',
    /a Test row has no payment/,
  ],
  [
    'a payment is of no row',
    `delete from attribution a using payment p
     where p.attribution_id = a.attribution_id and p.share_minor = 50 returning a.attribution_id as id`,
    /every payment is of a recorded row/,
  ],
  [
    'a row credits nobody',
    `update attribution set membership_id = '${id}' where is_test returning attribution_id as id`,
    /credits a membership of its group/,
  ],
  [
    "a payment is another member's",
    `update payment p set membership_id = m.membership_id from membership m
     where ${settledAndOpen} and m.account_id = 'acc_books_A' returning p.attribution_id as id`,
    /the group, member and date of its row/,
  ],
  [
    'a share is a unit too large',
    `update payment set share_minor = share_minor + 1 where ${settledAndOpen} returning attribution_id as id`,
    /its percent of the row's subtotal/,
  ],
  [
    'a percent is another',
    `update payment set share_millionths = 1 where ${settledAndOpen} returning attribution_id as id`,
    /its percent of the row's subtotal/,
  ],
  [
    'a payment entry is a unit too large',
    "update ledger_entry set amount_minor = amount_minor + 1 where kind = 'payment' and amount_minor = 11 returning subject_id as id",
    /has a ledger entry of its share/,
  ],
  [
    'a payment entry is missing',
    "delete from ledger_entry where kind = 'payment' and amount_minor = 11 returning subject_id as id",
    /has a ledger entry of its share/,
  ],
  [
    'a payment entry is of nothing',
    `insert into ledger_entry select publisher_id, '${id}', 'payment', membership_id, currency, 5 from member_balance limit 1 returning subject_id as id`,
    /every entry of a payment has its payment/,
  ],
  [
    'a refund entry is missing',
    "delete from ledger_entry where kind = 'refund' returning subject_id as id",
    /went back exactly if it is reversed/,
  ],
  [
    'a refund entry is too small',
    "update ledger_entry set amount_minor = amount_minor + 1 where kind = 'refund' returning subject_id as id",
    /once and whole/,
  ],
  [
    'a refunded payment says it is not',
    'update payment set reversed_at = null where reversed_at is not null and payout_batch_id is null returning attribution_id as id',
    /went back exactly if it is reversed/,
  ],
  [
    'a refund record is missing',
    "delete from refund_record where action = 'Refund' returning attribution_id as id",
    /one refund record that reverses money/,
  ],
  [
    'a refund record is of a payment that is not reversed',
    `insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
     select publisher_id, '${id}', attribution_id, 'Fraud', true from payment where ${settledAndOpen} returning attribution_id as id`,
    /and no other has one/,
  ],
  ['a clawback is missing', 'delete from clawback returning attribution_id as id', /is a clawback/],
  [
    'a clawback is too small',
    'update clawback set amount_minor = amount_minor - 1 returning attribution_id as id',
    /is a clawback/,
  ],
  [
    'a refunded row is in a payout',
    `update payment set payout_batch_id = (select batch_id from payout_batch where status = 'Created')
     where reversed_at is not null and payout_batch_id is null returning attribution_id as id`,
    /no other row in one went back/,
  ],
  [
    'a row of a paid payout is paid at another time',
    `update payment p set paid_at = b.paid_at + interval '1 ms' from payout_batch b
     where b.batch_id = p.payout_batch_id and b.status = 'Paid' and share_minor = 50 returning attribution_id as id`,
    /only as its payout does/,
  ],
  [
    'a row of an open payout is paid',
    `update payment p set paid_at = now() from payout_batch b
     where b.batch_id = p.payout_batch_id and b.status = 'Created' returning attribution_id as id`,
    /only as its payout does/,
  ],
  [
    'a payout entry is too small',
    "update ledger_entry set amount_minor = -349 where kind = 'payout' and amount_minor = -350 returning subject_id as id",
    /payout item has a ledger entry of its amount/,
  ],
  [
    'a payout entry has no item',
    `insert into ledger_entry select publisher_id, '${id}', 'payout', membership_id, currency, -5 from member_balance limit 1 returning subject_id as id`,
    /every payout entry has its item/,
  ],
  [
    'a cancelled item did not come back',
    "delete from ledger_entry where kind = 'payout-return' returning subject_id as id",
    /cancelled payout came back/,
  ],
  [
    'an item came back that was not cancelled',
    "insert into ledger_entry select publisher_id, subject_id, 'payout-return', membership_id, currency, 350 from ledger_entry where kind = 'payout' and amount_minor = -350 returning subject_id as id",
    /and no other did/,
  ],
  [
    'a row left its payout',
    `update payment p set payout_batch_id = null from payout_item i
     join payout_batch b using (batch_id)
     where p.payout_batch_id = i.batch_id and b.status = 'Created' returning i.item_id as id`,
    /are the sum of the rows, rewards and clawbacks/,
  ],
  [
    'a row is in a payout that has no item of its member',
    `update payment set payout_batch_id = (select batch_id from payout_batch where status = 'Paid')
     where ${settledAndOpen} returning payout_batch_id as id`,
    /every stamped row or reward has an item/,
  ],
  [
    'a reward is in a payout that has no item of its member',
    `update reward_payment set payout_batch_id = (select batch_id from payout_batch where status = 'Paid')
     where payout_batch_id is null returning payout_batch_id as id`,
    /every stamped row or reward has an item/,
  ],
  [
    'a row is in a cancelled payout',
    `update payment set payout_batch_id = (select batch_id from payout_batch where status = 'Cancelled')
     where ${settledAndOpen} returning payout_batch_id as id`,
    /every stamped row or reward has an item/,
  ],
  [
    'a reward entry is missing',
    "delete from ledger_entry where kind = 'payment' and amount_minor = 3 returning subject_id as id",
    /a reward one of its amount/,
  ],
  [
    'a reward was paid twice',
    `insert into reward_payment select publisher_id, '${id}', group_id, membership_id, currency, 3, earned_at, settled_at from reward_payment limit 1 returning progress_reward_id as id`,
    /a reward one of its amount/,
  ],
  [
    'a reward was given and not paid',
    'insert into progress_reward select publisher_id, gen_random_uuid(), gen_random_uuid(), reward_id, true from progress_reward limit 1 returning progress_reward_id as id',
    /is paid its amount once/,
  ],
  [
    'a reward of an open payout is paid',
    'update reward_payment set paid_at = now() where payout_batch_id is not null returning progress_reward_id as id',
    /only as its payout does/,
  ],
  [
    'a reward left its payout',
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
    'a payout counts a row too many',
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
  ...[
    'row_count',
    'gross_minor',
    'share_minor',
    'reversed_count',
    'reversed_gross_minor',
    'reversed_share_minor',
  ].map((column): [string, string, RegExp] => [
    `${column} of a rollup is one too many`,
    `update earning_rollup set ${column} = ${column} + 1 where code = 'M-A' returning membership_id as id`,
    /a rollup is the sum of its settled rows/,
  ]),
  [
    'a rollup is missing',
    "delete from earning_rollup where code = 'M-A' returning membership_id as id",
    /a rollup is the sum of its settled rows/,
  ],
])('%s: it is named', async (_what, breaking, rule) => {
  const { rows } = await admin.query<{ id: string }>(breaking);
  expect(rows, 'exactly one row is broken').toHaveLength(1);
  expect(await verifyLedger(db())).toEqual({
    isSound: false,
    rule: expect.stringMatching(rule),
    publisherId: 'aurora',
    row: expect.stringContaining(rows[0]?.id ?? ''),
  });
});

test.each([
  [
    'made',
    `with made as (
       update payout_batch set status = 'Preparing', worked_until = now() where status = 'Created' returning batch_id)
     update payment set payout_batch_id = (select batch_id from made) where ${settledAndOpen}`,
  ],
  [
    'cancelled',
    `with cancelled as (
       update payout_batch set status = 'Cancelling', worked_until = now(), cancelled_at = now()
       where status = 'Created' returning batch_id)
     update payment set payout_batch_id = null where payout_batch_id = (select batch_id from cancelled)`,
  ],
])('a payout that is being %s may carry other rows than its items say', async (_what, moving) => {
  expect((await admin.query(moving)).rowCount).toBe(1);
  expect(await verifyLedger(db())).toMatchObject({ isSound: true });
});

test('an empty database is sound, and a sound one is counted', async () => {
  const empty = await createTestDatabase();
  onTestFinished(() => empty.drop());
  expect(await verifyLedger(empty.database.db)).toMatchObject({
    isSound: true,
    publishers: 0,
    entries: 0,
    balances: 0,
  });
  expect(await verifyLedger(db())).toMatchObject({ isSound: true, entries: 13, balances: 2 });
});
