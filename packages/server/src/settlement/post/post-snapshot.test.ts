import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { recordingOf } from '../../attributions/posted.ts';

const money = useMoney();
const { record, send, remove, settle, shown, query, number, patch } = money;

const recorded = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const { status, body } = await record(purchase({ subtotal: 10_000, ...changes }));
  expect(status).toBe(200);
  return body.transaction.transactionId;
};
const percentOf = async (transactionId: string) => (await shown(transactionId))[0]?.memberSharePercent;
afterEach(() => money.expectSound());

test('tier, SKU share and group default apply as of recording, and changes apply to later rows', async () => {
  await money.provisionGroup(
    'main',
    'tiers: [ { name: Silver, revShare: 15 } ], members: [ { id: acc_eve, tier: Silver, codes: [ { code: EVE } ] } ]',
  );
  const rows = () =>
    Promise.all([
      recorded({ code: 'EVE' }),
      recorded({ code: 'EVE', skuId: 'battle-pass' }),
      recorded({ code: 'BOB' }),
    ]);
  const before = await rows();
  await money.provisionGroup(
    'main',
    'revShare: 11, tiers: [ { name: Silver, revShare: 16 } ], skuRevShares: [ { skuId: battle-pass, revShare: 6 } ]',
  );
  const after = await rows();
  await money.provisionGroup('main', 'members: [ { id: acc_eve, tier: null } ]');
  const last = await recorded({ code: 'EVE' });
  await settle();
  expect(await Promise.all(before.map(percentOf))).toEqual([15, 5, 10]);
  expect(await Promise.all(after.map(percentOf))).toEqual([16, 6, 11]);
  expect(await percentOf(last)).toBe(11);
});

test('a member removed after a purchase is still credited and paid', async () => {
  await money.provisionGroup('main', 'members: [ { id: acc_finn, codes: [ { code: FINN } ] } ]');
  const id = await recorded({
    code: 'FINN',
    memberSharePercent: 50,
    transactionDate: '2024-05-01T00:00:00Z',
  });
  await money.provisionGroup('main', 'members: [ { id: acc_finn, status: Removed } ]');
  await settle();
  expect(await shown(id)).toMatchObject([{ memberShareAmount: 5_000 }]);
  expect(await money.balance('FINN')).toBe(5_000n);
  const { payables } = await money.preview('main');
  expect(payables).toContainEqual(
    expect.objectContaining({ memberId: 'acc_finn', amountMinor: 5_000n, isDue: true }),
  );
});

test('schedules apply as of recording, and changes apply to later rows', async () => {
  const window = { startDate: '2025-01-01T00:00:00Z', endDate: '2025-02-01T00:00:00Z' };
  const transactionDate = '2025-01-10T00:00:00Z';
  const first = await recorded({ code: 'BOB', transactionDate });
  const { body } = await send('POST', '/scheduled-rev-shares', { ...window, revShare: 40 });

  const second = await recorded({ code: 'BOB', transactionDate });
  await send('PUT', `/scheduled-rev-shares/${body.id}`, { ...window, revShare: 50 });
  const third = await recorded({ code: 'BOB', transactionDate });
  await remove(`/scheduled-rev-shares/${body.id}`);
  const fourth = await recorded({ code: 'BOB', transactionDate });
  await settle();
  expect(await Promise.all([second, third].map(percentOf))).toEqual([40, 50]);
  for (const id of [first, fourth]) expect(await percentOf(id)).toBeLessThan(12);
  expect(await settle()).toBe(0);
});

test('a Test row changes no payments, refund records, balances or money of rollups', async () => {
  const id = await recorded({ status: 'Test' });
  const mixed = purchase();
  await record([mixed, purchase({ transactionId: mixed.transactionId, status: 'Test', code: 'BOB' })]);
  const sums = () =>
    query(sql`
      select (select count(*) from payment) as payments, (select count(*) from refund_record) as refunds,
             (select sum(balance_minor) from member_balance) as balance, (select sum(row_count) from earning_rollup) as rows,
             (select count(*) from ledger_entry) as entries`);
  expect(await settle()).toBe(3);
  const before = await sums();
  expect((await patch(id, { form: { action: 'Fraud' } })).status).toBe(200);
  expect(await settle()).toBe(0);
  expect(await sums()).toEqual(before);
  expect(await shown(id)).toEqual([{ status: 'Fraud', memberPaid: false }]);
  expect((await shown(mixed.transactionId)).map((row) => row.memberShareAmount)).toEqual([200, undefined]);
  expect(await number(sql`select count(*) as n from unposted`)).toBe(0n);
});

