import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';
import { settleAll } from '../../../test/money.ts';
import { schedulesPath } from '../../../test/schedules.ts';
import { startService, type TestService } from '../../../test/test-service.ts';
import { percentToMillionths } from '../../platform/percent.ts';
import { type DecidedShare, resolveShare, shareRules, sourceOf } from '../../revenue-shares/resolve-share.ts';
import { roundShare } from '../../revenue-shares/round-share.ts';

const { service, record, send, remove, provisionGroup } = useManagement();
const db = () => service().testDatabase.database.db;
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 0, 1);
const at = (halfDays: number): string => new Date(firstMs + (halfDays * dayMs) / 2).toISOString();

// Few distinct values and a short time range, so that rules, boundaries and ties often coincide.
const largest = Number.MAX_SAFE_INTEGER;
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
const plannedSchedules = fc.array(
  fc.record({
    start: fc.nat(20),
    length: fc.nat(6),
    revShare: fc.option(percent, { nil: undefined }),
    tiers: fc.uniqueArray(fc.record({ tier: fc.nat(tierCount - 1), revShare: percent }), {
      selector: ({ tier }) => tier,
    }),
    isDeleted: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  }),
  { maxLength: 4 },
);
const plannedRows = fc.array(
  fc.record({
    // The last member has no tier.
    member: fc.nat(tierCount),
    sku: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
    sent: fc.option(percent, { nil: undefined, freq: 2 }),
    day: fc.nat(28),
    subtotal,
  }),
  { minLength: 10, maxLength: 20 },
);
const world = fc.record({
  groupShare: percentFromZero,
  tierShares: fc.array(percentFromZero, { minLength: tierCount, maxLength: tierCount }),
  skuShares: fc.array(percentFromZero, { minLength: 2, maxLength: 2 }),
  turns: fc.array(fc.record({ schedules: plannedSchedules, rows: plannedRows }), {
    minLength: 2,
    maxLength: 3,
  }),
  schedulesAfter: plannedSchedules,
});

interface KnownSchedule {
  id: string;
  start: number;
  end: number;
  revShare: number | undefined;
  tiers: readonly { tier: number; revShare: number }[];
}

/**
 * Returns a schedule's stored share. A share of exactly 1 is stored as 100 percent, as documented in the
 * contract.
 */
const scheduled = (revShare: number): number => (revShare === 1 ? 1_000_000 : percentToMillionths(revShare));

test('a purchase earns under the rules in force when it is recorded, in random programs that change', async () => {
  const decidedBy = new Map<string, number>(shareRules.map((rule) => [rule, 0]));
  let worlds = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ groupShare, tierShares, skuShares, turns, schedulesAfter }) => {
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
      // One process changes the schedules, and another records the purchases.
      const sent = { at: other };
      const plan = async (wanted: (typeof turns)[0]['schedules']): Promise<void> => {
        for (const { start, length, revShare, tiers, isDeleted } of wanted) {
          if (revShare === undefined && tiers.length === 0) continue;
          const terms = {
            startDate: at(start),
            endDate: at(start + Math.max(1, length)),
            revShare,
            tierRevenueShares: tiers.map(({ tier, revShare }) => ({ tierId: tierId(tier), revShare })),
          };
          const { status, body } = await send('POST', `${schedulesPath}?groupId=${group}`, terms, sent);
          if (status === 409) continue;
          expect(status).toBe(200);
          const path = `${schedulesPath}/${body.id}?groupId=${group}`;
          if (isDeleted) await remove(path, sent);
          else if (length === 0) {
            const instant = { startDate: at(start), endDate: at(start), revShare: 50 };
            expect((await send('PUT', path, instant, sent)).status).toBe(200);
          } else schedules.push({ id: body.id, start, end: start + length, revShare, tiers });
        }
      };
      const expectedOf = ({ member, sku, sent, day, subtotal }: (typeof turns)[0]['rows'][0]): Decided => {
        const tier = member < tierCount ? member : null;
        const millionths = (percent: number | undefined): number | null =>
          percent === undefined ? null : percentToMillionths(percent);
        const schedule = schedules.find(({ start, end }) => start <= day && day < end);
        const ofSchedule = (share: number | undefined): number | null =>
          share === undefined ? null : scheduled(share);
        const decided = resolveShare({
          sent: millionths(sent),
          sku: millionths(skuShares[sku ?? -1]),
          'scheduled-tier': ofSchedule(schedule?.tiers.find((each) => each.tier === tier)?.revShare),
          'scheduled-group': ofSchedule(schedule?.revShare),
          tier: tier === null ? null : millionths(tierShares[tier]),
          group: percentToMillionths(groupShare),
        });
        const source = sourceOf(decided.rule, {
          skuId: `s${sku}`,
          scheduleId: schedule?.id ?? null,
          tierId: tier === null ? null : tierId(tier),
          groupId: group,
        });
        return { ...decided, source, shareMinor: roundShare(BigInt(subtotal), decided.shareMillionths) };
      };

      const ids: string[] = [];
      const expected: Decided[] = [];
      for (const { schedules: wanted, rows } of turns) {
        await plan(wanted);
        expected.push(...rows.map(expectedOf));
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
        ids.push(...body.map(({ transaction }: { transaction: { id: string } }) => transaction.id));
      }
      // Changes before posting must not affect the rows.
      await provisionGroup(
        group,
        `revShare: 99, tiers: [ { name: T0, revShare: 98 } ], skuRevShares: [ { skuId: s0, revShare: 97 } ]`,
      );
      await plan(schedulesAfter);
      await settleAll(db());
      expect(await decidedFor(ids)).toEqual(expected);
      for (const { rule } of expected) decidedBy.set(rule, (decidedBy.get(rule) ?? 0) + 1);
    }),
    { numRuns: 20 },
  );
  for (const [rule, rows] of decidedBy) expect(rows, `rows decided by ${rule}`).toBeGreaterThan(0);
});

interface Decided extends DecidedShare {
  source: string | null;
  shareMinor: bigint;
}

async function decidedFor(ids: string[]): Promise<Decided[]> {
  const { rows } = await sql<{
    rule: DecidedShare['rule'];
    share_millionths: number;
    share_minor: bigint;
    sku_id: string | null;
    schedule_id: string | null;
    tier_id: string | null;
    group_id: string;
  }>`
    select a.share_rule as rule, a.share_millionths, a.share_minor, a.sku_id, a.schedule_id, a.tier_id, a.group_id
    from unnest(${ids}::uuid[]) with ordinality as wanted (attribution_id, place)
    join attribution a using (attribution_id)
    where a.publisher_id = 'aurora'
    order by wanted.place`.execute(db());
  return rows.map((row) => ({
    rule: row.rule,
    shareMillionths: row.share_millionths,
    source: sourceOf(row.rule, {
      skuId: row.sku_id,
      scheduleId: row.schedule_id,
      tierId: row.tier_id,
      groupId: row.group_id,
    }),
    shareMinor: row.share_minor,
  }));
}
