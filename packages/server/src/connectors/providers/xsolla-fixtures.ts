import type { Fixture, FixtureOrder } from '../provider.ts';

const money = (amount: number) => ({ currency: 'USD', amount });

const transaction = ({ orderId, now }: FixtureOrder) => ({
  id: orderId,
  dry_run: 1,
  payment_date: now.toISOString(),
  payment_method: 1_380,
  payment_method_name: 'Bank card',
});

const details = {
  payment: money(2.17),
  vat: { ...money(0), percent: 0 },
  sales_tax: { ...money(0.18), percent: 8.88 },
};

const order = (of: FixtureOrder, type: string, status: string) => ({
  notification_type: type,
  items: [{ sku: 'battle-pass', type: 'virtual_good', quantity: 1, amount: '1.9900', promotions: [] }],
  order: {
    id: 4_567,
    mode: 'sandbox',
    currency_type: 'real',
    currency: 'USD',
    amount: '1.9900',
    status,
    platform: 'xsolla',
    invoice_id: of.orderId,
  },
  user: { external_id: of.playerId, email: 'buyer@example.com', country: 'US' },
  custom_parameters: { creator_code: of.code },
  billing: {
    notification_type: 'payment',
    purchase: { total: money(1.99) },
    transaction: transaction(of),
    payment_details: details,
  },
});

const payment = (of: FixtureOrder, type: string, more: Record<string, unknown> = {}) => ({
  notification_type: type,
  purchase: { checkout: money(1.99), total: money(1.99) },
  user: { id: of.playerId, email: 'buyer@example.com', country: 'US' },
  transaction: transaction(of),
  payment_details: details,
  custom_parameters: { creator_code: of.code },
  ...more,
});

/** Events of an order of 1.99 USD with 0.18 of sales tax, in the documented form. */
export const xsollaFixtures: readonly Fixture[] = [
  { name: 'order_paid', body: (of) => order(of, 'order_paid', 'paid') },
  { name: 'payment', body: (of) => payment(of, 'payment') },
  { name: 'order_canceled', body: (of) => order(of, 'order_canceled', 'canceled') },
  {
    name: 'refund',
    body: (of) => payment(of, 'refund', { refund_details: { code: 1, reason: 'Cancellation by the user' } }),
  },
  {
    name: 'chargeback',
    body: (of) => payment(of, 'refund', { refund_details: { code: 2, reason: 'Chargeback' } }),
  },
  {
    name: 'fraud',
    body: (of) => payment(of, 'refund', { refund_details: { code: 4, reason: 'Potential fraud' } }),
  },
  {
    name: 'partial_refund',
    body: (of) =>
      payment(of, 'partial_refund', {
        payment_details: { ...details, payment: money(1.09) },
        refund_details: { code: 1, reason: 'Cancellation by the user' },
      }),
  },
  {
    name: 'dispute_opened',
    body: (of) => payment(of, 'dispute', { action: 'created', dispute: { status: 'new' } }),
  },
  {
    name: 'dispute_won',
    body: (of) => payment(of, 'dispute', { action: 'updated', dispute: { status: 'won' } }),
  },
  {
    name: 'dispute_lost',
    body: (of) => payment(of, 'dispute', { action: 'updated', dispute: { status: 'lost' } }),
  },
];
