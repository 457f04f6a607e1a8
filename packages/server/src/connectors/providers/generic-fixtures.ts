import type { Fixture, FixtureOrder } from '../provider.ts';

const order = ({ orderId, code, playerId }: FixtureOrder) => ({
  id: orderId,
  creatorCode: code,
  playerId,
  subtotal: 999,
  total: 1_200,
  currency: 'USD',
  items: [
    { sku: 'battle-pass', name: 'Battle pass', price: 666 },
    { sku: 'gems-100', name: '100 gems', price: 333 },
  ],
});

/** Events in the format for a publisher's own shop (docs/connectors/own-shop.md). */
export const genericFixtures: readonly Fixture[] = [
  {
    name: 'order_paid',
    body: (of) => ({
      id: `paid-${of.orderId}`,
      type: 'order.paid',
      time: of.now.toISOString(),
      test: true,
      order: order(of),
    }),
  },
  {
    name: 'refund_part',
    body: (of) => ({
      id: `part-${of.orderId}`,
      type: 'order.refunded',
      time: of.now.toISOString(),
      test: true,
      order: { id: of.orderId, currency: 'USD' },
      refund: { id: `part-${of.orderId}`, amount: 600 },
    }),
  },
  {
    name: 'refund_full',
    body: (of) => ({
      id: `refunded-${of.orderId}`,
      type: 'order.refunded',
      time: of.now.toISOString(),
      test: true,
      order: { id: of.orderId, currency: 'USD' },
    }),
  },
];
