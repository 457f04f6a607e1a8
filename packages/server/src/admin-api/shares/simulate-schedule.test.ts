import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { simulateSchedule } from '../../settlement/simulate-schedule.ts';

const { service, db, record, patch, provisionGroup, query, settle } = useMoney();

let ask: Asking;
beforeAll(async () => {
  ask = await asRole(service(), 'manager');
});

const weeks = 4;
const at = (day: number): string => new Date(Date.UTC(2026, 2, 1 + day, 12)).toISOString();
const later = (day: number): string => at(day + 7 * weeks);

const tierCount = 2;
const percent = fc.integer({ min: 10_000, max: 1_000_000 }).map((millionths) => millionths / 10_000);
const terms = fc
  .record({
    revShare: fc.option(percent, { nil: null }),
    tiers: fc.uniqueArray(fc.record({ tier: fc.nat(tierCount - 1), revShare: percent }), {
      selector: ({ tier }) => tier,
    }),
  })
  .filter(({ revShare, tiers }) => revShare !== null || tiers.length > 0);
const rows = fc.array(
  fc.record({
    // The last member has no tier.
    member: fc.nat(tierCount),
    sku: fc.option(fc.nat(2), { nil: undefined, freq: 3 }),
    sent: fc.option(percent, { nil: undefined, freq: 2 }),
    // The window is days 1 to 6, so some rows are before it and some after.
    day: fc.nat(8),
    currency: fc.constantFrom('USD', 'JPY'),
    subtotal: fc.integer({ min: 1, max: 1_000 }),
    isTest: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    isRefunded: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
  }),
  { minLength: 15, maxLength: 30 },
);
const world = fc.record({
  groupShare: percent,
  tierShares: fc.array(percent, { minLength: tierCount, maxLength: tierCount }),
  skuShare: percent,
  /** Schedule that covers part of the past window. */
  past: fc.option(terms, { nil: undefined }),
  candidate: terms,
  rows,
});

async function owed(group: string): Promise<Record<string, bigint>> {
  const found = await query(sql<{ currency: string; owed: string }>`
    select b.currency, sum(b.balance_minor)::text as owed
    from member_balance b
    join membership m on m.publisher_id = 'aurora' and m.membership_id = b.membership_id
    where b.publisher_id = 'aurora' and m.group_id = ${group}
    group by b.currency`);
  return Object.fromEntries(found.map((row) => [row.currency, BigInt(row.owed)]));
}

/**
 * Time limit for the property test, which sends about 500 requests, one after another. Most requests commit,
 * and a busy disk delays commits.
 */
const manyCommitsMs = 120_000;

test('the simulated cost equals what recording the same purchases within the schedule adds to balances', {
  timeout: manyCommitsMs,
}, async () => {
  let worlds = 0;
  const seen = { touched: 0, sent: 0, sku: 0, reversed: 0 };
  await fc.assert(
    fc.asyncProperty(world, async ({ groupShare, tierShares, skuShare, past, candidate, rows }) => {
      worlds += 1;
      const group = `s${worlds}`;
      const tierId = (tier: number): string =>
        `${String(tier + 1).repeat(8)}-0000-4000-8000-${String(worlds).padStart(12, '0')}`;
      const tiers = tierShares.map(
        (revShare, tier) => `{ id: ${tierId(tier)}, name: T${tier}, revShare: ${revShare} }`,
      );
      const members = Array.from(
        { length: tierCount + 1 },
        (_, member) =>
          `{ id: acc_${member}, tier: ${member < tierCount ? `T${member}` : null}, codes: [ { code: S${member}, group: ${group} } ] }`,
      );
      await provisionGroup(
        group,
        `revShare: ${groupShare}, tiers: [ ${tiers} ], skuRevShares: [ { skuId: s0, revShare: ${skuShare} } ], members: [ ${members} ]`,
      );
      const toInput = ({ revShare, tiers }: typeof candidate) => ({
        groupId: group,
        revShare,
        tierShares: tiers.map(({ tier, revShare }) => ({ tierId: tierId(tier), revShare })),
      });
      const schedule = async (terms: typeof candidate, startsAt: string, endsAt: string): Promise<void> => {
        const created = await ask('POST', '/schedules', { ...toInput(terms), startsAt, endsAt });
        expect(created.status).toBe(200);
      };
      const recordAll = async (purchases: typeof rows, dateOf: (day: number) => string): Promise<void> => {
        for (const { member, sku, sent, day, currency, subtotal, isTest, isRefunded } of purchases) {
          const { transactionId, ...rest } = purchase({
            code: `S${member}`,
            subtotal,
            currency,
            transactionDate: dateOf(day),
            ...(isTest && { status: 'Test' }),
            ...(sku !== undefined && { skuId: `s${sku}` }),
            ...(sent !== undefined && { memberSharePercent: sent }),
          });
          const recorded = await record({ transactionId, ...rest }, { query: `?groupId=${group}` });
          expect(recorded.status).toBe(200);
          if (!isRefunded || isTest) continue;
          const refunded = await patch(transactionId, { json: { action: 'Refund' } });
          expect(refunded.status).toBeLessThan(300);
        }
        await settle();
      };

      if (past !== undefined) await schedule(past, at(0), at(4));
      await recordAll(rows, at);
      const inWindow = rows.filter(({ day }) => day >= 1 && day < 7);
      const simulated = await ask('POST', '/schedules/simulate', {
        ...toInput(candidate),
        from: at(1),
        until: at(7),
      });
      expect(simulated).toMatchObject({
        status: 200,
        body: { isWhole: true, lookedFrom: at(1), clashes: [] },
      });
      const before = await owed(group);
      await schedule(candidate, later(1), later(7));
      await recordAll(inWindow, later);
      const after = await owed(group);

      const { currencies, reversedRows, rows: rowCount } = simulated.body;
      const recorded = Object.fromEntries(
        Object.entries(after)
          .map(([currency, amount]) => [currency, String(amount - (before[currency] ?? 0n))])
          .filter(([, amount]) => amount !== '0'),
      );
      const expected = Object.fromEntries(
        currencies
          .map((each: { currency: string; after: string }) => [each.currency, each.after])
          .filter(([, amount]: [string, string]) => amount !== '0'),
      );
      expect(expected).toEqual(recorded);
      expect(rowCount).toBe(inWindow.filter(({ isTest }) => !isTest).length);
      for (const each of currencies) {
        const sum = (name: string): bigint =>
          each.tiers.reduce(
            (total: bigint, tier: Record<string, string>) => total + BigInt(tier[name] ?? 0),
            0n,
          );
        for (const name of ['gross', 'before', 'after', 'delta'])
          expect(String(sum(name)), name).toBe(each[name]);
        expect(BigInt(each.delta)).toBe(BigInt(each.after) - BigInt(each.before));
        seen.sent += each.sentRows;
        seen.sku += each.skuRows;
        seen.touched += each.rows - each.sentRows - each.skuRows;
      }
      seen.reversed += reversedRows;
    }),
    { numRuns: 8 },
  );
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0);
});

