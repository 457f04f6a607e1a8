import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';
import { settleAll } from '../../../test/money.ts';
import { schedulesPath } from '../../../test/schedules.ts';
import { percentToMillionths } from '../../platform/percent.ts';
import {
  type DecidedShare,
  type Offer,
  resolveShare,
  shareRules,
} from '../../revenue-shares/resolve-share.ts';
import { roundShare } from '../../revenue-shares/round-share.ts';

const { service, record, send, remove, provisionGroup } = useManagement();
const db = () => service().testDatabase.database.db;
const largest = Number.MAX_SAFE_INTEGER;

const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 0, 1);
const at = (halfDays: number): string => new Date(firstMs + (halfDays * dayMs) / 2).toISOString();

// Few values and a short time, so that rules, borders and ties meet often.
const percent = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 10_000, max: 1_000_000 }).map((millionths) => millionths / 10_000),
);
const percentFromZero = fc.oneof(fc.constant(0), percent);
const subtotal = fc.oneof(
  fc.constantFrom(1, 2, 5, 15, 25, 50, 250, largest, largest - 1),
  fc.integer({ min: 1, max: 100_000 }),
  fc.maxSafeNat().map((amount) => amount + (amount === 0 ? 1 : 0)),
);
const tierCount = 2;
const plannedSchedule = fc.record({
  start: fc.nat(20),
  length: fc.nat(6),
  revShare: fc.option(percent, { nil: undefined }),
  tiers: fc.uniqueArray(fc.record({ tier: fc.nat(tierCount - 1), revShare: percent }), {
    selector: ({ tier }) => tier,
  }),
  isDeleted: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
});
const world = fc.record({
  groupShare: percentFromZero,
  tierShares: fc.array(percentFromZero, { minLength: tierCount, maxLength: tierCount }),
  skuShares: fc.array(percentFromZero, { minLength: 2, maxLength: 2 }),
  schedulesBefore: fc.array(plannedSchedule, { maxLength: 4 }),
  schedulesAfter: fc.array(plannedSchedule, { maxLength: 4 }),
  rows: fc.array(
    fc.record({
      // The last member has no tier.
      member: fc.nat(tierCount),
      sku: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
      sent: fc.option(percent, { nil: undefined, freq: 2 }),
      day: fc.nat(28),
      subtotal,
    }),
    { minLength: 20, maxLength: 40 },
  ),
});

interface KnownSchedule {
  id: string;
  start: number;
  end: number;
  revShare: number | undefined;
  tiers: readonly { tier: number; revShare: number }[];
}

/** In a schedule a share of exactly 1 is stored as the whole. */
const scheduled = (revShare: number): number => (revShare === 1 ? 1_000_000 : percentToMillionths(revShare));

test('the set-based rule of settlement and resolveShare never disagree, over random programmes', async () => {
  const decidedBy = new Map<string, number>(shareRules.map((rule) => [rule, 0]));
  let worlds = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ groupShare, tierShares, skuShares, rows, ...planned }) => {
      worlds += 1;
      const group = `w${worlds}`;
      const tierId = (tier: number): string =>
        `${String(tier + 1).repeat(8)}-0000-4000-8000-${String(worlds).padStart(12, '0')}`;
      const tiers = tierShares.map(
        (revShare, tier) => `{ id: ${tierId(tier)}, name: T${tier}, revShare: ${revShare} }`,
      );
      const members = Array.from(
        { length: tierCount + 1 },
        (_, member) =>
          `{ id: acc_w${member}, tier: ${member < tierCount ? `T${member}` : null}, codes: [ { code: C${member}, group: ${group} } ] }`,
      );
      const skus = skuShares.map((revShare, sku) => `{ skuId: s${sku}, revShare: ${revShare} }`);
      await provisionGroup(
        group,
        `revShare: ${groupShare}, tiers: [ ${tiers} ], skuRevShares: [ ${skus} ], members: [ ${members} ]`,
      );
      const schedules: KnownSchedule[] = [];
      const plan = async (wanted: typeof planned.schedulesBefore): Promise<void> => {
        for (const { start, length, revShare, tiers, isDeleted } of wanted) {
          if (revShare === undefined && tiers.length === 0) continue;
          const { status, body } = await send('POST', `${schedulesPath}?groupId=${group}`, {
            startDate: at(start),
            endDate: at(start + Math.max(1, length)),
            revShare,
            tierRevenueShares: tiers.map(({ tier, revShare }) => ({ tierId: tierId(tier), revShare })),
          });
          if (status === 409) continue;
          expect(status).toBe(200);
          if (isDeleted) await remove(`${schedulesPath}/${body.id}?groupId=${group}`);
          else if (length === 0) {
            const instant = { startDate: at(start), endDate: at(start), revShare: 50 };
            await send('PUT', `${schedulesPath}/${body.id}?groupId=${group}`, instant);
          } else schedules.push({ id: body.id, start, end: start + length, revShare, tiers });
        }
      };
      await plan(planned.schedulesBefore);
      const { status, body } = await record(
        rows.map(({ member, sku, sent, day, subtotal }) =>
          purchase({
            code: `C${member}`,
            subtotal,
            transactionDate: at(day),
            ...(sku !== undefined && { skuId: `s${sku}` }),
            ...(sent !== undefined && { memberSharePercent: sent }),
          }),
        ),
        { query: `?groupId=${group}` },
      );
      expect(status).toBe(200);
      // What rows keep is as it was when they were recorded; schedules are as they are when rows settle.
      await provisionGroup(
        group,
        `revShare: 99, tiers: [ { name: T0, revShare: 98 } ], skuRevShares: [ { skuId: s0, revShare: 97 } ]`,
      );
      await plan(planned.schedulesAfter);
      await settleAll(db());

      const expected = rows.map(({ member, sku, sent, day, subtotal }) => {
        const tier = member < tierCount ? member : null;
        const offer = (percent: number | undefined, source: string | null): Offer | null =>
          percent === undefined ? null : { shareMillionths: percentToMillionths(percent), source };
        const schedule = schedules.find(({ start, end }) => start <= day && day < end);
        const ofSchedule = (share: number | undefined): Offer | null =>
          share === undefined ? null : { shareMillionths: scheduled(share), source: schedule?.id ?? null };
        const decided: DecidedShare = resolveShare({
          sent: offer(sent, null),
          sku: offer(skuShares[sku ?? -1], `s${sku}`),
          'scheduled-tier': ofSchedule(schedule?.tiers.find((each) => each.tier === tier)?.revShare),
          'scheduled-group': ofSchedule(schedule?.revShare),
          tier: tier === null ? null : offer(tierShares[tier], tierId(tier)),
          group: { shareMillionths: percentToMillionths(groupShare), source: group },
        });
        return { ...decided, shareMinor: roundShare(BigInt(subtotal), decided.shareMillionths) };
      });
      const ids: string[] = body.map(({ transaction }: { transaction: { id: string } }) => transaction.id);
      const payments = await paymentsOf(ids);
      expect(payments).toEqual(expected);
      for (const { rule } of expected) decidedBy.set(rule, (decidedBy.get(rule) ?? 0) + 1);
    }),
    { numRuns: 40 },
  );
  for (const [rule, rows] of decidedBy) expect(rows, `rows decided by ${rule}`).toBeGreaterThan(0);
});

