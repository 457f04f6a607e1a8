import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { entriesOf } from '../../test/audit.ts';
import { purchase } from '../../test/fixtures.ts';
import { useTransactions } from '../../test/transactions.ts';

const { service, keys, record, patch } = useTransactions();
const db = () => service().testDatabase.database.db;

async function recorded(rows = 1, changes: Record<string, unknown> = {}) {
  const { transactionId } = purchase();
  const { body } = await record(Array.from({ length: rows }, () => purchase({ transactionId, ...changes })));
  const ids: string[] = body.map((each: { transaction: { id: string } }) => each.transaction.id);
  return { transactionId, ids };
}

const logged = (transactionId: string, json: object, status = 200, key = keys().backend) =>
  entriesOf(db(), async () => expect((await patch(transactionId, { json }, { key })).status).toBe(status));

test('each row whose status changes adds one entry with the actor, address, row, and old and new status', async () => {
  const { transactionId, ids } = await recorded(3);
  const requestId = 'support-ticket-4711';
  const entries = await entriesOf(db(), () =>
    patch(transactionId, { form: { action: 'Refund' }, headers: { 'x-request-id': requestId } }),
  );
  const { key_id } = await db()
    .selectFrom('api_key')
    .select('key_id')
    .where('publisher_id', '=', 'aurora')
    .where('name', '=', 'backend')
    .executeTakeFirstOrThrow();
  expect(entries).toEqual(
    ids.map((row) => ({
      publisher_id: 'aurora',
      actor_kind: 'key',
      actor_id: key_id,
      actor_name: 'backend',
      address: '127.0.0.1',
      request_id: requestId,
      command: null,
      action: 'transaction.refund',
      target: `transaction:${transactionId}`,
      before: { row, status: 'Normal' },
      after: { row, status: 'Refund' },
      reason: null,
      xmin: expect.any(String),
    })),
  );
});

test('an entry is saved in the same commit as its row', async () => {
  const { transactionId, ids } = await recorded(2);
  const entries = await logged(transactionId, { action: 'Fraud', playerId: 'someone' });
  for (const [index, id] of ids.entries()) {
    const { rows } = await sql<{ xmin: string }>`
      select a.xmin from attribution a where a.attribution_id = ${id}::uuid
      union all select r.xmin from refund_record r where r.attribution_id = ${id}::uuid`.execute(db());
    expect(rows.map(({ xmin }) => xmin)).toEqual([entries[index]?.xmin, entries[index]?.xmin]);
  }
  expect(new Set(entries.map(({ xmin }) => xmin)).size).toBe(2);
});

test.each(['Refund', 'Fraud', 'Chargeback'])(
  'a repeated %s returns the same response, appends a refund record and adds no entry',
  async (action) => {
    const { transactionId } = await recorded(2);
    const first = await patch(transactionId, { json: { action } });
    const refunds = async () =>
      (await sql`select 1 from refund_record where publisher_id = 'aurora'`.execute(db())).rows.length;
    const before = await refunds();
    const again = await entriesOf(db(), async () => {
      const answer = await patch(transactionId, { json: { action } });
      expect([answer.status, answer.body]).toEqual([200, first.body]);
    });
    expect([again, (await refunds()) - before]).toEqual([[], 2]);
    expect(await logged(transactionId, { action, playerId: `p-${action}` })).toMatchObject([
      { action: 'transaction.change-player' },
      { action: 'transaction.change-player' },
    ]);
  },
);

test('another kind of reversal of a reversed row adds an entry', async () => {
  const { transactionId } = await recorded();
  await patch(transactionId, { json: { action: 'Refund' } });
  expect(await logged(transactionId, { action: 'Chargeback' })).toMatchObject([
    { action: 'transaction.chargeback', before: { status: 'Refund' }, after: { status: 'Chargeback' } },
  ]);
});

test('two refunds at the same time add one entry', async () => {
  const { transactionId } = await recorded();
  const entries = await entriesOf(db(), () =>
    Promise.all([1, 2].map(() => patch(transactionId, { json: { action: 'Refund' } }))),
  );
  expect(entries).toHaveLength(1);
});

test('a changed playerId adds an entry that contains neither id', async () => {
  const { transactionId, ids } = await recorded(1, { playerId: 'buyer-before' });
  const changed = await logged(transactionId, { playerId: 'buyer-after' });
  expect(changed).toMatchObject([
    { action: 'transaction.change-player', before: null, after: { row: ids[0], player: 'changed' } },
  ]);
  expect(await logged(transactionId, { playerId: 'buyer-after' })).toEqual([]);
  const both = await logged(transactionId, { action: 'Refund', playerId: 'buyer-before' });
  expect(both).toMatchObject([
    { action: 'transaction.refund', after: { row: ids[0], status: 'Refund', player: 'changed' } },
  ]);
  expect(JSON.stringify([changed, both])).not.toContain('buyer');
});

test('a Test row has no payment; an action adds an entry if it changes the status', async () => {
  const { transactionId } = await recorded(1, { status: 'Test' });
  expect(await logged(transactionId, { action: 'Refund' })).toMatchObject([
    { action: 'transaction.refund', before: { status: 'Test' }, after: { status: 'Refund' } },
  ]);
  expect(await logged(transactionId, { action: 'Refund' })).toEqual([]);
  expect(await logged(transactionId, { action: 'Refund', playerId: 'p' })).toMatchObject([
    { action: 'transaction.change-player' },
  ]);
});

test('a rejected update adds no entry; an update that stops at a paid-out row adds entries for the rows before it', async () => {
  const { transactionId, ids } = await recorded(3);
  await sql`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, payout_payment_id)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, 'pay_1'
    from attribution
    where attribution_id = ${ids[1]}::uuid`.execute(db());
  expect(await logged(transactionId, { action: 'Refund' }, 409)).toMatchObject([{ before: { row: ids[0] } }]);
  expect(await logged('nowhere', { action: 'Refund' }, 404)).toEqual([]);
  expect(await logged(transactionId, { action: 'Normal' }, 400)).toEqual([]);
  expect(await logged(transactionId, { action: 'Refund' }, 404, keys().rival)).toEqual([]);
  expect(await logged(transactionId, { action: 'Refund' }, 403, keys().client)).toEqual([]);
});

test('recording adds no entry', async () => {
  expect(await entriesOf(db(), () => recorded(5))).toEqual([]);
});
