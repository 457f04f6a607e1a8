import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import type { Earned } from '../../test/money.ts';
import type { PayoutBatchId } from '../platform/database/tables.generated.ts';
import { pagesOfItems } from '../settlement/payouts/read/list-payout-items.ts';
import { getPayout } from '../settlement/payouts/read/read-payouts.ts';
import { readBalances } from '../settlement/read-balances.ts';

const linking = useLinking({ environment: { LINK_MISSES_PER_MINUTE: '10000' } });
const { earn, settle, create, preview, patch, query, number, db, linked, generate } = linking;
afterEach(() => linking.expectSound());

const refund = async ({ transactionId }: Earned) =>
  (await patch(transactionId, { form: { action: 'Refund' } })).status;
const balances = async (group: string): Promise<[string, bigint][]> =>
  (await readBalances(db(), 'aurora'))
    .filter(({ groupId }) => groupId === group)
    .map(({ memberId, balanceMinor }) => [memberId, balanceMinor]);
const owed = async (group: string): Promise<bigint> =>
  (await balances(group)).reduce((sum, [, amount]) => sum + amount, 0n);
const payable = async (group: string) =>
  (await preview(group)).payables.map(
    ({ memberId, playerId, rowCount, paymentsMinor, adjustmentsMinor, amountMinor }) => [
      memberId,
      playerId,
      rowCount,
      paymentsMinor,
      adjustmentsMinor,
      amountMinor,
    ],
  );
const items = async (batchId: string) =>
  (await Array.fromAsync(pagesOfItems(db(), 'aurora', batchId as PayoutBatchId)))
    .flat()
    .map(({ memberId, playerId, amountMinor }) => [memberId, playerId, amountMinor])
    .sort();
const readAll = () =>
  Promise.all(
    [
      sql`select * from unposted order by recording_id`,
      sql`select * from posting order by posting_id`,
      sql`select * from ledger_entry order by subject_id, kind, membership_id, currency`,
      sql`select * from payment order by attribution_id`,
      sql`select * from payout_batch order by batch_id`,
      sql`select * from payout_item order by item_id`,
      sql`select * from clawback order by attribution_id`,
      sql`select * from refund_record order by refund_id`,
      sql`select * from member_balance order by membership_id, currency`,
      sql`select * from earning_rollup order by day, membership_id, code, currency`,
      sql`select * from group_rollup order by group_id, day, currency`,
      sql`select * from transaction_count order by group_id, hour`,
      sql`select * from credited_code order by group_id, code_folded, membership_id`,
      sql`select * from attribution order by attribution_id`,
    ].map((table) => query(table)),
  );

/** Creates an unclaimed member with a generated code, and the creator who will claim that member. */
async function people(group: string, isMember: boolean) {
  await linking.makeEmptyGroup(group);
  const code = await generate(group, `p-${group}`);
  const name = `C-${group}`;
  const claimer = isMember ? await linking.makeMember(group, name) : await linking.makeOutsider(name);
  const [made] = await query(sql<{ account_id: string }>`
    select account_id from membership where group_id = ${group} and player_id = ${`p-${group}`}`);
  return { code, name, claimer, unclaimed: made?.account_id ?? '' };
}

async function history(group: string, code: string) {
  const of = (amount: number) => earn(group, 'A', amount, { code });
  const clawed = await of(40);
  const paid = await of(300);
  await settle();
  const [batch] = await create(group);
  await linking.markPaid(batch?.batchId ?? '');
  await linking.clawBack(clawed.id, 'Fraud');
  return { clawed, paid };
}

test("each of a member's memberships is paid from its own mark, and late rows of a merged one are in the next payout", async () => {
  const group = 'marks';
  const { code, name, claimer } = await people(group, true);
  await earn(group, 'A', 50, { code });
  await earn(group, 'A', 600, { code: name, transactionDate: '2024-06-01T00:00:00Z' });
  await settle();
  await earn(group, 'A', 7, { code, transactionDate: '2023-01-01T00:00:00Z' });
  await linked(group, claimer, `p-${group}`);
  const paid = async () =>
    (await create(group)).map(({ totalMinor, memberCount }) => [totalMinor, memberCount]);
  expect(await paid()).toEqual([[650n, 1]]);
  await settle();
  const [late] = await create(group);
  expect(late).toMatchObject({ totalMinor: 7n, memberCount: 1 });
  await linking.cancel(late?.batchId ?? '');
  expect(await paid()).toEqual([[7n, 1]]);
  expect(await paid()).toEqual([]);
});

