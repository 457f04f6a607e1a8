import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { entriesOf } from '../../../test/audit.ts';
import { useBounties } from '../../../test/bounties.ts';
import { purchase } from '../../../test/fixtures.ts';
import { transactionPath } from '../../../test/transactions.ts';

const money = useBounties();
const { service, keys, record, patch, get, list, makeGroup, earn, settle, preview, create, balance, query } =
  money;
afterEach(() => money.expectSound());

const refundsPath = (transactionId: string) => `${transactionPath(transactionId)}/refunds`;

let refunds = 0;
const refund = (transactionId: string, changes: Record<string, unknown> = {}, key = keys().backend) => {
  refunds += 1;
  return money.refund(transactionId, { refundId: `re_${refunds}`, reason: 'Refund', ...changes }, { key });
};
const listed = async (transactionId: string) =>
  (await service().call('GET', refundsPath(transactionId), { key: keys().backend })).body;

let groups = 0;
/** Creates a group, and a purchase in it. Member A gets `percent` of it. */
async function bought(subtotal: number, percent: number, isPosted = true) {
  groups += 1;
  const group = `parts-${groups}`;
  await makeGroup(group);
  const row = await earn(group, 'A', subtotal, { memberSharePercent: percent });
  if (isPosted) await settle();
  return { group, ...row };
}
const due = async (group: string, asOf: Date | null = null) =>
  (await preview(group, asOf)).payables.map(({ name, amountMinor }) => [name, amountMinor]);
const meta = async (transactionId: string) =>
  (await get(transactionId, { query: '?include=meta' })).body.map(
    ({ transaction: { status, refundedAmount } }: { transaction: Record<string, unknown> }) => [
      status,
      refundedAmount,
    ],
  );
const rollup = async (group: string) =>
  query(sql`
    select reversed_count::integer as count, reversed_gross_minor::integer as gross, reversed_share_minor::integer as share
    from group_rollup where publisher_id = 'aurora' and group_id = ${group}`);

