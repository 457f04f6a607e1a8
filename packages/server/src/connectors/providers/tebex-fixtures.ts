import type { Fixture, FixtureOrder } from '../provider.ts';

const usd = (amount: number) => ({ amount, currency: 'USD' });

const event = (of: FixtureOrder, type: string): unknown => ({
  id: `${type}-${of.orderId}`,
  type,
  date: of.now.toISOString(),
  subject: {
    transaction_id: of.orderId,
    status: { id: 1, description: 'Complete' },
    payment_sequence: 'oneoff',
    created_at: of.now.toISOString(),
    price: usd(12),
    price_paid: usd(12),
    fees: { tax: usd(2.01), gateway: usd(0.5) },
    customer: { username: { id: of.playerId, username: 'Buyer' } },
    products: [
      { id: 'battle-pass', name: 'Battle pass', quantity: 1, base_price: usd(9.99), paid_price: usd(9.99) },
    ],
    custom: { creator_code: of.code },
  },
});

const named = (name: string, type: string): Fixture => ({ name, body: (of) => event(of, type) });

/** Events of an order of 12.00 USD with 2.01 of tax, in the documented form. */
export const tebexFixtures: readonly Fixture[] = [
  named('order_paid', 'payment.completed'),
  named('refund_full', 'payment.refunded'),
  named('dispute_opened', 'payment.dispute.opened'),
  named('dispute_won', 'payment.dispute.won'),
  named('dispute_lost', 'payment.dispute.lost'),
];
