import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { roundShare } from '../../revenue-shares/round-share.ts';
import { explainShares } from '../explain-shares.ts';

const money = useMoney();
const { record, send, settle, shown, query, db } = money;
const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
const schedules: Record<string, string> = {};

const schedule = async (terms: object, method: 'POST' | 'PUT' = 'POST', id?: string): Promise<string> => {
  const path = `/scheduled-rev-shares${id === undefined ? '' : `/${id}`}`;
  const { status, body } = await send(method, path, terms);
  expect(status).toBe(200);
  return body.id;
};
const month = (number: number) => ({
  startDate: `2026-0${number}-01T00:00:00Z`,
  endDate: `2026-0${number + 1}-01T00:00:00Z`,
});
const inMonth = (number: number): string => `2026-0${number}-15T00:00:00.000Z`;

beforeAll(async () => {
  const tierShare = [{ revShare: 45, tierId: gold }];
  schedules.both = await schedule({ ...month(1), revShare: 35, tierRevenueShares: tierShare });
  schedules.group = await schedule({ ...month(2), revShare: 36 });
  schedules.tier = await schedule({ ...month(3), tierRevenueShares: tierShare });
});

const decided = async (transactionId: string) => {
  const [row] = await query(sql<{ rule: string; share: number; amount: bigint }>`
    select a.share_rule as rule, a.share_millionths as share, a.share_minor as amount
    from attribution a
    where a.publisher_id = 'aurora' and a.transaction_id = ${transactionId}`);
  return row;
};

describe('the most specific share applies, and is stored with the row', () => {
  const everything = { memberSharePercent: 12.3456, skuId: 'battle-pass', transactionDate: inMonth(1) };
  const { memberSharePercent: _, ...notSent } = everything;
  const { skuId: __, ...noSku } = notSent;
  test.each<[string, Record<string, unknown>, string, () => string | null | undefined, number]>([
    ['the percentage sent, before all others', everything, 'sent', () => null, 12.3456],
    ["the SKU's share, before schedules and tiers", notSent, 'sku', () => 'battle-pass', 5],
    ["the scheduled share of the member's tier", noSku, 'scheduled-tier', () => schedules.both, 45],
    [
      'the scheduled share of the group, for a member without a tier',
      { ...noSku, code: 'BOB' },
      'scheduled-group',
      () => schedules.both,
      35,
    ],
    [
      "the scheduled share of the group, before the tier's",
      { transactionDate: inMonth(2) },
      'scheduled-group',
      () => schedules.group,
      36,
    ],
    [
      'a schedule for tiers only, for a member of the tier',
      { transactionDate: inMonth(3) },
      'scheduled-tier',
      () => schedules.tier,
      45,
    ],
    [
      "the group's default, for a member outside of a schedule's tiers",
      { transactionDate: inMonth(3), code: 'BOB' },
      'group',
      () => 'main',
      10,
    ],
    ["the member's tier", {}, 'tier', () => gold, 20],
    ["the group's default", { code: 'BOB' }, 'group', () => 'main', 10],
    [
      "the group's default, for a SKU without a share",
      { skuId: 'other', code: 'BOB' },
      'group',
      () => 'main',
      10,
    ],
    [
      'the scheduled share at the start of its window',
      { transactionDate: '2026-02-01T00:00:00Z' },
      'scheduled-group',
      () => schedules.group,
      36,
    ],
    [
      'the scheduled share just before the end of its window',
      { transactionDate: '2026-02-28T23:59:59.999Z' },
      'scheduled-group',
      () => schedules.group,
      36,
    ],
    [
      "the member's tier at the end of a window, which is exclusive",
      { transactionDate: '2026-04-01T00:00:00Z' },
      'tier',
      () => gold,
      20,
    ],
  ])('%s', async (_what, changes, rule, source, percent) => {
    const sent = purchase({ subtotal: 10_000, ...changes });
    const { transactionId } = sent;
    expect((await record(sent)).status).toBe(200);
    const [before] = await shown(transactionId);
    expect(before).not.toHaveProperty('memberShareAmount');
    const [expected] = await explainShares(db(), 'aurora', transactionId);
    expect(expected).toMatchObject({ state: 'waiting', decided: { rule, source: source() } });

    await settle();
    const amount = Number(roundShare(10_000n, Math.round(percent * 10_000)));
    expect(await shown(transactionId)).toEqual([
      { status: 'Normal', memberShareAmount: amount, memberSharePercent: percent, memberPaid: false },
    ]);
    expect(await decided(transactionId)).toEqual({
      rule,
      share: Math.round(percent * 10_000),
      amount: BigInt(amount),
    });
    const [explained] = await explainShares(db(), 'aurora', transactionId);
    expect(explained).toEqual({ ...expected, state: 'posted' });
  });
});

describe('amounts', () => {
  test.each([
    ['BOB', 5, 0], // 0.5
    ['BOB', 15, 2], // 1.5
    ['BOB', 25, 2], // 2.5
    ['BOB', 26, 3],
    ['BOB', 1, 0],
    ['ALICE', 2, 0],
    ['ALICE', 3, 1],
    ['ALICE', Number.MAX_SAFE_INTEGER, 1_801_439_850_948_198],
  ])(
    '%s earns, from a subtotal of %i, a share of %i, with halves rounded to even',
    async (code, subtotal, amount) => {
      const { transactionId } = (await record(purchase({ code, subtotal }))).body.transaction;
      await settle();
      expect(await shown(transactionId)).toMatchObject([{ memberShareAmount: amount }]);
    },
  );

  test('each row of a split is posted separately, in its own currency', async () => {
    const { transactionId } = purchase();
    await record([
      purchase({ transactionId, subtotal: 1_000 }),
      purchase({ transactionId, subtotal: 1_000, code: 'BOB', currency: 'JPY' }),
      purchase({ transactionId, subtotal: 1_000, code: 'BOB', memberSharePercent: 100 }),
    ]);
    const before = [await money.balance('BOB', 'JPY'), await money.balance('BOB')];
    await settle();
    expect((await shown(transactionId)).map((row) => row.memberShareAmount)).toEqual([200, 100, 1_000]);
    expect([await money.balance('BOB', 'JPY'), await money.balance('BOB')]).toEqual([
      (before[0] ?? 0n) + 100n,
      (before[1] ?? 0n) + 1_000n,
    ]);
  });
});
