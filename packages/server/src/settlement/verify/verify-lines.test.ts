import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { useMoney } from '../../../test/money.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';
import { verifyLedger } from './verify-ledger.ts';

const money = useMoney();
const { db, makeGroup, earn, settle } = money;
const tables = [
  ...['payee_gate', 'payee_gate_end', 'payee_method', 'payout_reduction', 'payout_item', 'payout_batch'],
  ...['pay_run_line', 'creator_account'],
];
let admin: pg.Client;
let ann: SignedInPerson;
let ben: SignedInPerson;

async function ask(person: SignedInPerson, method: string, path: string, body?: object) {
  const answer = await person.ask(method, path, body);
  expect([path, answer]).toMatchObject([path, { status: 200 }]);
  return answer.body;
}

/** Creates a payout that needs clearances and methods. It pays A in full, and B less than the preview showed. */
beforeAll(async () => {
  ann = await signIn(money.service(), 'finance', { name: 'Ann' });
  ben = await signIn(money.service(), 'owner', { name: 'Ben' });
  const { version, name } = await ask(ben, 'GET', '/settings');
  await ask(ben, 'PUT', '/settings', { version, name, payoutsNeed: { method: true, taxCleared: true } });
  await ask(ben, 'PUT', '/payee-settings', { ...(await ask(ben, 'GET', '/payee-settings')), waitDays: 0 });
  await makeGroup('lines');
  for (const code of ['A', 'B']) {
    const creator = `acc_lines_${code}`;
    await ask(ann, 'POST', `/members/${creator}/gates`, { kind: 'tax', note: 'W-8BEN' });
    const review = await ask(ann, 'POST', `/members/${creator}/gates`, { kind: 'review', note: 'checking' });
    await ask(ann, 'POST', `/gates/${review.gateId}/end`, { reason: 'checked' });
    const { methodId } = await ask(ann, 'POST', `/members/${creator}/payees`, {
      ...{ kind: 'paypal', holderName: `Creator ${code}`, holderType: 'individual', country: 'DE' },
      email: `${code}@example.com`,
    });
    await ask(ben, 'POST', `/payees/${methodId}/approve`, { acceptsShared: false });
  }
  await earn('lines', 'A', 1_000);
  const refunded = await earn('lines', 'B', 500);
  await settle();
  const { asOf } = await money.preview('lines');
  await money.refund(refunded.transactionId, { refundId: 'part', amount: 200, reason: 'Refund' });
  const { body } = await ann.ask('POST', '/pay-runs', {
    asOf: asOf.toISOString(),
    payouts: [{ groupId: 'lines', currency: 'USD', totalMinor: '1500' }],
    exactly: false,
  });
  await until('the run to end', async () => {
    const run = await ask(ann, 'GET', `/pay-runs/${body.run.payRunId}`);
    return run.run.isDone;
  });
  const paid = await money.query(sql`select total_minor from payout_batch where publisher_id = 'aurora'`);
  expect(paid).toEqual([{ total_minor: '1300' }]);
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

const gate = /^no line pays a creator who was under review/;
const method = /^a line's payout method belongs to its creator/;
const reduction = /^a reduction is the difference/;
const ofA = "account_id = 'acc_lines_A'";
const endOfReview = `gate_id = (select gate_id from payee_gate where kind = 'review' and ${ofA})`;
const ended = (at: string) => `
  ended_at = ${at}, ended_reason = 'x', ended_by_kind = 'staff', ended_by_id = 'x', ended_by_name = 'x'`;
const newReview = (at: string) => `
  insert into payee_gate (publisher_id, gate_id, account_id, kind, from_at, note, set_at, set_by_kind, set_by_id, set_by_name)
  select 'aurora', '0197a000-0000-7000-8000-000000000001', 'acc_lines_A', 'review', ${at}, 'x', ${at}, 'staff', 'x', 'x'
  from payout_item
  where amount_minor = 1000`;

test.each([
  ['a creator was under review at the cutoff', `delete from payee_gate_end where ${endOfReview}`, gate],
  [
    'a review ended only after the cutoff',
    `update payee_gate_end set ended_at = (select as_of from payout_batch) + interval '1 ms' where ${endOfReview}`,
    gate,
  ],
  ['a review was set before the line was created', newReview("made_at - interval '1 ms'"), gate],
  ['a creator had no tax clearance', `delete from payee_gate where kind = 'tax' and ${ofA}`, gate],
  [
    'a tax clearance was over at the cutoff',
    `update payee_gate set until_at = (select as_of from payout_batch) where kind = 'tax' and ${ofA}`,
    gate,
  ],
  [
    'a tax clearance was revoked before the line was created',
    `insert into payee_gate_end (publisher_id, gate_id, reason, ended_at, ended_by_kind, ended_by_id, ended_by_name)
     select 'aurora', gate_id, 'x', (select min(made_at) from payout_item) - interval '1 ms', 'staff', 'x', 'x'
     from payee_gate
     where kind = 'tax' and ${ofA}`,
    gate,
  ],
  [
    'a line has the method of another creator',
    `update payout_item set method_id = (select method_id from payee_method where ${ofA}) where amount_minor = 300`,
    method,
  ],
  ['a method does not exist', `delete from payee_method where ${ofA}`, method],
  [
    'a method was never approved',
    `update payee_method
     set approved_at = null, approved_by_kind = null, approved_by_id = null, approved_by_name = null, usable_from = null
     where ${ofA}`,
    method,
  ],
  [
    'a method was approved after the line was created',
    `update payee_method set approved_at = (select max(made_at) from payout_item) + interval '1 ms' where ${ofA}`,
    method,
  ],
  [
    'a method had ended before the line was created',
    `update payee_method set ${ended("(select min(made_at) from payout_item) - interval '1 ms'")} where ${ofA}`,
    method,
  ],
  [
    'a method was too new when the line was created',
    `update payee_method set usable_from = (select max(made_at) from payout_item) + interval '1 ms' where ${ofA}`,
    method,
  ],
  ['a bank account for euros pays dollars', `update payee_method set kind = 'sepa' where ${ofA}`, method],
  [
    'a payout that needs methods has a line without one',
    'update payout_item set method_id = null where amount_minor = 300',
    method,
  ],
  ['a reduction lowers nothing', 'update payout_reduction set previewed_minor = 300', reduction],
  ['a reduction explains too much', 'update payout_reduction set previewed_minor = 501', reduction],
  ['a reduction is missing', 'delete from payout_reduction', reduction],
  ['another total was confirmed', 'update pay_run_line set total_minor = total_minor + 1', reduction],
  [
    'a reduction is that of a member of another group',
    `update payout_reduction
     set membership_id = (select membership_id from membership where group_id <> 'lines' limit 1), previewed_minor = 200`,
    reduction,
  ],
])('reports that %s', async (_what, breaking, rule) => {
  const { rowCount } = await admin.query(breaking);
  expect(rowCount).toBe(1);
  expect(await verifyLedger(db())).toMatchObject({ isSound: false, rule: expect.stringMatching(rule) });
});

test.each([
  [
    'lines from before their time was stored',
    `update payout_item set made_at = null; update payout_batch set needs_method = null, needs_tax_cleared = null;
     delete from payee_gate; delete from payee_gate_end`,
  ],
  [
    'payouts that needed no clearance',
    `update payout_batch set needs_tax_cleared = false; delete from payee_gate where kind = 'tax'`,
  ],
  ['reviews set after the line was created', newReview("made_at + interval '1 ms'")],
  [
    'methods that ended after the line was created',
    `update payee_method set ${ended("(select max(made_at) from payout_item) + interval '1 ms'")}`,
  ],
  [
    'a claim of the creator since then, which may have moved the line',
    `update payee_gate set account_id = 'acc_lines_B' where ${ofA};
     update creator_account set claimed_by = 'acc_lines_A', closed_at = now() where account_id = 'acc_lines_B'`,
  ],
])('reports nothing about %s', async (_what, change) => {
  await admin.query(change);
  await money.expectSound();
});
