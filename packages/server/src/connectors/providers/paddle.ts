import { toAmount } from '../exponents.ts';
import type { Amount, Movement, SaleItem } from '../movement.ts';
import { forbidden, Unreadable, type WebhookProvider } from '../provider.ts';
import type { ConnectorSettings } from '../settings.ts';
import { at, listOf, requireAmount, requireCurrency, requireText, requireTime, textOf } from './fields.ts';
import { paddleFixtures } from './paddle-fixtures.ts';
import { hmacSha256, secondsOf, verifyTimed } from './signatures.ts';

const form = { time: 'ts', signature: 'h1', separator: ';', joint: ':' } as const;

/**
 * Paddle Billing. Amounts are text in minor units, and adjustments have their own amount without tax. A sandbox is an account of its
 * own, whose connector says so in its settings.
 */
export const paddle: WebhookProvider = {
  id: 'paddle',
  name: 'Paddle',
  origin: 'webshopCode',
  signatureHeader: () => 'Paddle-Signature',
  hasHandshake: false,
  verify: ({ body, headers }, secrets, now) =>
    verifyTimed(headers['paddle-signature'], { body, secrets, now }, form),
  sign(body, secret, now) {
    const seconds = secondsOf(now);
    return {
      'paddle-signature': `ts=${seconds};h1=${hmacSha256(secret, `${seconds}:`, body).toString('hex')}`,
    };
  },
  handshake: () => null,
  refused: () => forbidden,
  read(body, settings) {
    const type = requireText(at(body, 'event_type'), 'event_type');
    const data = at(body, 'data');
    if (data === undefined) throw new Unreadable('data is missing.');
    const time = requireTime(at(body, 'occurred_at'), 'occurred_at');
    return [
      {
        key: requireText(at(body, 'event_id'), 'event_id'),
        type,
        isTest: settings.isTestAccount === true,
        movement: readMovement(type, data, { time, settings }),
      },
    ];
  },
  fixtures: paddleFixtures,
};

interface Context {
  /** Time of the event. */
  time: string;
  settings: ConnectorSettings;
}

function readMovement(type: string, data: unknown, context: Context): Movement {
  if (type === 'transaction.completed') return readTransaction(data, context);
  if (type === 'adjustment.created' || type === 'adjustment.updated') return readAdjustment(data, context);
  return { kind: 'Ignored', orderId: null, reason: 'Type' };
}

function readTransaction(data: unknown, { time, settings }: Context): Movement {
  const orderId = requireText(at(data, 'id'), 'id');
  const currency = requireCurrency(at(data, 'currency_code'), 'currency_code');
  const totals = at(data, 'details', 'totals');
  const total = amountAt(totals, 'grand_total', currency);
  const minor = amountAt(totals, 'subtotal', currency).minor - amountAt(totals, 'discount', currency).minor;
  if (minor <= 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const items = listOf(at(data, 'details', 'line_items')).map((item) => readItem(item, currency));
  const custom = at(data, 'custom_data');
  const names = items.map(({ name }) => name).filter((name) => name !== null);
  const billedAt = at(data, 'billed_at');
  const { transactionField } = settings;
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId: transactionField === undefined ? null : textOf(at(custom, transactionField)),
    code: textOf(at(custom, settings.codeField ?? 'creator_code')),
    playerId: textOf(at(custom, settings.playerField ?? 'player_id')) ?? textOf(at(data, 'customer_id')),
    subtotal: { minor, currency },
    total,
    items,
    description: names.length === 0 ? null : names.join(', ').slice(0, 2_000),
    at: billedAt === undefined ? time : requireTime(billedAt, 'billed_at'),
    ...(at(data, 'origin') === 'subscription_recurring' && { renewalOf: { startedAt: null } }),
  };
}

function readItem(item: unknown, currency: string): SaleItem {
  const totals = at(item, 'totals');
  const weight = amountAt(totals, 'subtotal', currency).minor - amountAt(totals, 'discount', currency).minor;
  return {
    skuId:
      textOf(at(item, 'product', 'custom_data', 'sku')) ??
      textOf(at(item, 'product', 'id')) ??
      textOf(at(item, 'price_id')),
    name: textOf(at(item, 'product', 'name')),
    weight: weight < 0n ? 0n : weight,
  };
}

function readAdjustment(data: unknown, { time }: Context): Movement {
  const orderId = requireText(at(data, 'transaction_id'), 'transaction_id');
  const id = requireText(at(data, 'id'), 'id');
  const status = textOf(at(data, 'status'));
  // A transaction has at most one chargeback and one warning, whose ends are adjustments with other ids.
  const [chargeback, warning] = [`chargeback ${orderId}`, `warning ${orderId}`];
  switch (at(data, 'action')) {
    case 'refund':
      if (status === 'reversed') return { kind: 'Reversed', orderId, subjectId: id, at: time };
      if (status !== 'approved') return { kind: 'Ignored', orderId, reason: 'Pending' };
      return { ...refundOf(data), orderId, subjectId: id, reversal: 'Refund', at: time };
    case 'chargeback':
      return { ...refundOf(data), orderId, subjectId: chargeback, reversal: 'Chargeback', at: time };
    case 'chargeback_reverse':
      return { kind: 'Reversed', orderId, subjectId: chargeback, at: time };
    case 'chargeback_warning':
      return { kind: 'Dispute', orderId, subjectId: warning, state: 'Opened', amount: null, at: time };
    case 'chargeback_warning_reverse':
      return { kind: 'Dispute', orderId, subjectId: warning, state: 'Won', amount: null, at: time };
    default:
      return { kind: 'Ignored', orderId, reason: 'Type' };
  }
}

/** Reads the adjusted amount without tax; null for a full adjustment. */
function refundOf(data: unknown) {
  const isFull = at(data, 'type') === 'full';
  const currency = requireCurrency(at(data, 'currency_code'), 'currency_code');
  const amount = isFull ? null : amountAt(at(data, 'totals'), 'subtotal', currency);
  return { kind: 'Refund' as const, amount, includesTax: false };
}

const amountAt = (totals: unknown, name: string, currency: string): Amount =>
  toAmount({ text: requireAmount(at(totals, name) ?? '0', name), currency }, 'minor');
