import type { Fixture, FixtureOrder } from '../provider.ts';

interface Item {
  itemid: number;
  amount: number;
  vat: number;
  itemstatus: string;
}

const passItem = (itemstatus: string): Item => ({ itemid: 100, amount: 999, vat: 190, itemstatus });
const skinItem = (itemstatus: string): Item => ({ itemid: 101, amount: 200, vat: 38, itemstatus });

/** Returns an order as Steam's report lists it. The code is not a part of it, and is named in advance. */
const order = (
  { orderId, playerId, now }: FixtureOrder,
  status: string,
  items: readonly Item[],
  changedAt = now,
): unknown => ({
  orderid: orderId,
  transid: `9${orderId}`,
  steamid: playerId,
  status,
  currency: 'EUR',
  time: rfc3339(changedAt),
  country: 'DE',
  usstate: '',
  timecreated: rfc3339(now),
  items: items.map((item) => ({ qty: 1, ...item })),
});

/** Formats a time as Steam does, in whole seconds. */
const rfc3339 = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

const whole = (name: string, status: string): Fixture => ({
  name,
  body: (of) => order(of, status, [passItem(status), skinItem(status)]),
});

/** States of an order of 14.27 EUR with 2.28 of VAT, in the documented form. */
export const steamFixtures: readonly Fixture[] = [
  whole('order_paid', 'Succeeded'),
  whole('refunded', 'Refunded'),
  {
    name: 'partial_refund',
    body: (of) => order(of, 'PartialRefund', [passItem('Succeeded'), skinItem('Refunded')]),
  },
  whole('chargeback', 'Chargedback'),
  whole('suspected_fraud', 'RefundedSuspectedFraud'),
  whole('friendly_fraud', 'RefundedFriendlyFraud'),
];