describe('rollups', () => {
  test('are sums by UTC day, member, code and currency, with reversals', async () => {
    await money.provisionGroup(
      'moba',
      'members: [ { id: acc_gus, codes: [ { code: GUS }, { code: GUS-2 } ] } ]',
    );
    const add = (changes: Record<string, unknown>) =>
      record(purchase({ code: 'GUS', subtotal: 1_000, memberSharePercent: 10, ...changes }), {
        query: '?groupId=moba',
      });
    const day = '2024-03-01';
    await add({ transactionDate: `${day}T00:00:00Z` });
    await add({ transactionDate: `${day}T23:59:59.999Z`, subtotal: 500 });
    await add({ transactionDate: `${day}T23:30:00-02:00` }); // the next day in UTC
    await add({ transactionDate: `${day}T01:00:00Z`, currency: 'JPY' });
    const other = (await add({ transactionDate: `${day}T01:00:00Z`, code: 'GUS-2' })).body.transaction
      .transactionId;
    const early = (await add({ transactionDate: `${day}T01:00:00Z`, subtotal: 300 })).body.transaction
      .transactionId;
    await patch(early, { form: { action: 'Refund' } });
    await settle();
    await patch(other, { form: { action: 'Chargeback' } });
    await patch(other, { form: { action: 'Fraud' } });
    const rollups = await query(sql`
      select to_char(day, 'YYYY-MM-DD') as day, code, currency, row_count::int as rows, gross_minor::int as gross,
             share_minor::int as share, reversed_count::int as reversed, reversed_gross_minor::int as "reversedGross",
             reversed_share_minor::int as "reversedShare"
      from earning_rollup
      where code like 'GUS%' and publisher_id = 'aurora' and group_id = 'moba'
      order by day, code, currency`);
    const none = { reversed: 0, reversedGross: 0, reversedShare: 0 };
    expect(rollups).toEqual([
      { day, code: 'GUS', currency: 'JPY', rows: 1, gross: 1_000, share: 100, ...none },
      {
        day,
        code: 'GUS',
        currency: 'USD',
        rows: 3,
        gross: 1_800,
        share: 180,
        reversed: 1,
        reversedGross: 300,
        reversedShare: 30,
      },
      {
        day,
        code: 'GUS-2',
        currency: 'USD',
        rows: 1,
        gross: 1_000,
        share: 100,
        reversed: 1,
        reversedGross: 1_000,
        reversedShare: 100,
      },
      { day: '2024-03-02', code: 'GUS', currency: 'USD', rows: 1, gross: 1_000, share: 100, ...none },
    ]);
  });
});

describe('a status change', () => {
  const entries = (transactionId: string) =>
    query(sql`
      select e.kind, e.amount_minor::int as amount
      from attribution a
      left join posting g on g.publisher_id = a.publisher_id and ${recordingOf('a.attribution_id')} = any(g.recording_ids)
      join ledger_entry e
        on e.publisher_id = a.publisher_id and e.membership_id = a.membership_id and e.currency = a.currency
       and e.subject_id in (a.attribution_id, g.posting_id)
      where a.transaction_id = ${transactionId}
      order by e.kind`);
  const refunds = (transactionId: string) =>
    query(sql`
      select r.action, r.reverses_money as reverses
      from refund_record r
      join attribution a using (publisher_id, attribution_id)
      where a.transaction_id = ${transactionId}
      order by r.refund_id`);
  const oneReversal = [
    { kind: 'payment', amount: 2_000 },
    { kind: 'refund', amount: -2_000 },
  ];

  test('before posting reverses the row when it is posted', async () => {
    const before = await money.balance('ALICE');
    const id = await recorded();
    await patch(id, { form: { action: 'Refund' } });
    expect(await shown(id)).toEqual([{ status: 'Refund', memberPaid: false }]);
    await patch(id, { form: { action: 'Fraud' } });
    expect(await entries(id)).toEqual([]);
    expect(await settle()).toBe(1);
    expect(await shown(id)).toEqual([
      { status: 'Fraud', memberShareAmount: 2_000, memberSharePercent: 20, memberPaid: false },
    ]);
    expect(await entries(id)).toEqual(oneReversal);
    await patch(id, { form: { action: 'Chargeback' } });
    expect(await entries(id)).toEqual(oneReversal);
    expect(await refunds(id)).toEqual([
      { action: 'Refund', reverses: true },
      { action: 'Fraud', reverses: false },
      { action: 'Chargeback', reverses: false },
    ]);
    expect(await money.balance('ALICE')).toBe(before);
  });

  test('after posting reverses the row once, and its amount stays visible', async () => {
    const before = await money.balance('ALICE');
    const id = await recorded();
    await settle();
    expect(await money.balance('ALICE')).toBe(before + 2_000n);
    for (const action of ['Chargeback', 'Chargeback', 'Refund', 'Fraud']) {
      expect((await patch(id, { form: { action } })).status).toBe(200);
      expect(await shown(id)).toEqual([
        { status: action, memberShareAmount: 2_000, memberSharePercent: 20, memberPaid: false },
      ]);
      expect(await money.balance('ALICE')).toBe(before);
    }
    expect(await entries(id)).toEqual(oneReversal);
    expect((await refunds(id)).filter((each) => (each as { reverses: boolean }).reverses)).toHaveLength(1);
  });

  test('of only the playerId does not change any money', async () => {
    const id = await recorded();
    await patch(id, { form: { playerId: 'p-77' } });
    await settle();
    await patch(id, { form: { playerId: 'p-78' } });
    expect(await entries(id)).toEqual(oneReversal.slice(0, 1));
  });

  test('of a split reverses all its rows', async () => {
    const { transactionId } = purchase();
    const before = [await money.balance('ALICE'), await money.balance('BOB')];
    await record([purchase({ transactionId }), purchase({ transactionId, code: 'BOB' })]);
    await settle();
    await patch(transactionId, { form: { action: 'Refund' } });
    expect([await money.balance('ALICE'), await money.balance('BOB')]).toEqual(before);
  });
});
