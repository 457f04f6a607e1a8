import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';

const { service, makeGroup, earn, settle, create, payouts, query, expectSound } = useMoney();

const totals = (batchId: string) =>
  query(sql`
    select total_minor::text as total, member_count as members, row_count::text as rows
    from payout_batch
    where batch_id = ${batchId}::uuid`);
const add = async (batchId: string, amount: string, members = 1) =>
  (
    await query(sql<{ added: number }>`
      select add_to_payouts('aurora', array[${batchId}::uuid], array[${amount}::numeric],
                            array[${members}::integer], array[1::bigint]) as added`)
  )[0]?.added;

test('the totals of a payout are the sums of its steps, and nothing is added to a created payout', async () => {
  await makeGroup('totals');
  await earn('totals', 'A', 500);
  await earn('totals', 'A', 200);
  await earn('totals', 'B', 40);
  await earn('totals', 'B', 30, { currency: 'JPY' });
  await settle();
  await create('totals');
  const made = (await payouts()).filter(({ groupId }) => groupId === 'totals');
  const usd = made.find(({ currency }) => currency === 'USD')?.batchId ?? '';
  const jpy = made.find(({ currency }) => currency === 'JPY')?.batchId ?? '';
  const before = [{ total: '740', members: 2, rows: '3' }];
  expect(await totals(usd)).toEqual(before);
  expect(await totals(jpy)).toEqual([{ total: '30', members: 1, rows: '1' }]);

  expect(await add(usd, '1')).toBe(0);
  // The service's role can reset the status, but the payout already contains all its planned members.
  await query(sql`
    update payout_batch set status = 'Preparing', worked_until = now() + interval '1 hour'
    where batch_id = ${usd}::uuid`);
  expect(await add(usd, '1')).toBe(0);
  expect(await add(usd, '1', 0)).toBe(0);
  expect(await add(usd, '-1', -1)).toBe(0);
  await query(
    sql`update payout_batch set status = 'Created', worked_until = null where batch_id = ${usd}::uuid`,
  );
  expect(await totals(usd)).toEqual(before);

  // A created payout can't get new items, even if more members were planned.
  const owner = await connect(service().testDatabase.ownerConnection);
  await owner.query('update payout_batch set planned_count = 9 where batch_id = $1', [usd]);
  expect(await add(usd, '1')).toBe(0);
  expect(await totals(usd)).toEqual(before);
  await expectSound();
});

test("the function updates the table in its own schema, regardless of the caller's search path", async () => {
  const [found] = await query(
    sql<{ settings: string[] }>`select proconfig as settings from pg_proc where proname = 'add_to_payouts'`,
  );
  expect(found?.settings).toEqual(['search_path=public, pg_temp']);
});