describe.each([
  ['moves', false],
  ['merges', true],
])('when a claimed membership %s', (what, isMember) => {
  test('all balances and unpaid amounts stay the same, and no history changes', async () => {
    const group = `all-${what}`;
    const { code, name, claimer, unclaimed } = await people(group, isMember);
    const codes = isMember ? [code, name] : [code];
    const rows = [];
    for (const each of codes) rows.push(await history(group, each));
    for (const each of codes) await earn(group, 'A', 70, { code: each });
    await settle();
    const [open] = await create(group);
    const posted: Earned[] = [];
    for (const each of codes) {
      posted.push(await earn(group, 'A', 500, { code: each }));
      const refunded = await earn(group, 'A', 13, { code: each });
      await settle();
      expect(await refund(refunded)).toBe(200);
    }
    const waiting: Earned[] = [];
    for (const each of codes) waiting.push(await earn(group, 'A', 11, { code: each }));
    const before = await readAll();
    const owedBefore = await owed(group);
    const perMember = isMember ? 2n : 1n;
    expect(owedBefore).toBe(500n * perMember);
    expect(await items(open?.batchId ?? '')).toHaveLength(codes.length);

    await linked(group, claimer, `p-${group}`);

    expect(await readAll()).toEqual(before);
    await linking.expectSound();
    expect(await balances(group)).toEqual([[claimer, owedBefore]]);
    expect(await payable(group)).toEqual([
      [claimer, `p-${group}`, codes.length, 500n * perMember, 0n, 500n * perMember],
    ]);
    // The open payout keeps its amounts and shows the claiming account.
    expect(await items(open?.batchId ?? '')).toEqual(codes.map(() => [claimer, `p-${group}`, 30n]));
    await linking.markPaid(open?.batchId ?? '');
    await linking.expectSound();

    // Unposted rows are posted, and refunds reduce the balances of the members who earned them.
    await settle();
    expect(await owed(group)).toBe(511n * perMember);
    for (const each of waiting) expect(await refund(each)).toBe(200);
    expect(await owed(group)).toBe(500n * perMember);
    await linking.expectSound();

    // Clawbacks of earlier payments are deducted from the next payout.
    for (const { paid } of rows) await linking.clawBack(paid.id, 'Chargeback');
    expect(await balances(group)).toEqual([[claimer, 200n * perMember]]);
    const [batch, ...others] = await create(group);
    expect(others).toEqual([]);
    expect(batch).toMatchObject({ memberCount: 1, rowCount: codes.length, totalMinor: 200n * perMember });
    expect(await items(batch?.batchId ?? '')).toEqual([[claimer, `p-${group}`, 200n * perMember]]);
    expect(await balances(group)).toEqual([[claimer, 0n]]);
    for (const each of posted) expect(await refund(each), 'all its rows are assigned').toBe(409);
    await linking.expectSound();

    await linking.cancel(batch?.batchId ?? '');
    expect(await balances(group)).toEqual([[claimer, 200n * perMember]]);
    expect(await payable(group)).toEqual([
      [claimer, `p-${group}`, codes.length, 500n * perMember, -300n * perMember, 200n * perMember],
    ]);
    expect(await refund(posted[0] as Earned)).toBe(200);
    expect(await owed(group)).toBe(200n * perMember - 500n);
    expect(unclaimed).toMatch(/^gen_/);
  });

  test('an earlier payout can still be canceled', async () => {
    const group = `cancel-${what}`;
    const { code, name, claimer } = await people(group, isMember);
    await earn(group, 'A', 70, { code });
    if (isMember) await earn(group, 'A', 30, { code: name });
    await settle();
    const [batch] = await create(group);
    await linked(group, claimer, `p-${group}`);
    expect(await owed(group)).toBe(0n);
    await linking.cancel(batch?.batchId ?? '');
    const total = isMember ? 100n : 70n;
    expect(await balances(group)).toEqual([[claimer, total]]);
    const [again] = await create(group);
    expect(again).toMatchObject({ totalMinor: total, memberCount: 1 });
    expect(await getPayout(db(), 'aurora', again?.batchId ?? '')).toMatchObject({ totalMinor: total });
  });

  test('an earlier preview can be paid exactly, to the claimer', async () => {
    const group = `asof-${what}`;
    const { code, name, claimer } = await people(group, isMember);
    await earn(group, 'A', 70, { code });
    if (isMember) await earn(group, 'A', 30, { code: name });
    await settle();
    const { asOf, payables } = await preview(group);
    await earn(group, 'A', 1_000, { code });
    await settle();
    await linked(group, claimer, `p-${group}`);
    const [batch] = await create(group, asOf);
    expect(batch?.totalMinor).toBe(payables.reduce((sum, { amountMinor }) => sum + amountMinor, 0n));
    // There is one item per member, as in the preview. Merged members have separate items under the claiming
    // account.
    expect(await items(batch?.batchId ?? '')).toEqual(
      payables.map(({ amountMinor }) => [claimer, `p-${group}`, amountMinor]).sort(),
    );
  });

  test('an earlier preview can be paid exactly even if the members only reach the minimum together', async () => {
    const group = `least-${what}`;
    const { code, name, claimer } = await people(group, isMember);
    await linking.provisionGroup(group, 'payoutMinimums: { USD: 50 }');
    await earn(group, 'A', 70, { code });
    if (isMember) await earn(group, 'A', 30, { code: name });
    await settle();
    const { asOf, payables } = await preview(group);
    expect(payables.filter(({ isDue }) => isDue).map(({ amountMinor }) => amountMinor)).toEqual([70n]);
    await linked(group, claimer, `p-${group}`);
    expect(
      (await preview(group, asOf)).payables.map(({ isDue, amountMinor }) => [isDue, amountMinor]),
    ).toEqual(payables.map(({ isDue, amountMinor }) => [isDue, amountMinor]));
    expect(await create(group, asOf)).toMatchObject([{ totalMinor: 70n, rowCount: 1, memberCount: 1 }]);
    expect(await owed(group)).toBe(isMember ? 30n : 0n);
  });
});

