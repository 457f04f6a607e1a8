import { toAmount } from '../exponents.ts';
import type { Movement, ReadEvent, SaleItem } from '../movement.ts';
import { forbidden, Unreadable, type WebhookProvider } from '../provider.ts';
import type { ConnectorSettings } from '../settings.ts';
import { at, requireAmount, requireCurrency, requireText, requireTime, textOf } from './fields.ts';
import { hmacSha256, secondsOf, verifyTimed } from './signatures.ts';
import { stripeFixtures } from './stripe-fixtures.ts';

const form = { time: 't', signature: 'v1', separator: ',', joint: '.' } as const;

/**
 * Stripe. Amounts are in Stripe's own minor units. The id of an order is its PaymentIntent, which refunds and disputes name.
 * `charge.refunded` is not read, because it has the running sum of all refunds.
 */
export const stripe: WebhookProvider = {
  id: 'stripe',
  name: 'Stripe',
  origin: 'webshopCode',
  signatureHeader: () => 'Stripe-Signature',
  hasHandshake: false,
  verify: ({ body, headers }, secrets, now) =>
    verifyTimed(headers['stripe-signature'], { body, secrets, now }, form),
  sign(body, secret, now) {
    const seconds = secondsOf(now);
    const signature = hmacSha256(secret, `${seconds}.`, body).toString('hex');
    return { 'stripe-signature': `t=${seconds},v1=${signature}` };
  },
  handshake: () => null,
  refused: () => forbidden,
  read(body, settings) {
    const type = requireText(at(body, 'type'), 'type');
    const object = at(body, 'data', 'object');
    if (object === undefined) throw new Unreadable('data.object is missing.');
    return [
      {
        key: requireText(at(body, 'id'), 'id'),
        type,
        isTest: at(body, 'livemode') !== true,
        movement: readMovement(type, object, { body, settings }),
      } satisfies ReadEvent,
    ];
  },
  fixtures: stripeFixtures,
};

interface Context {
  body: unknown;
  settings: ConnectorSettings;
}

function readMovement(type: string, object: unknown, context: Context): Movement {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readSession(object, context);
    case 'payment_intent.succeeded':
      return readIntent(object, context);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return readRefund(object, context);
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated':
      return readDispute(type, object, context);
    default:
      return { kind: 'Ignored', orderId: null, reason: 'Type' };
  }
}

function readSession(object: unknown, { body, settings }: Context): Movement {
  const orderId = intentOf(object);
  if (sales(settings) !== 'checkout') return { kind: 'Ignored', orderId, reason: 'OtherSale' };
  // An asynchronous payment method completes the session first, and pays later.
  if (at(object, 'payment_status') === 'unpaid') return { kind: 'Ignored', orderId, reason: 'Pending' };
  if (at(object, 'payment_status') !== 'paid') return { kind: 'Ignored', orderId, reason: 'Free' };
  if (orderId === null) return { kind: 'Ignored', orderId, reason: 'Subscription' };
  const total = amountOf(object, 'amount_total');
  const without = ['amount_tax', 'amount_shipping'].map(
    (name) =>
      readAmount(at(object, 'total_details', name) ?? 0, total.currency, `total_details.${name}`).minor,
  );
  const subtotal = { ...total, minor: total.minor - without.reduce((sum, each) => sum + each, 0n) };
  return sale(object, {
    settings,
    orderId,
    subtotal,
    total,
    playerId:
      textOf(at(object, 'metadata', settings.playerField ?? 'player_id')) ??
      textOf(at(object, 'client_reference_id')),
    time: at(body, 'created'),
  });
}

function readIntent(object: unknown, { body, settings }: Context): Movement {
  const orderId = requireText(at(object, 'id'), 'id');
  if (sales(settings) !== 'payment_intent') return { kind: 'Ignored', orderId, reason: 'OtherSale' };
  const total = amountOf(object, 'amount_received');
  const tax = readAmount(at(object, 'metadata', 'tax') ?? 0, total.currency, 'metadata.tax');
  return sale(object, {
    settings,
    orderId,
    subtotal: { ...total, minor: total.minor - tax.minor },
    total,
    playerId: textOf(at(object, 'metadata', settings.playerField ?? 'player_id')),
    time: at(body, 'created'),
  });
}

interface SaleParts {
  settings: ConnectorSettings;
  orderId: string;
  subtotal: { minor: bigint; currency: string };
  total: { minor: bigint; currency: string };
  playerId: string | null;
  time: unknown;
}

function sale(object: unknown, { settings, orderId, subtotal, total, playerId, time }: SaleParts): Movement {
  if (subtotal.minor <= 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const skuId = textOf(at(object, 'metadata', 'sku'));
  const items: SaleItem[] = skuId === null ? [] : [{ skuId, name: null, weight: 1n }];
  const { transactionField } = settings;
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId:
      transactionField === undefined ? null : textOf(at(object, 'metadata', transactionField)),
    code: textOf(at(object, 'metadata', settings.codeField ?? 'creator_code')),
    playerId,
    subtotal,
    total,
    items,
    description:
      textOf(at(object, 'metadata', 'description'), 2_000) ?? textOf(at(object, 'description'), 2_000),
    at: requireTime(time, 'created'),
  };
}

function readRefund(object: unknown, { body }: Context): Movement {
  const orderId = intentOf(object);
  if (orderId === null) return { kind: 'Ignored', orderId, reason: 'Type' };
  const status = textOf(at(object, 'status'));
  const subjectId = requireText(at(object, 'id'), 'id');
  const time = requireTime(at(body, 'created'), 'created');
  if (status === 'failed' || status === 'canceled') return { kind: 'Reversed', orderId, subjectId, at: time };
  if (status !== 'succeeded') return { kind: 'Ignored', orderId, reason: 'Pending' };
  return {
    kind: 'Refund',
    orderId,
    subjectId,
    reversal: textOf(at(object, 'reason')) === 'fraudulent' ? 'Fraud' : 'Refund',
    amount: amountOf(object, 'amount'),
    includesTax: true,
    at: time,
  };
}

/** Outcomes of a dispute that give the money back to the shop. */
const won: readonly string[] = ['won', 'warning_closed', 'prevented'];

function readDispute(type: string, object: unknown, { body }: Context): Movement {
  const orderId = intentOf(object);
  if (orderId === null) return { kind: 'Ignored', orderId, reason: 'Type' };
  const status = textOf(at(object, 'status')) ?? '';
  const state =
    type === 'charge.dispute.created'
      ? 'Opened'
      : won.includes(status)
        ? 'Won'
        : status === 'lost'
          ? 'Lost'
          : null;
  if (state === null) return { kind: 'Ignored', orderId, reason: 'Pending' };
  return {
    kind: 'Dispute',
    orderId,
    subjectId: requireText(at(object, 'id'), 'id'),
    state,
    amount: amountOf(object, 'amount'),
    at: requireTime(at(body, 'created'), 'created'),
  };
}

const sales = (settings: ConnectorSettings): string => settings.stripeSales ?? 'checkout';

/** Returns the PaymentIntent of an object, which is an id, or an object if the endpoint expands it. */
const intentOf = (object: unknown): string | null =>
  textOf(at(object, 'payment_intent')) ?? textOf(at(object, 'payment_intent', 'id'));

const amountOf = (object: unknown, name: string) =>
  readAmount(at(object, name), requireCurrency(at(object, 'currency'), 'currency'), name);

const readAmount = (value: unknown, currency: string, name: string) =>
  toAmount({ text: requireAmount(value, name), currency }, 'stripe');
