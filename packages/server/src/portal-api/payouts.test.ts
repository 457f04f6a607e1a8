import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { operations } from '../../test/money.ts';
import { usePortal } from '../../test/portal.ts';
import { testSealer } from '../../test/sealer.ts';
import { testActor } from '../../test/test-actor.ts';
import { approveMethod } from '../payees/approve-method.ts';
import type { TypedDestination } from '../payees/check-destination.ts';
import { enterMethod } from '../payees/enter-method.ts';
import { toAccountId } from '../platform/ids.ts';
import type { LineResult } from '../settlement/payouts/results/result.ts';

const portal = await usePortal();
const { creator, makeGroup, earn, settle, create, markPaid, cancel, clawBack, db, query, expectSound } =
  portal;

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses
type Json = any;

const set = (payoutId: string, reference: string, result: LineResult, note: string | null = null) =>
  operations.setResults(db(), testActor, {
    publisherId: 'aurora',
    payoutId,
    results: [{ line: 1, reference, result, note, problem: null }],
    isDryRun: false,
  });

/** Gives a creator a payout method that can be used at once. */
async function giveMethod(memberId: string, destination: TypedDestination): Promise<void> {
  const { methodId } = await enterMethod(db(), testSealer, testActor, {
    publisherId: 'aurora',
    memberId: toAccountId(memberId),
    destination,
  });
  const approver = { ...testActor, id: 'approver', name: 'approver' };
  await approveMethod(db(), approver, { publisherId: 'aurora', methodId, acceptsShared: true });
  await query(sql`update payee_method set usable_from = '2000-01-01' where method_id = ${methodId}::uuid`);
}

const holder = { holderName: 'Nia Okafor', holderType: 'individual', country: 'DE' } as const;

async function payoutsOf(email: string, groupId: string) {
  const browser = await creator(email, `acc_${groupId}_A`);
  const list = async (): Promise<Json[]> => {
    const { status, body } = await browser.get('/payouts?publisher=aurora');
    expect(status).toBe(200);
    return body.rows;
  };
  const detail = async (lineId: string): Promise<Json> => {
    const { status, body } = await browser.get(`/payouts/${lineId}?publisher=aurora`);
    expect(status).toBe(200);
    return body;
  };
  return { browser, list, detail };
}

