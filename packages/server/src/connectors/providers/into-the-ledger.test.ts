import { describe, expect, test } from 'vitest';
import { type Shop, useConnectors } from '../../../test/connectors.ts';

const now = new Date('2026-05-02T12:00:00Z');
const { shop, send, deliver, work, outcomes, get, settle, expectSound, makeGroup, balance } = useConnectors({
  now: () => now,
});

let orders = 2_105_129_100;
const newOrder = (): string => {
  orders += 1;
  return String(orders);
};

/** Sends fixtures of an order one after another. @returns the last outcome, and the purchase's row */
async function sent(to: Shop, orderId: string, ...fixtures: string[]) {
  for (const fixture of fixtures) {
    expect(await deliver(to, fixture, { orderId })).toBe(200);
    await work();
  }
  const { body } = await get(`${to.provider}:${orderId}`, { query: '?include=meta' });
  return { last: (await outcomes(to, orderId)).at(-1), row: body[0]?.transaction };
}

describe('Xsolla', () => {
  test('order_paid is recorded without sales tax, and under a prefixed id', async () => {
    const { last, row } = await sent(await shop('xsolla'), newOrder(), 'order_paid');
    expect(last).toBe('Done Recorded');
    expect(row).toMatchObject({
      code: 'ALICE',
      subtotal: 199,
      total: 217,
      currency: 'USD',
      skuId: 'battle-pass',
      playerId: 'buyer-1',
      transactionDate: now.toISOString(),
    });
  });

  test('a payment without a store order is recorded, and the same order’s event after it is the same purchase', async () => {
    const xsolla = await shop('xsolla');
    const orderId = newOrder();
    expect((await sent(xsolla, orderId, 'payment')).last).toBe('Done Recorded');
    expect((await sent(xsolla, orderId, 'order_paid')).last).toBe('Done AlreadyRecorded');
  });

  test.each([
    ['order_canceled', 'Refund', 'Done Refunded'],
    ['refund', 'Refund', 'Done Refunded'],
    ['chargeback', 'Chargeback', 'Done ChargedBack'],
    ['fraud', 'Fraud', 'Done Refunded'],
  ])('%s takes everything back as %s', async (fixture, status, outcome) => {
    const { last, row } = await sent(await shop('xsolla'), newOrder(), 'order_paid', fixture);
    expect([last, row.status, row.refundedAmount]).toEqual([outcome, status, 199]);
  });

  test('both events of an older project are one refund', async () => {
    const xsolla = await shop('xsolla');
    const orderId = newOrder();
    await sent(xsolla, orderId, 'order_paid', 'refund');
    expect((await sent(xsolla, orderId, 'order_canceled')).last).toBe('Done AlreadyRefunded');
  });

  test('partial_refund takes back its part without tax, and a dispute holds and releases', async () => {
    const xsolla = await shop('xsolla');
    const orderId = newOrder();
    const part = await sent(xsolla, orderId, 'order_paid', 'partial_refund');
    expect([part.last, part.row.status, part.row.refundedAmount]).toEqual(['Done Refunded', 'Normal', 100]);
    expect((await sent(xsolla, orderId, 'dispute_opened')).last).toBe('Done Held');
    expect((await sent(xsolla, orderId, 'dispute_won')).last).toBe('Done Released');
  });

  test('prices with VAT are recorded without it', async () => {
    const xsolla = await shop('xsolla');
    const orderId = newOrder();
    const usd = (amount: number) => ({ currency: 'USD', amount });
    await send(xsolla, {
      notification_type: 'order_paid',
      items: [],
      order: { id: 1, mode: 'default', currency: 'USD', amount: '11.9000', invoice_id: orderId },
      user: { external_id: 'p' },
      custom_parameters: { creator_code: 'BOB' },
      billing: {
        transaction: { id: Number(orderId), payment_date: '2026-05-02T15:00:00+03:00' },
        payment_details: { payment: usd(11.9), vat: usd(1.9), sales_tax: usd(0) },
      },
    });
    await work();
    const [{ transaction }] = (await get(`xsolla:${orderId}`)).body;
    expect(transaction).toMatchObject({ subtotal: 1_000, total: 1_190, transactionDate: now.toISOString() });
  });

  test('events that are no movement of money are ignored, and virtual currency is free', async () => {
    const xsolla = await shop('xsolla');
    await send(xsolla, { notification_type: 'create_subscription', subscription: { subscription_id: 7 } });
    await send(xsolla, {
      notification_type: 'order_paid',
      order: { id: 2, currency_type: 'virtual', currency: null, amount: null, invoice_id: newOrder() },
      user: { external_id: 'p' },
    });
    await work();
    expect(await outcomes(xsolla)).toEqual(['Ignored Type', 'Ignored Free']);
  });

  test('renewals of a subscription count for the months that the settings say', async () => {
    const renewed = (orderId: string, started: string) => ({
      notification_type: 'payment',
      purchase: { total: { currency: 'USD', amount: 5 }, subscription: { date_create: started } },
      user: { id: 'p' },
      transaction: { id: Number(orderId), payment_date: now.toISOString() },
      custom_parameters: { creator_code: 'BOB' },
    });
    const [off, three] = [await shop('xsolla'), await shop('xsolla', { settings: { renewalMonths: 3 } })];
    for (const [to, started, expected] of [
      [off, '2026-05-02T11:59:00Z', 'Done Recorded'],
      [off, '2026-04-02T12:00:00Z', 'Ignored Renewal'],
      [three, '2026-02-02T12:00:01Z', 'Done Recorded'],
      [three, '2026-02-02T12:00:00Z', 'Ignored Renewal'],
    ] as const) {
      await send(to, renewed(newOrder(), started));
      await work();
      expect((await outcomes(to)).at(-1), started).toBe(expected);
    }
  });
});

describe('one’s own shop', () => {
  test('orders and refunds reach the ledger', async () => {
    await makeGroup('shop');
    const own = await shop('generic', { groupId: 'shop' });
    const orderId = newOrder();
    await deliver(own, 'order_paid', { orderId, code: 'M-A' });
    await work();
    await settle();
    expect(await balance('A', 'USD', 'shop')).toBe(100n);
    for (const [fixture, refunded] of [
      ['refund_part', 333],
      ['refund_full', 666],
    ] as const)
      expect((await sent(own, orderId, fixture)).row.refundedAmount).toBe(refunded);
    await settle();
    expect(await balance('A', 'USD', 'shop')).toBe(0n);
    await expectSound();
  });

  test('pointers and units describe any other format', async () => {
    const settings = {
      generic: {
        preset: 'neon',
        orderId: '/data/id',
        code: '/data/custom/codes/0',
        header: 'X-Shop',
      },
    };
    const neon = await shop('generic', { settings });
    const data = { id: 'n-1', subtotal: 50_000, total: 55_000, currency: 'jpy', custom: { codes: ['BOB'] } };
    await send(neon, { type: 'purchase.completed', id: 'e-1', createdAt: now.getTime(), data });
    await work();
    expect(await outcomes(neon)).toEqual(['Done Recorded']);
    expect((await get('n-1')).body[0].transaction).toMatchObject({
      subtotal: 500,
      total: 550,
      currency: 'JPY',
    });
  });
});
