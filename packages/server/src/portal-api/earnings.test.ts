import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import type { Browser } from '../../test/browser.ts';
import { purchase } from '../../test/fixtures.ts';
import { usePortal } from '../../test/portal.ts';

const portal = await usePortal();
const { creator, makeGroup, makeMember, record, earn, settle, create, markPaid, refund, reinstate } = portal;
const { clawBack, patch, query, service, provisionGroup } = portal;

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses
type Json = any;

const listed = async (from: Browser, filters = '', publisher = 'aurora'): Promise<Json[]> => {
  const { status, body } = await from.get(`/earnings?publisher=${publisher}${filters}`);
  expect(status).toBe(200);
  return body.rows;
};
const explain = (from: Browser, earningId: string, publisher = 'aurora') =>
  from.get(`/earnings/${earningId}/explain?publisher=${publisher}`);

/** Compares every earning of a creator with the admin API's explanation and row. */
async function expectSameAsStaff(from: Browser, memberId: string): Promise<void> {
  const ask = await asRole(service(), 'finance');
  const staff = (
    await ask('GET', `/transactions?creator=${memberId}&limit=100&status=normal,refund,fraud,chargeback`)
  ).body;
  const rows = await listed(from, '&limit=100');
  expect(rows.map(({ earningId }) => earningId)).toEqual(
    staff.rows.map(({ attributionId }: Json) => attributionId),
  );
  for (const [place, row] of rows.entries()) {
    const { transactionId } = staff.rows[place];
    const detail = (await ask('GET', `/transactions/${transactionId}`)).body;
    const other = detail.rows.find(({ row: each }: Json) => each.attributionId === row.earningId);
    const { status, body } = await explain(from, row.earningId);
    expect(status).toBe(200);
    expect(body.earning).toEqual(row);
    const { explanation } = body;
    const { offers, ...arithmetic } = other.explanation;
    expect({ ...explanation, offers: undefined }).toEqual({ ...arithmetic, offers: undefined });
    expect(explanation.offers.map(({ rule, percent }: Json) => [rule, percent])).toEqual(
      offers.map(({ rule, percent }: Json) => [rule, percent]),
    );
    expect(row).toMatchObject({ shareMinor: other.explanation.shareMinor, status: other.row.status });
    const inRow = (refunds: Json[]) =>
      refunds.flatMap((each) =>
        each.rows.filter(
          ({ attributionId, amountMinor }: Json) => attributionId === row.earningId && amountMinor !== '0',
        ),
      );
    expect(body.changes.map(({ amountMinor, shareMinor }: Json) => [amountMinor, shareMinor])).toEqual(
      inRow(detail.refunds).map(({ amountMinor, shareMinor }) => [amountMinor, shareMinor]),
    );
    const text = JSON.stringify(body);
    for (const secret of [transactionId, 'buyer-id', 'Buyer Name', 'ref-', 'because staff'])
      expect(text).not.toContain(secret);
  }
}

const buyer = {
  playerId: 'buyer-id',
  playerName: 'Buyer Name',
  metrics: { joinDate: '2024-01-01T00:00:00.000Z' },
};

