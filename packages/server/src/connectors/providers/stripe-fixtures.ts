import type { Fixture, FixtureOrder } from '../provider.ts';

const seconds = (now: Date): number => Math.floor(now.getTime() / 1_000);

const event = ({ orderId, now }: FixtureOrder, type: string, object: Record<string, unknown>): unknown => ({
  id: `evt_${[...type.split('.'), String(object.status ?? ''), orderId].join('_')}`,
  object: 'event',
  created: seconds(now),
  livemode: false,
  type,
  data: { object },
});

/** Events of an order of 12.00 USD with 2.01 of tax, in the documented form. */
export const stripeFixtures: readonly Fixture[] = [
  {
    name: 'order_paid',
    body: (of) =>
      event(of, 'checkout.session.completed', {
        id: `cs_test_${of.orderId}`,
        object: 'checkout.session',
        amount_subtotal: 999,
        amount_total: 1_200,
        currency: 'usd',
        client_reference_id: null,
        metadata: {
          creator_code: of.code,
          player_id: of.playerId,
          sku: 'battle-pass',
          description: 'Battle pass',
        },
        mode: 'payment',
        payment_intent: of.orderId,
        payment_status: 'paid',
        total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 201 },
      }),
  },
  {
    name: 'payment_succeeded',
    body: (of) =>
      event(of, 'payment_intent.succeeded', {
        id: of.orderId,
        object: 'payment_intent',
        amount_received: 1_200,
        currency: 'usd',
        metadata: { creator_code: of.code, player_id: of.playerId, tax: '201' },
      }),
  },
  {
    name: 'refund_part',
    body: (of) => event(of, 'refund.created', refund(of, 600)),
  },
  {
    name: 'refund_full',
    body: (of) => event(of, 'refund.updated', refund(of, 1_200)),
  },
  {
    name: 'refund_failed',
    body: (of) => event(of, 'refund.failed', { ...refund(of, 600), status: 'failed' }),
  },
  {
    name: 'dispute_opened',
    body: (of) => event(of, 'charge.dispute.created', dispute(of, 'needs_response')),
  },
  { name: 'dispute_won', body: (of) => event(of, 'charge.dispute.closed', dispute(of, 'won')) },
  { name: 'dispute_lost', body: (of) => event(of, 'charge.dispute.closed', dispute(of, 'lost')) },
];

const refund = ({ orderId }: FixtureOrder, amount: number) => ({
  id: `re_${orderId}_${amount}`,
  object: 'refund',
  amount,
  currency: 'usd',
  payment_intent: orderId,
  reason: 'requested_by_customer',
  status: 'succeeded',
});

const dispute = ({ orderId }: FixtureOrder, status: string) => ({
  id: `dp_${orderId}`,
  object: 'dispute',
  amount: 1_200,
  currency: 'usd',
  payment_intent: orderId,
  status,
});
