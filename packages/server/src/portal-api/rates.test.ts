import { expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import { usePortal } from '../../test/portal.ts';

const nowMs = Date.parse('2026-11-15T12:00:00.000Z');
const portal = await usePortal({ clock: { now: () => new Date(nowMs) } });
const { creator, provisionGroup, record, settle } = portal;

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses
type Json = any;

const day = (number: number): string => new Date(Date.UTC(2026, 10, number)).toISOString();

test('shows the share that applies now, its rule, and the next windows that change it for this creator', async () => {
  const member = (name: string, more = '') =>
    `{ id: acc_rate_${name}, name: ${name}, playerId: p-${name}, codes: [ { code: R-${name}, primary: true } ] ${more} }`;
  await provisionGroup(
    'rates',
    `revShare: 10,
     tiers: [ { name: Gold, revShare: 20 }, { name: Silver, revShare: 15 }, { name: Even, revShare: 12 } ],
     skuRevShares: [ { skuId: skin, revShare: 5 }, { skuId: pass, revShare: 7.5 } ],
     schedules: [
       { startDate: "${day(1)}", endDate: "${day(5)}", revShare: 90 },
       { startDate: "${day(10)}", endDate: "${day(20)}", tiers: [ { tier: Gold, revShare: 30 }, { tier: Even, revShare: 12 } ] },
       { startDate: "${day(21)}", endDate: "${day(22)}", tiers: [ { tier: Silver, revShare: 25 } ] },
       { startDate: "${day(23)}", endDate: "${day(24)}", revShare: 20, tiers: [ { tier: Gold, revShare: 20 } ] },
       { startDate: "${day(25)}", endDate: "${day(26)}", revShare: 40 } ],
     members: [ ${member('gold', ', tier: Gold')}, ${member('silver', ', tier: Silver')}, ${member('even', ', tier: Even')}, ${member('plain')} ]`,
  );
  const ratesOf = async (name: string): Promise<Json> => {
    const browser = await creator(`rate-${name}@example.com`, `acc_rate_${name}`);
    const { status, body } = await browser.get('/rates?publisher=aurora');
    expect(status).toBe(200);
    expect(body.groups).toHaveLength(1);
    return body.groups[0];
  };
  const gold = await ratesOf('gold');
  expect(gold).toMatchObject({
    groupId: 'rates',
    status: 'Approved',
    asOf: new Date(nowMs).toISOString(),
    tierName: 'Gold',
    now: { percent: 30, rule: 'scheduled-tier' },
    until: day(20),
    usual: { percent: 20, rule: 'tier' },
    products: [
      { skuId: 'pass', percent: 7.5 },
      { skuId: 'skin', percent: 5 },
    ],
    hasMoreProducts: false,
  });
  // The schedule that is over, the one for another tier, and the one with the usual share change nothing.
  expect(gold.coming).toEqual([{ startsAt: day(25), endsAt: day(26), percent: 40, rule: 'scheduled-group' }]);
  const silver = await ratesOf('silver');
  expect(silver).toMatchObject({ now: { percent: 15, rule: 'tier' }, until: null });
  expect(silver.coming.map(({ percent, rule }: Json) => [percent, rule])).toEqual([
    [25, 'scheduled-tier'],
    [20, 'scheduled-group'],
    [40, 'scheduled-group'],
  ]);
  const even = await ratesOf('even');
  expect(even, 'a schedule with the usual share').toMatchObject({
    now: { percent: 12, rule: 'scheduled-tier' },
    until: day(20),
    usual: { percent: 12, rule: 'tier' },
  });
  const plain = await ratesOf('plain');
  expect(plain).toMatchObject({ tierName: null, now: { percent: 10, rule: 'group' } });
  expect(JSON.stringify(plain)).not.toMatch(/Gold|Silver/);

  // Recording decides the same.
  for (const [name, at, percent] of [
    ['gold', nowMs, 30],
    ['silver', nowMs, 15],
    ['even', nowMs, 12],
    ['plain', nowMs, 10],
    ['plain', Date.parse(day(25)), 40],
    ['gold', Date.parse(day(26)), 20],
  ] as const) {
    const { transactionId } = purchase();
    await record(
      purchase({ transactionId, code: `R-${name}`, transactionDate: new Date(at).toISOString() }),
      { query: '?groupId=rates' },
    );
    await settle();
    expect(await portal.shown(transactionId, 'rates')).toMatchObject([{ memberSharePercent: percent }]);
  }
});