describe('for a member with merged memberships', () => {
  test('the minimum applies to the sum', async () => {
    const group = 'minimum';
    const { code, name, claimer } = await people(group, true);
    await linking.provisionGroup(group, 'payoutMinimums: { USD: 100 }');
    await earn(group, 'A', 60, { code });
    await earn(group, 'A', 60, { code: name });
    await settle();
    expect(await create(group)).toEqual([]);
    await linked(group, claimer, `p-${group}`);
    expect(await create(group)).toMatchObject([{ totalMinor: 120n, memberCount: 1, rowCount: 2 }]);
  });

  test("a clawback of one membership is deducted from another's earnings", async () => {
    const group = 'lessens';
    const { code, name, claimer } = await people(group, true);
    const { paid } = await history(group, code);
    await linking.clawBack(paid.id, 'Refund'); // the member owes 340
    await earn(group, 'A', 400, { code: name });
    await settle();
    expect(await balances(group)).toEqual(expect.arrayContaining([[claimer, 400n]]));
    await linked(group, claimer, `p-${group}`);
    expect(await balances(group)).toEqual([[claimer, 60n]]);
    const [batch] = await create(group);
    expect(batch).toMatchObject({ totalMinor: 60n, rowCount: 1 });
    expect(await items(batch?.batchId ?? '')).toEqual([[claimer, `p-${group}`, 60n]]);
  });

  test('a payout works without earnings under its own membership', async () => {
    const group = 'nothing-own';
    const { code, claimer } = await people(group, true);
    await earn(group, 'A', 90, { code });
    await earn(group, 'A', 7, { code, currency: 'JPY' });
    await settle();
    await linked(group, claimer, `p-${group}`);
    const batches = await create(group);
    expect(batches.map(({ currency, totalMinor }) => [currency, totalMinor])).toEqual([
      ['JPY', 7n],
      ['USD', 90n],
    ]);
    expect(await balances(group)).toEqual([
      [claimer, 0n],
      [claimer, 0n],
    ]);
    for (const { batchId } of batches) await linking.cancel(batchId);
    expect((await balances(group)).map(([, amount]) => amount)).toEqual([7n, 90n]);
  });
});

test('concurrent links, postings, payouts, refunds and purchases neither deadlock nor lose money', async () => {
  const deadlocks = sql<{
    n: bigint;
  }>`select deadlocks as n from pg_stat_database where datname = current_database()`;
  for (let round = 0; round < 10; round += 1) {
    const group = `race-${round}`;
    const { code, name, claimer } = await people(group, round % 3 !== 0);
    const codes = round % 3 === 0 ? [code] : [code, name];
    const rows: Earned[] = [];
    for (const each of codes)
      for (const amount of [100, 20, 3]) rows.push(await earn(group, 'A', amount, { code: each }));
    if (round % 2) await settle();
    const authCode = await linking.authCode(claimer);
    const [answer] = await Promise.all([
      linking.link(group, { playerId: `p-${group}`, authCode }),
      ...codes.flatMap((each) => [1_000, 2_000].map((amount) => earn(group, 'A', amount, { code: each }))),
      settle(),
      settle(),
      create(group).then((batches) =>
        Promise.all(
          batches.map(({ batchId }) => (round % 2 ? linking.cancel(batchId) : linking.markPaid(batchId))),
        ),
      ),
      create(group),
      ...rows.slice(0, 2).map((row) => refund(row)),
      linking.provisionGroup(group, `members: [ { id: ${claimer}, visible: true } ]`).catch(() => undefined),
    ]);
    expect(answer.status).toBe(200);
    await settle();
    await linking.expectSound();
    expect((await balances(group)).map(([member]) => member)).toEqual([claimer]);
    const made = await create(group);
    expect(await owed(group), 'everything owed can be paid').toBe(0n);
    for (const { batchId } of made) expect(await items(batchId)).toHaveLength(1);
    const open = await query(sql<{ batch_id: string }>`
      select batch_id from payout_batch where group_id = ${group} and status = 'Created'`);
    for (const { batch_id } of open) await linking.markPaid(batch_id);
    const paid = await number(sql`
      select sum(total_minor) as n from payout_batch where group_id = ${group} and status = 'Paid'`);
    const earned = await number(sql`
      select sum(share_minor) as n from attribution where group_id = ${group} and status = 'Normal'`);
    expect(paid).toBe(earned);
  }
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // connections report deadlocks when they are idle
  expect(await number(deadlocks)).toBe(0n);
});