async function paymentsOf(ids: string[]): Promise<(DecidedShare & { shareMinor: bigint })[]> {
  const { rows } = await sql<{
    share_rule: DecidedShare['rule'];
    share_source: string | null;
    share_millionths: number;
    share_minor: bigint;
  }>`
    select p.share_rule, p.share_source, p.share_millionths, p.share_minor
    from unnest(${ids}::uuid[]) with ordinality as wanted (attribution_id, place)
    join payment p using (attribution_id)
    where p.publisher_id = 'aurora'
    order by wanted.place`.execute(db());
  return rows.map((row) => ({
    rule: row.share_rule,
    shareMillionths: row.share_millionths,
    source: row.share_source,
    shareMinor: row.share_minor,
  }));
}

describe('share_of in the database is roundShare', () => {
  const inDatabase = async (pairs: readonly (readonly [bigint, number])[]): Promise<bigint[]> => {
    const { rows } = await sql<{ share: bigint }>`
      select share_of(subtotal, share) as share
      from unnest(${pairs.map(([subtotal]) => subtotal)}::bigint[], ${pairs.map(([, share]) => share)}::integer[])
        with ordinality as pair (subtotal, share, place)
      order by place`.execute(db());
    return rows.map(({ share }) => share);
  };

  test('for every extreme, and beside it', async () => {
    const subtotals = [
      1,
      2,
      3,
      5,
      999_999,
      1_000_000,
      1_000_001,
      2 ** 31,
      2 ** 32,
      2 ** 52,
      largest - 1,
      largest,
    ];
    const shares = [0, 1, 2, 499_999, 500_000, 500_001, 10_000, 333_333, 666_667, 999_999, 1_000_000];
    const pairs = subtotals.flatMap((subtotal) => shares.map((share) => [BigInt(subtotal), share] as const));
    expect(await inDatabase(pairs)).toEqual(pairs.map(([subtotal, share]) => roundShare(subtotal, share)));
  });

  test('for ties, which go to the even one', async () => {
    // Odd multiples of a half: subtotal × share = (2k + 1) × 500,000.
    const shares = [500_000, 250_000, 100_000, 12_500, 4];
    const pairs = shares.flatMap((share) =>
      Array.from(
        { length: 200 },
        (_, odd) => [BigInt((500_000 / share) * (2 * odd + 1)), share] as const,
      ).filter(([subtotal]) => (subtotal * BigInt(share)) % 1_000_000n === 500_000n),
    );
    expect(pairs.length).toBeGreaterThan(500);
    const shared = await inDatabase(pairs);
    expect(shared.every((share) => share % 2n === 0n)).toBe(true);
    expect(shared).toEqual(pairs.map(([subtotal, share]) => roundShare(subtotal, share)));
  });

  test('for any amount and share', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.bigInt({ min: 1n, max: BigInt(largest) }), fc.integer({ min: 0, max: 1_000_000 })),
          { minLength: 500, maxLength: 500 },
        ),
        async (pairs) => {
          expect(await inDatabase(pairs)).toEqual(
            pairs.map(([subtotal, share]) => roundShare(subtotal, share)),
          );
        },
      ),
      { numRuns: 20 },
    );
  });
});
