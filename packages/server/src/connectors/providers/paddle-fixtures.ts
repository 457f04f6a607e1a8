import type { Fixture, FixtureOrder } from '../provider.ts';

const event = ({ orderId, now }: FixtureOrder, type: string, name: string, data: unknown): unknown => ({
  event_id: `evt_${name}_${orderId}`,
  event_type: type,
  occurred_at: now.toISOString(),
  notification_id: `ntf_${name}_${orderId}`,
  data,
});

const transaction = ({ orderId, code, playerId, now }: FixtureOrder) => ({
  id: orderId,
  status: 'completed',
  origin: 'web',
  currency_code: 'USD',
  custom_data: { creator_code: code, player_id: playerId },
  billed_at: now.toISOString(),
  details: {
    totals: { subtotal: '1100', discount: '101', tax: '201', total: '1200', grand_total: '1200' },
    line_items: [
      {
        price_id: 'pri_1',
        quantity: 1,
        product: { id: 'pro_1', name: 'Battle pass', custom_data: { sku: 'battle-pass' } },
        totals: { subtotal: '1100', discount: '101', tax: '201', total: '1200' },
      },
    ],
  },
});

const adjustment = ({ orderId }: FixtureOrder, action: string, changes: Record<string, unknown> = {}) => ({
  id: `adj_${action}_${orderId}`,
  action,
  type: 'full',
  status: 'approved',
  transaction_id: orderId,
  currency_code: 'USD',
  totals: { subtotal: '999', tax: '201', total: '1200' },
  ...changes,
});

const part = { type: 'partial', totals: { subtotal: '500', tax: '100', total: '600' } };

/** Events of an order of 12.00 USD with 2.01 of tax, in the documented form. */
export const paddleFixtures: readonly Fixture[] = [
  { name: 'order_paid', body: (of) => event(of, 'transaction.completed', 'paid', transaction(of)) },
  {
    name: 'refund_pending',
    body: (of) =>
      event(
        of,
        'adjustment.created',
        'pending',
        adjustment(of, 'refund', { ...part, status: 'pending_approval' }),
      ),
  },
  {
    name: 'refund_part',
    body: (of) => event(of, 'adjustment.updated', 'part', adjustment(of, 'refund', part)),
  },
  {
    name: 'refund_full',
    body: (of) =>
      event(of, 'adjustment.updated', 'full', adjustment(of, 'refund', { id: `adj_full_${of.orderId}` })),
  },
  {
    name: 'dispute_opened',
    body: (of) => event(of, 'adjustment.created', 'warning', adjustment(of, 'chargeback_warning')),
  },
  {
    name: 'dispute_won',
    body: (of) => event(of, 'adjustment.created', 'over', adjustment(of, 'chargeback_warning_reverse')),
  },
  {
    name: 'chargeback',
    body: (of) => event(of, 'adjustment.created', 'chargeback', adjustment(of, 'chargeback')),
  },
  {
    name: 'chargeback_reversed',
    body: (of) => event(of, 'adjustment.created', 'reversed', adjustment(of, 'chargeback_reverse')),
  },
];
