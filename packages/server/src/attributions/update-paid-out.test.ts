import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import { asOperator, connect } from '../../test/test-database.ts';
import { useTransactions } from '../../test/transactions.ts';

const { service, record, get, patch } = useTransactions();

let transactionId: string;
let ids: string[];
beforeEach(async () => {
  ({ transactionId } = purchase());
  const { body } = await record(
    Array.from({ length: 4 }, () => purchase({ transactionId, playerId: 'old' })),
  );
  ids = body.map((each: { transaction: { id: string } }) => each.transaction.id);
});

/** Assigns a row's payment to a payout, as creating a payout does. After that, the row can't be changed. */
async function payOut(
  attributionId: string | undefined,
  payout: { batch?: string; payment?: string; paidAt?: Date },
) {
  if (payout.batch !== undefined) {
    await sql`
      insert into payout_batch (publisher_id, batch_id, group_id, currency, as_of, status, total_minor, member_count, row_count,
                                number)
      values ('aurora', ${payout.batch}::uuid, 'main', 'USD', now(), 'Created', 1, 1, 1, (10000000 + random() * 80000000)::bigint)`.execute(
      service().testDatabase.database.db,
    );
  }
  const paid = sql`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor,
                         payout_batch_id, payout_payment_id, paid_at)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor,
           ${payout.batch ?? null}::uuid, ${payout.payment ?? null}, ${payout.paidAt ?? null}::timestamptz
    from attribution
    where attribution_id = ${attributionId}::uuid
    on conflict (publisher_id, attribution_id) do update
      set payout_batch_id = excluded.payout_batch_id, payout_payment_id = excluded.payout_payment_id`;
  await asOperator(service().testDatabase, paid);
}

async function refundRecords(): Promise<number[]> {
  const { rows } = await sql<{ attribution_id: string; n: number }>`
    select attribution_id, count(*)::int as n from refund_record group by attribution_id`.execute(
    service().testDatabase.database.db,
  );
  return ids.map((id) => rows.find(({ attribution_id }) => attribution_id === id)?.n ?? 0);
}

const fields = async (field: string): Promise<unknown[]> =>
  (await get(transactionId)).body.map(
    (each: { transaction: Record<string, unknown> }) => each.transaction[field],
  );

describe('an update stops with 409 at a row that was paid out; only the rows before it are updated', () => {
  test.each([
    ['by a batch id', { batch: randomUUID() }],
    ['by a payout payment id', { payment: 'pay_1' }],
    ['and marked paid', { batch: randomUUID(), paidAt: new Date('2026-06-01T00:00:00Z') }],
  ])('%s', async (_how, payout) => {
    await payOut(ids[2], payout);
    const answer = await patch(transactionId, { form: { action: 'Refund', playerId: 'new' } });
    expect([answer.status, answer.body.code]).toEqual([409, 'Conflict']);
    expect(await fields('status')).toEqual(['Refund', 'Refund', 'Normal', 'Normal']);
    expect(await fields('playerId')).toEqual(['new', 'new', 'old', 'old']);
    expect(await refundRecords()).toEqual([1, 1, 0, 0]);
    expect(await fields('memberPaid')).toEqual([false, false, 'paidAt' in payout, false]);
  });

  test('even if it is the first row, and then nothing changes', async () => {
    await payOut(ids[0], { batch: randomUUID() });
    expect((await patch(transactionId, { json: { action: 'Fraud' } })).status).toBe(409);
    expect(await fields('status')).toEqual(['Normal', 'Normal', 'Normal', 'Normal']);
    expect(await refundRecords()).toEqual([0, 0, 0, 0]);
  });

  test('even if only the playerId would change', async () => {
    await payOut(ids[1], { batch: randomUUID() });
    expect((await patch(transactionId, { form: { playerId: 'new' } })).status).toBe(409);
    expect(await fields('playerId')).toEqual(['new', 'old', 'old', 'old']);
  });

  test('even if it was reversed before it was paid out', async () => {
    await patch(transactionId, { form: { action: 'Refund' } });
    await payOut(ids[3], { payment: 'pay_2' });
    expect((await patch(transactionId, { form: { action: 'Fraud' } })).status).toBe(409);
    expect(await fields('status')).toEqual(['Fraud', 'Fraud', 'Fraud', 'Refund']);
    const { rows } = await sql<{
      attribution_id: string;
    }>`select attribution_id from payment where is_fraud`.execute(service().testDatabase.database.db);
    const flagged = new Set(rows.map(({ attribution_id }) => attribution_id));
    expect(ids.map((id) => flagged.has(id))).toEqual([true, true, true, false]);
  });

  test.each<Record<string, string>>([{ action: 'Fraud' }, { playerId: 'new' }])(
    'and waits for the outcome of a payout in progress: %j',
    async (form) => {
      await patch(transactionId, { form: { action: 'Refund' } });
      const client = await connect(service().testDatabase.ownerConnection);
      await client.query('begin');
      await client.query("update payment set payout_payment_id = 'pay_3' where attribution_id = $1", [
        ids[0],
      ]);
      const update = patch(transactionId, { form });
      expect(await Promise.race([update, sleep(200, 'waiting')])).toBe('waiting');
      await client.query('commit');
      expect((await update).status).toBe(409);
      expect(await fields('status')).toEqual(['Refund', 'Refund', 'Refund', 'Refund']);
      expect(await fields('playerId')).toEqual(['old', 'old', 'old', 'old']);
    },
  );
});

test('a payment that was removed from its payout can be reversed', async () => {
  await payOut(ids[0], { batch: randomUUID() });
  await payOut(ids[0], {});
  expect((await patch(transactionId, { form: { action: 'Refund' } })).status).toBe(200);
});