describe('a partial refund', () => {
  test('takes back the same part of the share; all parts together take back the share to the cent', async () => {
    const { group, id, transactionId } = await bought(1_000, 33.3333); // a share of 333
    const { status, body } = await refund(transactionId, { amount: 100, occurredAt: '2026-05-03T09:30:00Z' });
    expect([status, body]).toEqual([
      200,
      {
        refundId: `re_${refunds}`,
        transactionId,
        source: 'Refund',
        reason: 'Refund',
        amount: 100,
        currency: 'USD',
        occurredAt: '2026-05-03T09:30:00.000Z',
        createdAt: expect.any(String),
        rows: [{ id, amount: 100, currency: 'USD', memberShareAmount: 33 }],
      },
    ]);
    expect(await meta(transactionId)).toEqual([['Normal', 100]]);
    expect(await balance('A', 'USD', group)).toBe(300n);
    expect(await due(group)).toEqual([['A', 300n]]);
    expect(await rollup(group)).toEqual([{ count: 0, gross: 100, share: 33 }]);
    for (const amount of [1, 1, 1]) await refund(transactionId, { amount });
    expect(await balance('A', 'USD', group)).toBe(333n - 34n); // 103 of 1,000 is 34.299
    const last = await refund(transactionId, { reason: 'Chargeback' });
    expect(last.body.rows).toEqual([{ id, amount: 897, currency: 'USD', memberShareAmount: 299 }]);
    expect(await meta(transactionId)).toEqual([['Chargeback', 1_000]]);
    expect(await balance('A', 'USD', group)).toBe(0n);
    expect(await rollup(group)).toEqual([{ count: 1, gross: 1_000, share: 333 }]);
    expect((await listed(transactionId)).map(({ amount }: { amount: number }) => amount)).toEqual([
      100, 1, 1, 1, 897,
    ]);
  });

  test('of a row that is not posted yet counts once the row is posted', async () => {
    const { group, transactionId } = await bought(1_000, 50, false);
    expect((await refund(transactionId, { amount: 300 })).status).toBe(200);
    const whole = await earn(group, 'B', 10);
    await refund(whole.transactionId, { amount: 4 });
    await refund(whole.transactionId);
    await settle();
    expect([await balance('A', 'USD', group), await balance('B', 'USD', group)]).toEqual([350n, 0n]);
    expect(await rollup(group)).toEqual([{ count: 1, gross: 310, share: 160 }]);
  });

  test('is spread over the rows of a split by what is left, or as the request says', async () => {
    await makeGroup('split');
    const sent = purchase({ memberSharePercent: 10, transactionDate: '2024-05-01T12:00:00Z' });
    const answer = await record(
      [
        { ...sent, code: 'M-A', subtotal: 1_000 },
        { ...sent, code: 'M-B', subtotal: 500 },
        { ...sent, code: 'M-B', subtotal: 1 },
      ],
      { query: '?groupId=split' },
    );
    const [one, two, three] = answer.body.map(
      ({ transaction }: { transaction: { id: string } }) => transaction.id,
    );
    await settle();
    const amounts = ({ body }: { body: { rows: { id: string; amount: number }[] } }) =>
      body.rows.map(({ id, amount }) => [id, amount]);
    const { transactionId } = sent;
    expect(amounts(await refund(transactionId, { amount: 100 }))).toEqual([
      [one, 67],
      [two, 33],
    ]);
    const named = { rows: [{ id: three }, { id: one, amount: 3 }] };
    expect(amounts(await refund(transactionId, named))).toEqual([
      [one, 3],
      [three, 1],
    ]);
    expect((await refund(transactionId, { ...named, amount: 5 })).status).toBe(400);
    expect((await refund(transactionId, { rows: [{ id: three, amount: 1 }] })).status).toBe(400);
    expect((await refund(transactionId, { rows: [{ id: one }, { id: one }] })).status).toBe(400);
    expect((await refund(transactionId, { rows: [{ id: 'x' }] })).status).toBe(400);
    expect(await meta(transactionId)).toEqual([
      ['Normal', 70],
      ['Normal', 33],
      ['Refund', 1],
    ]);
    expect((await patch(transactionId, { form: { action: 'Fraud' } })).status).toBe(200);
    expect(
      (await listed(transactionId)).map((each: { source: string; rows: { amount: number }[] }) => [
        each.source,
        each.rows.map(({ amount: part }) => part),
      ]),
    ).toEqual([
      ['Refund', [67, 33]],
      ['Refund', [3, 1]],
      ['StatusChange', [930, 467, 0]],
    ]);
    expect(await balance('A', 'USD', 'split')).toBe(0n);
  });

  test('is rejected as a whole if more than what is left, and for bad input', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, { amount: 900 });
    for (const changes of [
      { amount: 101 },
      { amount: 0 },
      { amount: 1.5 },
      { ammount: 5 },
      { refundId: '' },
      { refundId: 'x\u0000' },
      { reason: 'Other' },
      { rows: [] },
      { occurredAt: 'yesterday' },
    ])
      expect([changes, (await refund(transactionId, changes)).status]).toEqual([changes, 400]);
    expect((await refund('unknown', { amount: 1 })).status).toBe(404);
    expect((await refund(transactionId, { amount: 1 }, keys().client)).status).toBe(403);
    expect((await service().call('GET', refundsPath('unknown'), { key: keys().backend })).status).toBe(404);
    expect(await balance('A', 'USD', group)).toBe(10n);
    await refund(transactionId);
    expect((await refund(transactionId)).status).toBe(400);
  });

  test('of Test rows is rejected', async () => {
    const sent = purchase({ status: 'Test' });
    await record(sent);
    expect((await refund(sent.transactionId, { amount: 1 })).status).toBe(409);
    expect(await listed(sent.transactionId)).toEqual([]);
  });

  test('is audited', async () => {
    const { id, transactionId } = await bought(1_000, 10);
    expect(await entriesOf(money.db(), () => refund(transactionId, { amount: 250 }))).toMatchObject([
      { action: 'transaction.refund-part', after: { status: 'Refund', amounts: '250 USD', rows: [id] } },
    ]);
  });
});

describe('bugs that other services had', () => {
  test('the running sum is not taken for one part (akash console#2438)', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    for (const amount of [300, 300]) await refund(transactionId, { amount });
    expect(await balance('A', 'USD', group)).toBe(40n);
  });

  test('a part does not take back the whole payment, not even at a retry (opencode#28398)', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    const first = await refund(transactionId, { refundId: 'again', amount: 100 });
    const again = await refund(transactionId, { refundId: 'again', amount: 100 });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await refund(transactionId, { refundId: 'again', amount: 200 })).status).toBe(409);
    expect((await refund(transactionId, { refundId: 'again', amount: 100, reason: 'Fraud' })).status).toBe(
      409,
    );
    expect(await balance('A', 'USD', group)).toBe(90n);
    await refund(transactionId, { refundId: 'rest' });
    expect((await refund(transactionId, { refundId: 'again', amount: 100 })).body).toEqual(first.body);
  });

  test('parts are not dropped because only the amount of the purchase matches (gumroad#5695)', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    for (const amount of [999, 1]) expect((await refund(transactionId, { amount })).status).toBe(200);
    expect(await balance('A', 'USD', group)).toBe(0n);
  });

  test('one refund that is sent three times at once is recorded once (gumroad#6193, woocommerce-gateway-stripe#838)', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => refund(transactionId, { refundId: 'thrice', amount: 400 })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balance('A', 'USD', group)).toBe(60n);
  });

  test('different refunds at once never take back more than the purchase', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => refund(transactionId, { amount: 400 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
    expect(await balance('A', 'USD', group)).toBe(20n);
  });
});

