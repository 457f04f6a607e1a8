import type { Fixture, FixtureOrder } from '../provider.ts';

const events = ({ orderId, now }: FixtureOrder, type: string, name: string, data: object): unknown => ({
  events: [
    {
      id: `${name}-${orderId}`,
      processed: false,
      created: now.getTime(),
      type,
      live: false,
      data: { ...data, changed: now.getTime(), currency: 'USD', live: false },
    },
  ],
});

const order = ({ orderId, code, playerId }: FixtureOrder) => ({
  order: orderId,
  id: orderId,
  reference: 'ABC123456-7891-01112',
  account: 'account-1',
  tags: { creator_code: code, player_id: playerId },
  subtotal: 9.99,
  tax: 2.01,
  total: 12,
  items: [
    { product: 'battle-pass', sku: 'battle-pass', display: 'Battle pass', quantity: 1, subtotal: 9.99 },
  ],
});

const returned = ({ orderId }: FixtureOrder, totalReturn: number) => ({
  return: `return-${orderId}-${totalReturn}`,
  totalReturn,
  original: { id: orderId, order: orderId, reference: 'ABC123456-7891-01112' },
});

/** Events of an order of 12.00 USD with 2.01 of tax, in the documented form. */
export const fastspringFixtures: readonly Fixture[] = [
  { name: 'order_paid', body: (of) => events(of, 'order.completed', 'paid', order(of)) },
  { name: 'refund_part', body: (of) => events(of, 'return.created', 'part', returned(of, 6)) },
  { name: 'refund_full', body: (of) => events(of, 'return.created', 'full', returned(of, 12)) },
];