test('“before” is the share that was recorded, even when the program has changed since', async () => {
  await provisionGroup(
    'then',
    'revShare: 10, members: [ { id: acc_then, codes: [ { code: THEN, group: then } ] } ]',
  );
  for (const subtotal of [999, 1, 250])
    await record(purchase({ code: 'THEN', subtotal, transactionDate: at(2) }), { query: '?groupId=then' });
  await settle();
  await provisionGroup('then', 'revShare: 50');
  const { body } = await ask('POST', '/schedules/simulate', {
    groupId: 'then',
    revShare: 20,
    tierShares: [],
    from: at(0),
    until: at(3),
  });
  expect(body.currencies).toMatchObject([
    { currency: 'USD', rows: 3, gross: '1250', before: '125', after: '250' },
  ]);
  expect(await owed('then')).toEqual({ USD: 125n });
});

test('a window with too many rows is simulated from its end, and the response shows it', async () => {
  await provisionGroup(
    'large',
    'revShare: 10, members: [ { id: acc_l, codes: [ { code: LARGE, group: large } ] } ]',
  );
  const days = [0, 1, 2, 3, 3, 3, 4];
  for (const day of days)
    await record(purchase({ code: 'LARGE', subtotal: 100, transactionDate: at(day) }), {
      query: '?groupId=large',
    });
  const simulate = (bounds: Partial<Parameters<typeof simulateSchedule>[2]>) =>
    simulateSchedule(
      db(),
      {
        publisherId: 'aurora',
        groupId: 'large',
        from: new Date(at(0)),
        until: new Date(at(9)),
        shareMillionths: 200_000,
        tierShares: new Map(),
      },
      { rows: 1_000, pageRows: 2, mayContinue: () => true, ...bounds },
    );
  expect(await simulate({})).toMatchObject({
    isWhole: true,
    rows: 7,
    cells: [{ rows: 7, afterMinor: 140n }],
  });
  expect(await simulate({ rows: 3 })).toMatchObject({ isWhole: false, rows: 3, lookedFrom: new Date(at(3)) });
  expect(await simulate({ rows: 7 })).toMatchObject({ rows: 7 });
  let pages = 0;
  const interrupted = await simulate({
    mayContinue() {
      pages += 1;
      return pages < 3;
    },
  });
  expect(interrupted).toMatchObject({ isWhole: false, rows: 4 });
  expect(await simulate({ mayContinue: () => false })).toMatchObject({
    isWhole: false,
    rows: 0,
    lookedFrom: new Date(at(9)),
  });
});

test('a simulation lists the schedules that the planned window would overlap', async () => {
  await provisionGroup('typing', 'revShare: 10');
  const terms = { groupId: 'typing', revShare: 20, tierShares: [] };
  const created = await ask('POST', '/schedules', { ...terms, startsAt: at(100), endsAt: at(102) });
  const simulate = (planned: object) =>
    ask('POST', '/schedules/simulate', { ...terms, from: at(0), until: at(1), planned });
  const clash = await simulate({ startsAt: at(101), endsAt: at(105) });
  expect(clash.body.clashes).toEqual([
    { scheduleId: created.body.scheduleId, startsAt: at(100), endsAt: at(102) },
  ]);
  const adjacent = await simulate({ startsAt: at(102), endsAt: at(105) });
  expect(adjacent.body.clashes).toEqual([]);
  const itself = { startsAt: at(101), endsAt: at(105), scheduleId: created.body.scheduleId };
  expect((await simulate(itself)).body.clashes).toEqual([]);
});

test('rejects an empty or invalid window and one longer than a year', async () => {
  const terms = { groupId: 'main', revShare: 20, tierShares: [] };
  for (const window of [
    { from: at(1), until: at(1) },
    { from: at(2), until: at(1) },
    { from: at(0), until: at(367) },
    { from: 'yesterday', until: at(1) },
  ])
    expect(await ask('POST', '/schedules/simulate', { ...terms, ...window })).toMatchObject({ status: 400 });
});