describe('Earnings', () => {
  test('lists and explains every purchase with the same amounts as the dashboard, and nothing about buyers', async () => {
    await provisionGroup(
      'rules',
      `revShare: 12.5, holdDays: 30, tiers: [ { name: Gold, revShare: 33.3333 } ],
       skuRevShares: [ { skuId: skin, revShare: 7 } ],
       schedules: [ { startDate: "2024-06-01T00:00:00Z", endDate: "2024-07-01T00:00:00Z", revShare: 40,
                               tiers: [ { tier: Gold, revShare: 45 } ] } ],
       members: [ { id: acc_rules, name: R, playerId: p-r, tier: Gold, codes: [ { code: RULES, primary: true } ] },
                  { id: acc_other, name: O, playerId: p-o, codes: [ { code: OTHER, primary: true } ] } ]`,
    );
    const from = await creator('rules@example.com', 'acc_rules');
    expect(await listed(from)).toEqual([]);
    const sell = async (changes: object, among: object[] = []) => {
      const sent = { code: 'RULES', ...buyer, ...changes };
      const first = purchase(sent);
      const rest = among.map((each) => purchase({ ...sent, ...each, transactionId: first.transactionId }));
      const body = rest.length === 0 ? first : [first, ...rest];
      const { status } = await record(body, { query: '?groupId=rules' });
      expect(status).toBe(200);
      return first.transactionId;
    };
    const at = (day: string) => ({ transactionDate: `${day}T12:00:00.000Z` });
    await sell({ subtotal: 999, ...at('2024-05-01') });
    await sell({ subtotal: 1001, ...at('2024-06-15') });
    await sell({ subtotal: 333, skuId: 'skin', ...at('2024-06-16') });
    await sell({ subtotal: 777, memberSharePercent: 50, ...at('2024-06-17') });
    await sell({ subtotal: 333, currency: 'JPY', ...at('2024-05-02') });
    await sell({ subtotal: 12_345, currency: 'BHD', ...at('2024-05-03') });
    await sell({ subtotal: 600, ...at('2024-05-04') }, [{ code: 'OTHER', subtotal: 400 }]);
    await sell({ subtotal: 500, status: 'Test', ...at('2024-05-05') });
    const refunded = await sell({ subtotal: 3_000, ...at('2024-05-06') });
    const charged = await sell({ subtotal: 800, ...at('2024-05-07') });
    await settle();
    await refund(refunded, { refundId: 'ref-1', amount: 1_000, reason: 'Refund' });
    expect(await patch(charged, { form: { action: 'Chargeback' } })).toMatchObject({ status: 200 });
    await expectSameAsStaff(from, 'acc_rules');

    const rows = await listed(from);
    expect(rows).toHaveLength(9); // without the test purchase and the other creator's part
    const byDay = (day: string) => rows.find(({ transactionDate }) => transactionDate.startsWith(day));
    expect(byDay('2024-05-02')).toMatchObject({ currency: 'JPY', shareMinor: '111' });
    expect(byDay('2024-05-03')).toMatchObject({ currency: 'BHD', shareMinor: '4115' });
    expect(byDay('2024-05-06')).toMatchObject({
      status: 'Normal',
      state: 'earned',
      shareMinor: '1000',
      takenBackMinor: '333',
    });
    expect(byDay('2024-05-07')).toMatchObject({
      status: 'Chargeback',
      state: 'taken-back',
      shareMinor: '267',
      takenBackMinor: '267',
    });
    const split = (await explain(from, byDay('2024-05-04').earningId)).body;
    expect(split).toMatchObject({ isSplit: true, explanation: { subtotalMinor: '600', shareMinor: '200' } });
    expect(JSON.stringify(split)).not.toMatch(/OTHER|"400"|acc_other/);
    const scheduled = (await explain(from, byDay('2024-06-15').earningId)).body;
    expect(scheduled).toMatchObject({
      isSplit: false,
      heldUntil: '2024-07-15T12:00:00.000Z',
      explanation: {
        rule: 'scheduled-tier',
        percent: 45,
        exact: '450.45',
        shareMinor: '450',
        offers: [
          { rule: 'sent', percent: null },
          { rule: 'sku', percent: null },
          {
            rule: 'scheduled-tier',
            percent: 45,
            source: null,
            window: { startsAt: '2024-06-01T00:00:00.000Z', endsAt: '2024-07-01T00:00:00.000Z' },
          },
          { rule: 'scheduled-group', percent: 40 },
          { rule: 'tier', percent: 33.3333, source: 'Gold', window: null },
          { rule: 'group', percent: 12.5, source: 'rules' },
        ],
      },
    });

    const months = (await from.get('/earnings/months?publisher=aurora')).body.rows;
    expect(months).toEqual([
      { month: '2024-06', currency: 'USD', purchases: 3, shareMinor: String(450 + 23 + 388) },
      { month: '2024-05', currency: 'BHD', purchases: 1, shareMinor: '4115' },
      { month: '2024-05', currency: 'JPY', purchases: 1, shareMinor: '111' },
      { month: '2024-05', currency: 'USD', purchases: 3, shareMinor: String(333 + 200 + 667) },
    ]);
  });

  test('shows a purchase at once as arriving, and follows it into a payout, back, and into the next one', async () => {
    await makeGroup('moving', 'holdDays: 0,');
    const from = await creator('moving@example.com', 'acc_moving_A');
    const { transactionId, id } = await earn('moving', 'A', 900);
    const [arriving] = await listed(from);
    expect(arriving).toMatchObject({
      state: 'arriving',
      shareMinor: '900',
      takenBackMinor: '0',
      payout: null,
    });
    expect((await explain(from, arriving.earningId)).body).toMatchObject({
      earning: { state: 'arriving' },
      explanation: { shareMinor: '900' },
    });
    await settle();
    const now = async () => (await listed(from))[0];
    expect(await now()).toMatchObject({ state: 'earned' });
    const [payout] = await create('moving');
    expect(await now()).toMatchObject({ state: 'in-payout', payout: { number: expect.any(Number) } });
    await markPaid(payout?.batchId ?? '');
    expect(await now()).toMatchObject({ state: 'paid' });
    await clawBack(id, 'Fraud');
    expect(await now()).toMatchObject({ state: 'taken-back', status: 'Fraud', takenBackMinor: '900' });
    const clawed = (await explain(from, arriving.earningId)).body;
    expect(clawed).toMatchObject({
      changes: [{ action: 'Fraud', amountMinor: '900', shareMinor: '900', reinstatedAt: null }],
      adjustments: [{ kind: 'clawback', amountMinor: '-900', payoutNumber: null }],
    });
    const { currencies } = (await from.get('/home?publisher=aurora')).body.groups[0];
    expect(currencies).toMatchObject([
      { balanceMinor: '-900', waiting: [{ amountMinor: '-900', reasons: [{ kind: 'repaying' }] }] },
    ]);
    await earn('moving', 'A', 2_000);
    await settle();
    await create('moving');
    expect((await explain(from, arriving.earningId)).body).toMatchObject({
      adjustments: [{ kind: 'clawback', payoutNumber: 1002 }],
    });
    const records = await query(sql<{ key: string }>`
      select refund_id::text as key from refund_record where publisher_id = 'aurora' and attribution_id = ${arriving.earningId}::uuid`);
    const reinstated = await reinstate(transactionId, records[0]?.key ?? '');
    expect(reinstated.status).toBe(200);
    expect(await explain(from, arriving.earningId)).toMatchObject({
      body: {
        earning: { state: 'paid', takenBackMinor: '0' },
        changes: [{ action: 'Fraud', reinstatedAt: expect.stringMatching(/Z$/) }],
        adjustments: [
          { kind: 'clawback' },
          { kind: 'reinstatement', amountMinor: '900', payoutNumber: null },
        ],
      },
    });
    await portal.expectSound();
  });

  test('shows that the publisher holds a purchase, but not why', async () => {
    await makeGroup('held', 'holdDays: 0,');
    const from = await creator('held@example.com', 'acc_held_A');
    const { id, transactionId } = await earn('held', 'A', 100);
    await settle();
    const finance = await asRole(service(), 'finance');
    const hold = await finance('POST', `/transactions/${transactionId}/holds`, {
      reason: 'because staff suspect something',
    });
    expect(hold.status).toBe(200);
    const { body, text } = await explain(from, id);
    expect(body).toMatchObject({ earning: { state: 'earned' }, hold: { endsAt: null } });
    expect(text).not.toContain('because staff');
  });

  test('pages by key with every filter, across merged memberships and several accounts', async () => {
    await portal.makeEmptyGroup('paged');
    const generated = await portal.generate('paged', 'p-paged');
    const own = await makeMember('paged', 'PAGED');
    const second = await makeMember('paged', 'SECOND-PAGED');
    const from = await creator('paged@example.com', own);
    await from.post('/claims', { authCode: await portal.authCode(second) });
    const sold: { code: string; currency: string; month: string; status: string; at: string }[] = [];
    for (let place = 0; place < 60; place++) {
      const code = [generated, 'PAGED', 'SECOND-PAGED'][place % 3] ?? '';
      const currency = place % 7 === 0 ? 'EUR' : 'USD';
      const month = place % 2 === 0 ? '2024-03' : '2024-04';
      const at = `${month}-${String(1 + (place % 5) * 3).padStart(2, '0')}T00:00:00.000Z`; // many at once
      const sent = purchase({ code, currency, transactionDate: at, memberSharePercent: 10 });
      expect(await record(sent, { query: '?groupId=paged' })).toMatchObject({ status: 200 });
      const isRefunded = place % 11 === 0;
      if (place === 40) await settle();
      if (isRefunded)
        expect(await patch(sent.transactionId, { form: { action: 'Refund' } })).toMatchObject({
          status: 200,
        });
      sold.push({ code, currency, month, status: isRefunded ? 'Refund' : 'Normal', at });
    }
    // Test purchases are never listed, not even refunded ones, and don't shorten a page.
    for (const day of ['2024-04-14', '2024-04-15']) {
      const tried = purchase({ code: 'PAGED', status: 'Test', transactionDate: `${day}T00:00:00.000Z` });
      expect(await record(tried, { query: '?groupId=paged' })).toMatchObject({ status: 200 });
      await patch(tried.transactionId, { form: { action: 'Refund' } });
    }
    await portal.linked('paged', own, 'p-paged');
    const all = async (filters: string, limit: number): Promise<Json[]> => {
      const rows: Json[] = [];
      for (let cursor = ''; ; ) {
        const { status, body } = await from.get(
          `/earnings?publisher=aurora&limit=${limit}${filters}${cursor && `&cursor=${cursor}`}`,
        );
        if (status === 429) {
          await sleep(500); // this test sends more requests than one creator may
          continue;
        }
        expect(status).toBe(200);
        expect(body.rows.length).toBeLessThanOrEqual(limit);
        rows.push(...body.rows);
        if (body.nextCursor === null) return rows;
        cursor = body.nextCursor;
      }
    };
    const filters = [
      {},
      { month: '2024-03' },
      { code: generated },
      { code: 'paged' },
      { currency: 'EUR' },
      { status: 'Refund' },
      { status: 'Normal', currency: 'USD' },
      { month: '2024-04', code: 'SECOND-PAGED', currency: 'USD' },
      { month: '2024-03', currency: 'EUR', status: 'Refund' },
      { currency: 'JPY' },
      { month: '2023-01' },
    ];
    for (const settled of [false, true]) {
      if (settled) await settle();
      for (const filter of filters) {
        const search = new URLSearchParams(filter as Record<string, string>).toString();
        const expected = sold
          .filter((each) =>
            Object.entries(filter).every(
              ([name, value]) => each[name as 'code'].toLowerCase() === value.toLowerCase(),
            ),
          )
          .map(({ at }) => at)
          .sort()
          .reverse();
        const rows = await all(search && `&${search}`, 7);
        expect([search, rows.map(({ transactionDate }) => transactionDate)]).toEqual([search, expected]);
        expect(new Set(rows.map(({ earningId }) => earningId)).size).toBe(rows.length);
        expect(new Set((await all(search && `&${search}`, 100)).map(({ earningId }) => earningId))).toEqual(
          new Set(rows.map(({ earningId }) => earningId)),
        );
      }
    }
    const rows = await all('', 100);
    expect(new Set(rows.map(({ accountId }) => accountId))).toEqual(new Set([own, second]));
    expect(rows.find(({ code }) => code === generated)).toMatchObject({ accountId: own, code: generated });
  });

  test('belongs to its creator at its publisher: other ids get 404, like ids that don’t exist', async () => {
    await makeGroup('mine');
    await earn('mine', 'A', 100);
    const { id } = await earn('mine', 'B', 200);
    await settle();
    const a = await creator('mine-a@example.com', 'acc_mine_A');
    const b = await creator('mine-b@example.com', 'acc_mine_B');
    const outside = await creator('mine-x@example.com', await portal.makeOutsider('MINE-X'));
    expect((await listed(b)).map(({ earningId }) => earningId)).toEqual([id]);
    expect((await listed(a)).map(({ shareMinor }) => shareMinor)).toEqual(['100']);
    expect(await listed(outside, '', 'rival')).toEqual([]);
    const unknown = await explain(a, '01900000-0000-7000-8000-000000000000');
    for (const answer of [
      await explain(a, id),
      await explain(a, id.toUpperCase()),
      await explain(outside, id, 'rival'),
      await explain(a, 'x'),
      await explain(a, `${id}'`),
    ])
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    expect(await explain(outside, id)).toMatchObject({ status: 404 });
    expect(await explain(b, id.toUpperCase())).toMatchObject({ status: 200 });
    // A cursor is valid only for its own list.
    await earn('mine', 'A', 300);
    const { nextCursor } = (await a.get('/earnings?publisher=aurora&limit=1')).body;
    expect(nextCursor).toEqual(expect.any(String));
    for (const [from, path] of [
      [b, `/earnings?publisher=aurora&limit=1&cursor=${nextCursor}`],
      [a, `/earnings?publisher=aurora&limit=1&currency=USD&cursor=${nextCursor}`],
      [a, `/payouts?publisher=aurora&cursor=${nextCursor}`],
      [a, '/earnings?publisher=aurora&cursor=x'],
      [a, '/earnings?publisher=aurora&month=2024-13'],
      [a, '/earnings?publisher=aurora&month=0000-01'],
      [a, '/earnings?publisher=aurora&limit=0'],
      [a, '/earnings?publisher=aurora&limit=101'],
      [a, '/earnings?publisher=aurora&status=Test'],
      [a, '/earnings?publisher=aurora&currency=usd'],
      [a, `/earnings?publisher=aurora&code=${'x'.repeat(256)}`],
    ] as const)
      expect([path, (await from.get(path)).status]).toEqual([path, 400]);
    for (const code of ['%F0%9F%8E%AE', 'ẞ', "'; --", '%25'])
      expect(await a.get(`/earnings?publisher=aurora&code=${code}`)).toMatchObject({
        status: 200,
        body: { rows: [], nextCursor: null },
      });
  });

  test('names a row to support by a short reference, which the dashboard’s search finds', async () => {
    await makeGroup('named');
    const { transactionId } = await earn('named', 'A', 100);
    const from = await creator('named@example.com', 'acc_named_A');
    const [{ reference }] = await listed(from);
    expect(reference).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    const ask = await asRole(service(), 'support');
    for (const typed of [reference, reference.toLowerCase(), reference.replaceAll('-', ' ')])
      expect((await ask('GET', `/search?q=${encodeURIComponent(typed)}`)).body.results).toMatchObject([
        { kind: 'transaction', id: transactionId, about: expect.stringContaining(reference) },
      ]);
    const rival = await asRole(service(), 'support', 'rival');
    expect((await rival('GET', `/search?q=${reference}`)).body.results).toEqual([]);
  });
});
