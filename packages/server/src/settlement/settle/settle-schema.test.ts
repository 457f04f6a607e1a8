import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../../test/database-url.ts';
import { purchase } from '../../../test/fixtures.ts';
import { settleAll, useMoney } from '../../../test/money.ts';
import { migrateUpTo } from '../../../test/older-schema.ts';
import { connect } from '../../../test/test-database.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { prepareDatabase } from '../../platform/database/schema/prepare-database.ts';
import { newRowId } from '../../platform/ids.ts';
import { verifyLedger } from '../verify/verify-ledger.ts';

const money = useMoney();

describe("the service's role cannot change what happened", () => {
  test.each(['ledger_entry', 'refund_record'])('%s is append-only', async (table) => {
    const { body } = await money.record(purchase());
    await money.settle();
    await money.patch(body.transaction.transactionId, { form: { action: 'Refund' } });
    const client = await connect(money.service().testDatabase.connection);
    const { rows } = await client.query(`select count(*)::int as n from ${table}`);
    expect(rows[0].n).toBeGreaterThan(0);
    const change = table === 'ledger_entry' ? 'amount_minor = 0' : "action = 'Fraud'";
    for (const statement of [`update ${table} set ${change}`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(client.query(statement), statement).rejects.toThrow('permission denied');
    }
  });

  test('a row has one payment entry, and its money goes back once, whatever the code does', async () => {
    const insert = (kind: string, amount: number) => {
      const id = '0197a000-0000-7000-8000-000000000001';
      return sql`
        insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
        values ('nobody', ${id}::uuid, ${kind}, ${id}::uuid, 'USD', ${amount})`;
    };
    await expect(
      money
        .db()
        .transaction()
        .execute(async (tx) => {
          await insert('payment', 5).execute(tx);
          await insert('refund', -5).execute(tx);
          await insert('adjustment', -5).execute(tx);
        }),
    ).rejects.toThrow('ledger_entry_one_reversal');
    await expect(
      money
        .db()
        .transaction()
        .execute(async (tx) => {
          await insert('payment', 5).execute(tx);
          await insert('payment', 5).execute(tx);
        }),
    ).rejects.toThrow('ledger_entry_pkey');
    for (const [kind, amount] of [
      ['payment', -1],
      ['refund', 1],
      ['payout', 1],
    ] as const)
      await expect(insert(kind, amount).execute(money.db())).rejects.toThrow('check');
  });
});

test('purchases recorded before there was a settlement are settled after the migration', async () => {
  const empty = await createEmptyDatabase();
  onTestFinished(empty.drop);
  const { connection, ownerConnection } = empty;
  await migrateUpTo(ownerConnection, '0003');
  const client = new pg.Client(ownerConnection);
  await client.connect();
  const add = async (count: number, status: string): Promise<string[]> => {
    const ids = Array.from({ length: count }, newRowId);
    await client.query(
      `insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code,
         description, status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
         group_share_millionths)
       select 'old', id, id::text, 0, 'main', '0197a000-0000-7000-8000-00000000000a', 'OLA', 'x', $2, $2 = 'Test', 'api',
              1000, 'USD', 1000, 'USD', '2026-01-01T00:00:00Z', 100000
       from unnest($1::uuid[]) as id`,
      [ids, status],
    );
    return ids;
  };
  await client.query(`
    insert into publisher (publisher_id, name) values ('old', 'Old');
    insert into creator_group (publisher_id, group_id, name, share_millionths) values ('old', 'main', 'Main', 100000);
    insert into creator_account (account_id, name) values ('acc_ola', 'Ola');
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    values ('old', '0197a000-0000-7000-8000-00000000000a', 'main', 'acc_ola', 'Approved')`);
  const [refunded] = await add(2_500, 'Normal');
  await add(10, 'Test');
  await client.query("insert into payment (publisher_id, attribution_id) values ('old', $1)", [refunded]);
  await client.query(
    `insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money, created_at)
     values ('old', gen_random_uuid(), $1, 'Refund', true, '2026-02-01T00:00:00Z')`,
    [refunded],
  );
  expect((await prepareDatabase(empty)).length).toBeGreaterThan(0);
  const queue = await client.query('select cardinality(attribution_ids) as size from unsettled');
  expect(queue.rows.map(({ size }) => size).every((size) => size <= 1_000)).toBe(true);
  await client.end();

  const database = openDatabase({ connection, poolSize: 2, recordLanes: 1, applicationName: 'test' });
  onTestFinished(() => database.close());
  expect(await settleAll(database.db)).toBe(2_500);
  const { rows } = await sql`select balance_minor::int as balance from member_balance`.execute(database.db);
  expect(rows).toEqual([{ balance: 2_499 * 100 }]);
  expect(await verifyLedger(database.db)).toMatchObject({ isSound: true });
});

test('settling checks no row of attribution for each payment: no key leads there', async () => {
  const keys = sql<{ n: bigint }>`
    select count(*) as n
    from pg_constraint
    where contype = 'f' and conrelid = 'payment'::regclass and confrelid = 'attribution'::regclass`;
  expect(await money.number(keys)).toBe(0n);
  const client = await connect(money.service().testDatabase.connection);
  await expect(client.query('delete from attribution')).rejects.toThrow('permission denied');
});
