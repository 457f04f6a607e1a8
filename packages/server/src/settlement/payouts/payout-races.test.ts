import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type Earned, killWaiting, useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';

const money = useMoney();
const { makeGroup, earn, settle, create, patch, query, number } = money;
afterEach(() => money.expectSound());

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const earnMany = (group: string, count: number): Promise<Earned[]> =>
  Promise.all(times(count, (index) => earn(group, index % 2 ? 'A' : 'B', 10 + index)));
const assignedIn = async (group: string): Promise<Set<string>> => {
  const rows = await query(sql<{ id: string }>`
    select attribution_id as id from payment where group_id = ${group} and payout_batch_id is not null`);
  return new Set(rows.map(({ id }) => id));
};

test('a refund during the creation of a payout either comes first, or is rejected with 409 and the row is paid', async () => {
  await makeGroup('race');
  let inTime = 0;
  let late = 0;
  // The last creation's duration. Late refunds are spread over it and the time after it, however fast the machine is.
  let creationMs = 50;
  for (let round = 0; round < 12; round += 1) {
    const rows = await earnMany('race', 16);
    await settle();
    const before = await assignedIn('race');
    const refunded = rows.filter((_, index) => index % 4 !== 3);
    const isLate = round % 2 === 1;
    const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const [batches, ...answers] = await Promise.all([
      after(isLate ? 0 : round * 2).then(async () => {
        const startedAt = performance.now();
        const created = await create('race');
        creationMs = performance.now() - startedAt;
        return created;
      }),
      ...refunded.map(async ({ transactionId }, index) => {
        await after(isLate ? ((index + 1) / refunded.length) * 1.5 * creationMs : 0);
        return patch(transactionId, { form: { action: 'Refund' } });
      }),
    ]);
    const assigned = await assignedIn('race');
    for (const [index, { status }] of answers.entries()) {
      const isAssigned = assigned.has(refunded[index]?.id ?? '');
      expect([status, isAssigned]).toEqual(isAssigned ? [409, true] : [200, false]);
      if (isAssigned) late += 1;
      else inTime += 1;
    }
    expect(batches).toHaveLength(1);
    expect(assigned.size - before.size).toBe(batches[0]?.rowCount);
    expect(
      await number(
        sql`select sum(share_minor) as n from payment where payout_batch_id = ${batches[0]?.batchId}::uuid`,
      ),
    ).toBe(batches[0]?.totalMinor);
    await money.expectSound();
  }
  expect(inTime, 'some refunds came first').toBeGreaterThan(0);
  expect(late, 'and some came after the payout').toBeGreaterThan(0);
});

test('concurrent payouts never pay a row twice', async () => {
  await makeGroup('twice');
  for (let round = 0; round < 5; round += 1) {
    const rows = await earnMany('twice', 10);
    await settle();
    const made = (await Promise.all(times(4, () => create('twice')))).flat();
    expect(made).toHaveLength(1);
    expect(made[0]?.rowCount).toBe(rows.length);
  }
});

test('payouts of several groups at once get different numbers and references', async () => {
  const groups = ['many-a', 'many-b', 'many-c', 'many-d'];
  for (const group of groups) {
    await makeGroup(group);
    await earn(group, 'A', 5);
    await earn(group, 'B', 5, { currency: 'EUR' });
  }
  await settle();
  const made = (await Promise.all(groups.map((group) => create(group)))).flat();
  const numbers = await query<{ number: bigint }>(sql`
    select number from payout_batch where batch_id = any(${made.map(({ batchId }) => batchId)}::uuid[])`);
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(8);
  expect(await number(sql`select count(*) from payout_item where reference !~ '^[0-9]{4}-0000[1-9]$'`)).toBe(
    0n,
  );
});

test('all balances verify after concurrent payouts, cancellations, postings and refunds', async () => {
  await makeGroup('all');
  for (let round = 0; round < 8; round += 1) {
    const rows = await earnMany('all', 12);
    await Promise.all([
      settle(),
      settle(),
      create('all').then((batches) =>
        Promise.all(
          batches.map(({ batchId }, index) =>
            (index + round) % 2 ? money.markPaid(batchId) : money.cancel(batchId),
          ),
        ),
      ),
      create('all').then((batches) => Promise.all(batches.map(({ batchId }) => money.cancel(batchId)))),
      ...rows
        .slice(0, 4)
        .map(({ transactionId }) => patch(transactionId, { form: { action: 'Chargeback' } })),
    ]);
    await money.expectSound();
  }
});

test.each([
  ['before a row is assigned', 'select from membership for update'],
  ['when balances are written', 'select from member_balance for update'],
])('a payout whose connection dies %s is undone', async (_when, lock) => {
  const group = lock.includes('balance') ? 'dies-late' : 'dies-early';
  await makeGroup(group);
  await earnMany(group, 6);
  await settle();
  const client = await connect(money.service().testDatabase.connection);
  await client.query('begin');
  await client.query(lock);
  const crashed = expect(create(group)).rejects.toThrow();
  await killWaiting(money.db());
  await crashed;
  await client.query('rollback');
  expect((await assignedIn(group)).size).toBe(0);
  expect(
    await query(
      sql`select status, was_undone, total_minor::int as total from payout_batch where group_id = ${group}`,
    ),
  ).toEqual([{ status: 'Cancelled', was_undone: true, total: 0 }]);
  expect(await create(group)).toMatchObject([{ rowCount: 6 }]);
});
