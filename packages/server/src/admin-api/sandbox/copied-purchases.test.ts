import { beforeAll, expect, test } from 'vitest';
import { useMoney } from '../../../test/money.ts';
import { type SignedInPerson, signIn } from '../../../test/staff.ts';

const money = useMoney();
const { service, makeGroup, earn, settle, expectSound } = money;
const dayMs = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

let owner: SignedInPerson;
beforeAll(async () => {
  owner = await signIn(service(), 'owner');
});

interface Due {
  asOf: string;
  rows: Record<string, string>[];
}

test('copies the purchases of a time range that can still be paid, with their shares, dates and holds', async () => {
  await makeGroup('span', 'holdDays: 30,');
  const inSpan = (days: number) => ({ transactionDate: ago(days), playerId: 'buyer-1', playerName: 'Bea' });
  await earn('span', 'A', 500, inSpan(80)); // in a payout
  await settle();
  for (const { batchId } of await money.create('span')) await money.markPaid(batchId);
  const refunded = await earn('span', 'A', 90, inSpan(50));
  await earn('span', 'A', 1, inSpan(200)); // before the range
  await earn('span', 'A', 700, inSpan(45));
  await earn('span', 'A', 40, inSpan(10));
  await earn('span', 'B', 33, { ...inSpan(45), memberSharePercent: 33.3333, subtotal: 100 });
  await settle();
  await money.patch(refunded.transactionId, { form: { action: 'Refund' } });

  const { status, body } = await owner.ask('POST', '/sandbox', { replaces: null, purchasesSince: ago(100) });
  expect([status, body.purchaseCount]).toEqual([200, 3]);
  const { publisherId: id } = body.sandbox;
  const inSandbox = (method: string, path: string, json?: unknown) =>
    owner.ask(method, `/admin/v1/publishers/${id}${path}`, json);
  await settle();
  await expectSound();
  const preview = async () => (await inSandbox('GET', '/payouts/preview?group=span')).body as Due;
  const inShort = ({ rows }: Due) =>
    rows.map(({ name, amountMinor, laterMinor }) => [name, amountMinor, laterMinor]);
  expect(inShort(await preview())).toEqual([
    ['A', '700', '40'],
    ['B', '33', '0'],
  ]);
  const list = (await inSandbox('GET', '/transactions?group=span')).body;
  expect(JSON.stringify(list)).not.toMatch(/buyer-1|Bea/);

  // asOf is also on the sandbox clock. A payout with this asOf pays exactly the amounts of the preview.
  const { now } = (await inSandbox('GET', '/sandbox')).body.sandbox;
  const to = new Date(Date.parse(now) + 30 * dayMs).toISOString();
  expect((await inSandbox('POST', '/clock', { to, aheadMs: 0 })).status).toBe(200);
  const later = await preview();
  expect(inShort(later)).toEqual([
    ['A', '740', '0'],
    ['B', '33', '0'],
  ]);
  expect(Math.abs(Date.parse(later.asOf) - Date.parse(to))).toBeLessThan(60_000);
  const again = await inSandbox('GET', `/payouts/preview?group=span&asOf=${later.asOf}`);
  expect(again.body.asOf).toBe(later.asOf);
  const created = await inSandbox('POST', '/payouts', { groupId: 'span', asOf: later.asOf });
  expect([created.status, created.body.payouts]).toMatchObject([
    200,
    [{ totalMinor: '773', asOf: later.asOf }],
  ]);
  expect(Math.abs(Date.parse(created.body.payouts[0].createdAt) - Date.parse(to))).toBeLessThan(60_000);
  const twice = await inSandbox('POST', '/payouts', { groupId: 'span', asOf: later.asOf });
  expect(twice.body.payouts[0].payoutId).toBe(created.body.payouts[0].payoutId);
  await expectSound();
});

test('a copied purchase keeps the schedule, tier and SKU that determined its share', async () => {
  const schedule = `{ startDate: "${ago(50)}", endDate: "${ago(40)}", revShare: 20 }`;
  await makeGroup(
    'planned',
    `tiers: [ { name: Gold, revShare: 30 } ], schedules: [ ${schedule} ], skuRevShares: [ { skuId: sword, revShare: 50 } ],`,
  );
  const { version } = (await owner.ask('GET', '/members/acc_planned_B?group=planned')).body;
  const gold = await owner.ask('PATCH', '/members/acc_planned_B?group=planned', { tier: 'Gold', version });
  expect(gold.status).toBe(200);
  const noSentShare = { memberSharePercent: undefined, subtotal: 1_000 };
  const sent = [
    await earn('planned', 'A', 0, { ...noSentShare, transactionDate: ago(45) }),
    await earn('planned', 'B', 0, { ...noSentShare, transactionDate: ago(35) }),
    await earn('planned', 'A', 0, { ...noSentShare, transactionDate: ago(35), skuId: 'sword' }),
  ];
  await settle();
  const { sandbox: before } = (await owner.ask('GET', '/sandbox')).body;
  const { status, body } = await owner.ask('POST', '/sandbox', {
    replaces: before?.publisherId ?? null,
    purchasesSince: ago(60),
  });
  expect(status).toBe(200);
  await settle();
  const base = `/admin/v1/publishers/${body.sandbox.publisherId}/transactions`;
  const explanationsAt = async (path: string) =>
    Promise.all(
      sent.map(async ({ transactionId }) => {
        const answer = await owner.ask('GET', `${path}/${transactionId}`);
        return answer.body.rows.map(({ explanation }: { explanation: unknown }) => explanation);
      }),
    );
  const live = await explanationsAt('/transactions');
  expect(JSON.stringify(live)).toMatch(/scheduled-group.*tier.*sku/);
  expect(await explanationsAt(base)).toEqual(live);
  await expectSound();
});
