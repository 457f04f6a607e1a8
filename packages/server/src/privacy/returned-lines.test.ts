import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { operations } from '../../test/money.ts';
import { testSealer } from '../../test/sealer.ts';
import { testActor } from '../../test/test-actor.ts';
import { systemClock } from '../platform/clock.ts';
import { toAccountId } from '../platform/ids.ts';
import type { LineResult } from '../settlement/payouts/results/result.ts';
import { verifyLedger } from '../settlement/verify/verify-ledger.ts';
import { eraseCreator } from './erase-creator.ts';

const at = useLinking();
const { makeGroup, earn, settle, create, markPaid, balance, query, db } = at;

afterEach(async () => {
  await at.expectSound();
  expect(await verifyLedger(db())).toMatchObject({ isSound: true });
});

const linesOf = (payoutId: string) =>
  query(sql<{ reference: string }>`
    select reference from payout_item where batch_id = ${payoutId}::uuid order by reference`).then((rows) =>
    rows.map(({ reference }) => reference),
  );

/** Sets results as a file with these lines does. @returns the verdict of each line */
async function set(payoutId: string, lines: readonly (readonly [string, LineResult])[]): Promise<string[]> {
  const { verdicts } = await operations.setResults(db(), testActor, {
    ...{ publisherId: 'aurora', payoutId, isDryRun: false },
    results: lines.map(([reference, result], index) => ({
      ...{ line: index + 1, reference, result, note: null, problem: null },
    })),
  });
  return verdicts.map(({ verdict }) => verdict);
}

const returns = async () =>
  query(sql<{ group_id: string; amount: string }>`
    select group_id, sum(amount_minor)::text as amount from payout_return group by 1 order by 1`);

test('a file that is imported twice, the second time in another order, changes nothing the second time', async () => {
  await makeGroup('twice');
  await earn('twice', 'A', 7_000);
  await earn('twice', 'B', 500);
  await settle();
  const [batch] = await create('twice');
  const payoutId = batch?.batchId ?? '';
  const [a = '', b = ''] = await linesOf(payoutId);
  const unknown = '9999-00001';
  expect(
    await set(payoutId, [
      [a, 'Paid'],
      [unknown, 'Failed'],
      [b, 'Failed'],
    ]),
  ).toEqual(['change', 'unknown', 'change']);
  const before = await returns();
  expect(
    await set(payoutId, [
      [b, 'Failed'],
      [a, 'Paid'],
      [unknown, 'Failed'],
    ]),
  ).toEqual(['unchanged', 'unchanged', 'unknown']);
  expect(await returns()).toEqual(before);
  expect(await balance('M-B', 'USD', 'twice')).toBe(500n);
});

test('a line that comes back after its member was claimed is owed to the creator who claimed the member', async () => {
  await makeGroup('claimed-line');
  const code = await at.generate('claimed-line', 'p-claimed-line');
  const creator = await at.makeMember('claimed-line', 'CLAIMER');
  await earn('claimed-line', 'A', 4_000, { code });
  await settle();
  const [batch] = await create('claimed-line');
  const payoutId = batch?.batchId ?? '';
  await markPaid(payoutId);
  await at.linked('claimed-line', creator, 'p-claimed-line');
  const [line = ''] = await linesOf(payoutId);
  expect(await set(payoutId, [[line, 'Returned']])).toEqual(['change']);
  expect(await verifyLedger(db())).toMatchObject({ isSound: true });
  const [next] = await create('claimed-line');
  expect(next).toMatchObject({ totalMinor: 4_000n, memberCount: 1 });
  expect(
    await query(sql`
      select m.account_id as id
      from payout_item i
      join membership m on m.publisher_id = 'aurora' and m.membership_id = i.membership_id
      where i.publisher_id = 'aurora' and i.batch_id = ${next?.batchId ?? ''}::uuid`),
  ).toEqual([{ id: creator }]);
});

test.each([
  ['kept', false],
  ['replaced', true],
])(
  'a line that comes back after its creator was erased is owed again, with the codes %s',
  async (name, replacesCodes) => {
    const group = `erased-${name}`;
    await makeGroup(group);
    await earn(group, 'A', 6_000);
    await settle();
    const [batch] = await create(group);
    const payoutId = batch?.batchId ?? '';
    await markPaid(payoutId);
    await eraseCreator({ db: db(), sealer: testSealer, clock: systemClock }, testActor, {
      ...{ accountId: toAccountId(`acc_${group}_A`), replacesCodes, givenUp: [], reason: null },
    });
    const [line = ''] = await linesOf(payoutId);
    expect(await set(payoutId, [[line, 'Returned']])).toEqual(['change']);
    expect((await returns()).find(({ group_id }) => group_id === group)).toMatchObject({ amount: '6000' });
    const [owed] = await query(sql<{ n: string }>`
    select b.balance_minor::text as n
    from member_balance b
    join membership m on m.publisher_id = b.publisher_id and m.membership_id = b.membership_id
    where b.publisher_id = 'aurora' and m.account_id = ${`acc_${group}_A`}`);
    expect(owed?.n).toBe('6000');
  },
);