describe('Payouts', () => {
  test('follows a payment: sent, to be collected, returned with its note, and owed again in the next payout', async () => {
    await makeGroup('followed', 'holdDays: 0,');
    const { list, detail, browser } = await payoutsOf('followed@example.com', 'followed');
    expect(await list()).toEqual([]);
    await giveMethod('acc_followed_A', { kind: 'paypal', ...holder, email: 'nia@example.com' });
    await earn('followed', 'A', 4_520);
    await earn('followed', 'B', 77_777);
    await settle();
    const [batch] = await create('followed');
    const payoutId = batch?.batchId ?? '';
    const [created] = await list();
    expect(created).toMatchObject({
      number: 1001,
      groupId: 'followed',
      accountId: 'acc_followed_A',
      reference: expect.stringMatching(/^1001-0000\d$/),
      currency: 'USD',
      amountMinor: '4520',
      state: 'created',
      note: null,
      method: { kind: 'paypal', hint: expect.stringContaining('…') },
      collectBy: null,
      purchaseCount: 1,
      purchasesMinor: '4520',
      adjustmentsMinor: '0',
    });
    expect(created.stateAt).toBe(created.createdAt);
    const { lineId, reference } = created;
    await set(payoutId, reference, 'Sent', 'file 2 of 3');
    const sent = await detail(lineId);
    expect(sent).toMatchObject({ state: 'sent', owedAgain: null, results: [{ result: 'Sent' }] });
    expect(Date.parse(sent.collectBy) - Date.parse(sent.stateAt)).toBe(30 * 86_400_000);
    await set(payoutId, reference, 'Returned', 'Account closed');
    expect(await detail(lineId)).toMatchObject({
      state: 'returned',
      note: 'Account closed',
      collectBy: null,
      owedAgain: { amountMinor: '4520', payoutNumber: null },
      results: [{ result: 'Sent' }, { result: 'Returned', note: 'Account closed' }],
    });
    await markPaid(payoutId); // the rest of the payout
    expect(await list()).toMatchObject([{ state: 'returned' }]);
    const earnings = (await browser.get('/earnings?publisher=aurora')).body.rows;
    expect(earnings).toMatchObject([{ state: 'owed-again', payout: { lineId, number: 1001 } }]);
    await create('followed');
    expect(await list()).toMatchObject([
      { number: 1002, state: 'created', amountMinor: '4520', purchaseCount: 0, adjustmentsMinor: '4520' },
      { number: 1001, state: 'returned' },
    ]);
    expect(await detail(lineId)).toMatchObject({ owedAgain: { payoutNumber: 1002 } });
    const text = JSON.stringify([await list(), await detail(lineId)]);
    for (const secret of ['77777', 'nia@example.com', 'acc_followed_B', payoutId])
      expect(text).not.toContain(secret);
    await expectSound();
  });

  test('shows paid, failed and canceled payouts, in every currency, and clawbacks in the next one', async () => {
    await makeGroup('states', 'holdDays: 0,');
    const { list, detail } = await payoutsOf('states@example.com', 'states');
    const { id } = await earn('states', 'A', 1_000);
    await earn('states', 'A', 333, { currency: 'JPY' });
    await earn('states', 'A', 4_115, { currency: 'BHD' });
    await settle();
    const batches = await create('states');
    const byCurrency = async (currency: string) =>
      (await list()).filter((each) => each.currency === currency);
    const idOf = (currency: string) => batches.find((each) => each.currency === currency)?.batchId ?? '';
    expect((await list()).map(({ currency, amountMinor }) => `${currency} ${amountMinor}`).sort()).toEqual([
      'BHD 4115',
      'JPY 333',
      'USD 1000',
    ]);
    await cancel(idOf('BHD'));
    const [yen] = await byCurrency('JPY');
    await set(idOf('JPY'), yen.reference, 'Failed');
    await markPaid(idOf('USD'));
    expect(await byCurrency('BHD')).toMatchObject([{ state: 'canceled', note: null }]);
    expect(await byCurrency('JPY')).toMatchObject([{ state: 'failed', note: null }]);
    const [paid] = await byCurrency('USD');
    expect(paid).toMatchObject({ state: 'paid' });
    expect(await detail(paid.lineId)).toMatchObject({ results: [], owedAgain: null });
    await clawBack(id, 'Chargeback');
    await earn('states', 'A', 1_500);
    await settle();
    await create('states', null, 'USD');
    expect(await byCurrency('USD')).toMatchObject([
      { state: 'created', amountMinor: '500', purchasesMinor: '1500', adjustmentsMinor: '-1000' },
      { state: 'paid', amountMinor: '1000' },
    ]);
    await expectSound();
  });

  test('pages, contains merged members, and answers other creators’ ids with 404', async () => {
    await portal.makeEmptyGroup('joined', 'holdDays: 0,');
    const code = await portal.generate('joined', 'p-joined');
    const own = await portal.makeMember('joined', 'JOINED');
    const other = await portal.makeMember('joined', 'NOT-JOINED');
    const sell = (to: string, subtotal: number) =>
      portal.record(
        {
          transactionId: `joined-${to}-${subtotal}`,
          code: to,
          description: 'x',
          subtotal,
          memberSharePercent: 100,
          currency: 'USD',
          transactionDate: '2024-05-01T12:00:00.000Z',
        },
        { query: '?groupId=joined' },
      );
    for (const amount of [100, 200, 300]) {
      await sell(code, amount);
      await sell('NOT-JOINED', amount + 1);
      await settle();
      await create('joined');
    }
    const browser = await creator('joined@example.com', own);
    const outsider = await creator('not-joined@example.com', other);
    expect((await browser.get('/payouts?publisher=aurora')).body).toEqual({ rows: [], nextCursor: null });
    await portal.linked('joined', own, 'p-joined');
    const first = (await browser.get('/payouts?publisher=aurora&limit=2')).body;
    expect(first.rows.map(({ amountMinor }: Json) => amountMinor)).toEqual(['300', '200']);
    const second = (await browser.get(`/payouts?publisher=aurora&limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ rows: [{ amountMinor: '100', accountId: own }], nextCursor: null });
    const [{ lineId }] = second.rows;
    const unknown = await outsider.get('/payouts/01900000-0000-7000-8000-000000000000?publisher=aurora');
    for (const id of [lineId, lineId.toUpperCase(), 'x', '%27'])
      expect(await outsider.get(`/payouts/${id}?publisher=aurora`)).toMatchObject({
        status: 404,
        text: unknown.text,
      });
    expect(await outsider.get(`/payouts?publisher=aurora&cursor=${first.nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'InvalidCursor' },
    });
  });
});