describe('payouts', () => {
  test('pay what is left, after which refunds are rejected and only what was paid is clawed back', async () => {
    const { group, id, transactionId } = await bought(1_000, 10);
    await refund(transactionId, { amount: 400 });
    const [payout] = await create(group);
    expect(payout).toMatchObject({ totalMinor: 60n, rowCount: 1 });
    expect((await refund(transactionId, { amount: 1 })).status).toBe(409);
    await money.expectSound();
    await money.markPaid(payout?.batchId ?? '');
    await money.clawBack(id, 'Fraud');
    expect(await balance('A', 'USD', group)).toBe(-60n);
    await money.expectSound();
    expect(await meta(transactionId)).toEqual([['Fraud', 1_000]]);
  });

  test('that are canceled return what is left, which can be refunded and paid again', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, { amount: 400 });
    const [payout] = await create(group);
    await money.cancel(payout?.batchId ?? '');
    await refund(transactionId, { amount: 100 });
    expect(await create(group)).toMatchObject([{ totalMinor: 50n, rowCount: 1 }]);
  });

  test('with a preview from before a part are rejected if they are exact, and show what was due then', async () => {
    const { group, transactionId } = await bought(1_000, 10);
    await refund(transactionId, { amount: 100 });
    const { asOf } = await preview(group);
    await refund(transactionId, { amount: 300 });
    await refund(transactionId, { amount: 100 });
    expect(await due(group, asOf)).toEqual([['A', 90n]]);
    await expect(money.createOrLess(group, asOf, { isExact: true })).rejects.toThrow(
      '0.90 → 0.50 USD (partial refund)',
    );
    expect(await create(group)).toMatchObject([{ totalMinor: 50n }]);
  });
});

test('PATCH takes back what parts have left', async () => {
  const { group, transactionId } = await bought(1_000, 10);
  await refund(transactionId, { amount: 400 });
  for (const action of ['Refund', 'Fraud'])
    expect((await patch(transactionId, { form: { action } })).status).toBe(200);
  expect(await balance('A', 'USD', group)).toBe(0n);
  expect(await rollup(group)).toEqual([{ count: 1, gross: 1_000, share: 100 }]);
  expect(await meta(transactionId)).toEqual([['Fraud', 1_000]]);
});

test('bounties of amounts lose the part, and bounties of counts the purchase once nothing is left', async () => {
  const objective = { name: 'o', type: 'Purchase' };
  const amount = await money.define({
    objectives: [{ ...objective, condition: 'Amount', currency: 'USD', count: 5_000 }],
  });
  const count = await money.define({ objectives: [{ ...objective, count: 5 }] });
  const early = await earn(money.group(), 'A', 1_000);
  await refund(early.transactionId, { amount: 250 });
  await money.settleAndCheck();
  const standings = async () => [await money.standing(amount), await money.standing(count)];
  expect(await standings()).toEqual(['0/750', '0/1']);
  await refund(early.transactionId, { amount: 250 });
  expect(await standings()).toEqual(['0/500', '0/1']);
  await refund(early.transactionId);
  expect(await standings()).toEqual(['0/0', '0/0']);
});

test('lists select purchases with and without refunds, in order and page by page', async () => {
  const changes = 'updatedSince=2020-01-01T00:00:00Z';
  await makeGroup('listed');
  const rows: { id: string; transactionId: string }[] = [];
  for (const day of [1, 2, 3, 4, 5, 6])
    rows.push(await earn('listed', 'A', 100, { transactionDate: `2024-05-0${day}T12:00:00Z` }));
  await settle();
  const [whole, part, , inParts] = rows;
  await patch(whole?.transactionId ?? '', { form: { action: 'Refund' } });
  await refund(part?.transactionId ?? '', { amount: 1 });
  for (const amount of [1, 99]) await refund(inParts?.transactionId ?? '', { amount });
  const ids = async (query: string) =>
    (await list(`groupId=listed&${query}`)).body.map(
      ({ transaction: { id } }: { transaction: { id: string } }) =>
        rows.findIndex((row) => row.id === id) + 1,
    );
  expect(await ids('hasRefund=true')).toEqual([4, 2, 1]);
  expect(await ids('hasRefund=true&sort=transactionDate:asc&playerId=p-A')).toEqual([1, 2, 4]);
  expect(await ids('hasRefund=true&code=m-a&codeScope=code&status=normal')).toEqual([2]);
  expect(await ids('hasRefund=false')).toEqual([6, 5, 3]);
  expect(await ids('hasRefund=false&code=m-a&codeScope=code')).toEqual([6, 5, 3]);
  await until(
    'readers to pass the changes',
    async () => (await ids(`hasRefund=true&${changes}`)).length === 3,
  );
  expect(await ids(`hasRefund=true&${changes}`)).toEqual([1, 2, 4]);
  expect(await ids(`hasRefund=false&${changes}`)).toEqual([3, 5, 6]);
  const first = await list('groupId=listed&hasRefund=true&pageSize=2');
  expect(first.body).toHaveLength(2);
  expect(await ids(`hasRefund=true&pageSize=2&cursor=${first.headers.get('x-next-cursor')}`)).toEqual([1]);
  expect((await list('groupId=listed&hasRefund=true&page=1')).status).toBe(400);
});
