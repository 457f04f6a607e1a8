import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';

const money = useMoney();

describe("the service's database role cannot change history", () => {
  test.each(['ledger_entry', 'refund_record', 'posting'])('%s is append-only', async (table) => {
    const { body } = await money.record(purchase());
    await money.settle();
    await money.patch(body.transaction.transactionId, { form: { action: 'Refund' } });
    const client = await connect(money.service().testDatabase.connection);
    const { rows } = await client.query(`select count(*)::int as n from ${table}`);
    expect(rows[0].n).toBeGreaterThan(0);
    const change = {
      ledger_entry: 'amount_minor = 0',
      refund_record: "action = 'Fraud'",
      posting: 'posted_at = now()',
    }[table];
    for (const statement of [`update ${table} set ${change}`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(client.query(statement), statement).rejects.toThrow('permission denied');
    }
  });

  test('constraints allow one payment entry per posting, member and currency, and one reversal', async () => {
    const insert = (kind: string, amount: number) => {
      const id = '0197a000-0000-7000-8000-000000000001';
      return sql`
        insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
        values ('none', ${id}::uuid, ${kind}, ${id}::uuid, 'USD', ${amount})`;
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

test('tables with many inserts have no foreign keys, so that inserts look up no rows', async () => {
  const keys = await money.query(sql`
    select conrelid::regclass::text as table, conname as key
    from pg_constraint
    where contype = 'f' and conrelid = any('{attribution,unposted,posting,ledger_entry,earning_rollup,group_rollup,transaction_count}'::regclass[])`);
  expect(keys).toEqual([]);
  const client = await connect(money.service().testDatabase.connection);
  await expect(client.query('delete from attribution')).rejects.toThrow('permission denied');
});
