import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operations, useMoney } from '../../../test/money.ts';
import { testActor } from '../../../test/test-actor.ts';
import { verifyLedger } from './verify-ledger.ts';

const money = useMoney();
const { db, makeGroup, earn, settle, create, refund, patch } = money;
const tables = [
  ...['payment', 'refund_record', 'reinstatement', 'reinstatement_adjustment', 'clawback', 'ledger_entry'],
  ...['earning_rollup', 'group_rollup', 'member_balance', 'payout_item', 'payout_batch'],
];
let admin: pg.Client;

const reinstate = (transactionId: string, refundId: string) =>
  operations.reinstateRefund(db(), testActor, {
    publisherId: 'aurora',
    transactionId,
    refundId,
    reason: 'x',
    occurredAt: null,
  });

beforeAll(async () => {
  await makeGroup('books');
  // A's row was paid after a part was taken back, which was reinstated since, and a part of it was clawed back.
  const paid = await earn('books', 'A', 1_000, { memberSharePercent: 10 });
  await settle();
  await refund(paid.transactionId, { refundId: 'before', amount: 200, reason: 'Refund' });
  const [payout] = await create('books');
  await money.markPaid(payout?.batchId ?? '');
  const clawback = {
    publisherId: 'aurora',
    row: paid.id,
    status: 'Fraud',
    reason: null,
    partMinor: 30n,
  } as const;
  await operations.clawBack(db(), testActor, clawback);
  await operations.clawBack(db(), testActor, { ...clawback, partMinor: 7n });
  await reinstate(paid.transactionId, 'before');
  // B's row was refunded twice and reinstated once, and another one was fully reversed and reinstated.
  const parts = await earn('books', 'B', 500, { memberSharePercent: 50 });
  const whole = await earn('books', 'B', 300, { memberSharePercent: 50 });
  await settle();
  for (const refundId of ['one', 'two'])
    await refund(parts.transactionId, { refundId, amount: 100, reason: 'Refund' });
  await reinstate(parts.transactionId, 'one');
  await patch(whole.transactionId, { form: { action: 'Refund' } });
  const { rows } = await db()
    .selectFrom('refund_record')
    .select('refund_id')
    .where('attribution_id', '=', whole.id as never)
    .execute()
    .then((found) => ({ rows: found }));
  await reinstate(whole.transactionId, rows[0]?.refund_id ?? '');
  await money.expectSound();
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

const ofPaid = 'payout_batch_id is not null';
const reinstated = /^every reinstatement gives back/;
const parts = /^the share taken back from a partly refunded row/;
const clawback = /^everything that was taken back from a row in a payout/;

test.each([
  ['a reinstatement is missing', "delete from reinstatement where refund_key = 'one'", parts],
  [
    'a reinstatement gave back too much',
    "update reinstatement set gross_minor = gross_minor + 1 where refund_key = 'one'",
    parts,
  ],
  [
    'a reinstatement gave back too much of the share',
    "update reinstatement set share_minor = share_minor + 1 where refund_key = 'one'",
    parts,
  ],
  [
    'a reinstatement has no refund record',
    "update reinstatement set refund_id = reinstatement_id where refund_key = 'one'",
    reinstated,
  ],
  [
    'a reinstatement has no entry',
    "delete from ledger_entry where kind = 'reinstatement' and amount_minor = 50",
    reinstated,
  ],
  [
    'an entry has no reinstatement',
    `insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
     select publisher_id, '0197a000-0000-7000-8000-000000000001', 'reinstatement', membership_id, currency, 0
     from ledger_entry where kind = 'payout'`,
    reinstated,
  ],
  [
    'an entry has a wrong amount',
    "update ledger_entry set amount_minor = amount_minor - 1 where kind = 'reinstatement' and amount_minor = 50",
    reinstated,
  ],
  [
    'a payment does not know its reinstatement',
    'update payment set reinstated_at = null where refunded_minor = 100',
    parts,
  ],
  [
    'the payment of a reinstated row is still reversed',
    'update payment set reversed_at = now(), refunded_minor = subtotal_minor, reversed_minor = share_minor where refunded_minor = 0',
    parts,
  ],
  ['the share of a paid row is not owed again', 'delete from reinstatement_adjustment', reinstated],
  [
    'another share of a paid row is owed again',
    'update reinstatement_adjustment set amount_minor = amount_minor + 1',
    reinstated,
  ],
  [
    'a share is owed again without a reinstatement',
    "update reinstatement_adjustment set reinstatement_id = '0197a000-0000-7000-8000-000000000001'",
    reinstated,
  ],
  [
    'an adjustment is in a payout that did not add it',
    'update reinstatement_adjustment set payout_batch_id = (select batch_id from payout_batch)',
    /sum of the rows, rewards and clawbacks/,
  ],
  ['a clawback of a part is missing', 'delete from clawback where amount_minor = 7', clawback],
  [
    'a clawback of a part is too small',
    'update clawback set amount_minor = 6 where amount_minor = 7',
    clawback,
  ],
  [
    'a clawback has the record of another one',
    "update clawback c set refund_id = (select refund_id from refund_record where sent_refund_id = 'before') where amount_minor = 7",
    clawback,
  ],
  [
    'a clawback has no entry',
    "delete from ledger_entry where kind = 'adjustment' and amount_minor = -7",
    parts,
  ],
  [
    'a clawback was booked as a refund',
    "update ledger_entry set kind = 'refund' where kind = 'adjustment' and amount_minor = -7",
    clawback,
  ],
  [
    'a paid row was taken back without a record',
    `update payment set reversed_minor = reversed_minor + 1 where ${ofPaid}`,
    parts,
  ],
])('reports that %s', async (_what, breaking, rule) => {
  const { rowCount } = await admin.query(breaking);
  expect(rowCount).toBe(1);
  expect(await verifyLedger(db())).toMatchObject({ isSound: false, rule: expect.stringMatching(rule) });
});
