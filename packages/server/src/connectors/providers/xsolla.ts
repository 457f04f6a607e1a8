import { toAmount } from '../exponents.ts';
import type { Amount, Movement, Refund, SaleItem } from '../movement.ts';
import type { HookAnswer, WebhookProvider } from '../provider.ts';
import type { ConnectorSettings } from '../settings.ts';
import { at, listOf, requireAmount, requireCurrency, requireText, requireTime, textOf } from './fields.ts';
import { matchesAny, sha1Suffix } from './signatures.ts';
import { xsollaFixtures } from './xsolla-fixtures.ts';

/**
 * Xsolla. Events have no id, so that type and transaction identify them. Amounts are in major units: text in `order`, numbers in
 * `billing`. Projects from before 2025-01-22 also send `payment` and `refund` for orders; the order's own event is the one that counts.
 */
export const xsolla: WebhookProvider = {
  id: 'xsolla',
  name: 'Xsolla',
  origin: 'webshopCode',
  signatureHeader: () => 'Authorization',
  hasHandshake: true,
  verify({ body, headers }, secrets) {
    if (secrets.length === 0) return 'NoSecret';
    const [, signature] = /^Signature ([0-9a-f]+)$/i.exec(headers.authorization ?? '') ?? [];
    if (signature === undefined) return 'NoSignature';
    const expected = secrets.map((secret) => sha1Suffix(secret, body));
    return matchesAny([signature], expected, 'hex') ? null : 'WrongSignature';
  },
  sign: (body, secret) => ({ authorization: `Signature ${sha1Suffix(secret, body).toString('hex')}` }),
  handshake(body, { isShopAddress = false }) {
    const type = at(body, 'notification_type');
    if (type !== 'user_validation' && type !== 'user_search') return null;
    if (isShopAddress && type === 'user_validation') return { status: 204, body: null };
    return error(404, 'INVALID_USER', 'This address does not know users. Send this question to the game.');
  },
  // Xsolla's own test of the address expects this answer.
  refused: () => error(400, 'INVALID_SIGNATURE', 'The signature is not valid for this connector.'),
  read(body, settings) {
    const type = requireText(at(body, 'notification_type'), 'notification_type');
    // A combined event repeats the payment in `billing`. A separate one is the payment.
    const payment = at(body, 'billing') ?? body;
    const movement = readMovement(type, body, { payment, settings });
    return [
      {
        key: [type, ...keyOf(body, payment, movement)].join(' '),
        type,
        isTest: at(payment, 'transaction', 'dry_run') === 1 || at(body, 'order', 'mode') === 'sandbox',
        movement,
      },
    ];
  },
  fixtures: xsollaFixtures,
};

const error = (status: number, code: string, message: string): HookAnswer => ({
  status,
  body: JSON.stringify({ error: { code, message } }),
});

interface Context {
  payment: unknown;
  settings: ConnectorSettings;
}

function readMovement(type: string, body: unknown, context: Context): Movement {
  switch (type) {
    case 'order_paid':
      return readOrder(body, context);
    case 'payment':
      return readPayment(body, context);
    case 'order_canceled':
    case 'refund':
      return readRefund(body, context);
    case 'partial_refund':
      return readPartialRefund(body, context);
    case 'dispute':
      return readDispute(body, context);
    default:
      return { kind: 'Ignored', orderId: null, reason: 'Type' };
  }
}

/** Returns the transaction's id, which is the order's invoice. */
const orderIdOf = (body: unknown, payment: unknown): string =>
  requireText(at(payment, 'transaction', 'id') ?? at(body, 'order', 'invoice_id'), 'transaction.id');

/** Returns what tells events of a type apart. */
function keyOf(body: unknown, payment: unknown, movement: Movement): string[] {
  if (movement.kind === 'Ignored' && movement.orderId === null) {
    const other = ['subscription', 'transaction', 'order', 'user'].flatMap((name) => {
      const id = textOf(at(body, name, name === 'subscription' ? 'subscription_id' : 'id'));
      return id === null ? [] : [id];
    });
    return other.slice(0, 2);
  }
  const order = orderIdOf(body, payment);
  if (movement.kind === 'Dispute') return [order, textOf(at(body, 'action')) ?? '', movement.state];
  return movement.kind === 'Refund' && movement.amount !== null ? [order, movement.subjectId] : [order];
}

function readOrder(body: unknown, context: Context): Movement {
  const { payment } = context;
  const orderId = orderIdOf(body, payment);
  if (at(body, 'order', 'currency_type') === 'virtual') return { kind: 'Ignored', orderId, reason: 'Free' };
  const listed = at(body, 'order', 'amount');
  const currency = requireCurrency(at(body, 'order', 'currency'), 'order.currency');
  return sale(body, {
    ...context,
    orderId,
    price: toAmount({ text: requireAmount(listed, 'order.amount'), currency }, 'major'),
    playerId: textOf(at(body, 'user', 'external_id')) ?? textOf(at(body, 'user', 'id')),
    items: readItems(listOf(at(body, 'items')), currency),
  });
}

function readPayment(body: unknown, context: Context): Movement {
  const { payment } = context;
  const orderId = orderIdOf(body, payment);
  // The order of a store has an event of its own, which has the items.
  if (at(body, 'purchase', 'order') !== undefined || at(body, 'order') !== undefined)
    return { kind: 'Ignored', orderId, reason: 'OtherSale' };
  const currency = requireCurrency(at(body, 'purchase', 'total', 'currency'), 'purchase.total.currency');
  const price = requireAmount(at(body, 'purchase', 'total', 'amount'), 'purchase.total.amount');
  const read = sale(body, {
    ...context,
    orderId,
    price: toAmount({ text: price, currency }, 'major'),
    playerId: textOf(at(body, 'user', 'id')),
    items: [],
  });
  const since = at(body, 'purchase', 'subscription', 'date_create');
  if (since === undefined || read.kind !== 'Sale') return read;
  const startedAt = requireTime(since, 'purchase.subscription.date_create');
  const isRenewal = Date.parse(read.at) - Date.parse(startedAt) > firstPaymentMs;
  return isRenewal ? { ...read, renewalOf: { startedAt } } : read;
}

/** Time after the start of a subscription within which its first payment arrives. */
const firstPaymentMs = 86_400_000;

interface SaleParts extends Context {
  orderId: string;
  /** Price of the order, which may include VAT, but not sales tax. */
  price: Amount;
  playerId: string | null;
  items: readonly (SaleItem & { price: Amount })[];
}

function sale(body: unknown, { payment, settings, orderId, price, playerId, items }: SaleParts): Movement {
  const total = amountAt(payment, 'payment') ?? price;
  const taxes = ['vat', 'sales_tax'].map((name) => amountAt(payment, name)?.minor ?? 0n);
  const net = total.minor - taxes.reduce((sum, each) => sum + each, 0n);
  const subtotal = total.currency === price.currency && net < price.minor ? { ...price, minor: net } : price;
  if (subtotal.minor <= 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const custom = at(body, 'custom_parameters') ?? at(payment, 'custom_parameters');
  const names = items.map(({ skuId }) => skuId).filter((skuId) => skuId !== null);
  const { transactionField } = settings;
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId: transactionField === undefined ? null : textOf(at(custom, transactionField)),
    code: textOf(at(custom, settings.codeField ?? 'creator_code')),
    playerId: textOf(at(custom, settings.playerField ?? 'player_id')) ?? playerId,
    subtotal,
    total,
    items: items.map(({ skuId, name, weight }) => ({ skuId, name, weight })),
    description: names.length === 0 ? null : names.join(', ').slice(0, 2_000),
    at: requireTime(at(payment, 'transaction', 'payment_date'), 'transaction.payment_date'),
  };
}

function readItems(items: readonly unknown[], currency: string): (SaleItem & { price: Amount })[] {
  return items
    .filter((item) => at(item, 'is_free') !== true)
    .map((item, index) => {
      const price = toAmount(
        { text: requireAmount(at(item, 'amount') ?? 0, `items[${index}].amount`), currency },
        'major',
      );
      const skuId = textOf(at(item, 'sku'));
      const count = BigInt(/^\d{1,6}$/.exec(textOf(at(item, 'quantity')) ?? '')?.[0] ?? '1');
      return { skuId, name: skuId, weight: price.minor * count, price };
    });
}

/** Reads an amount of the payment's details; null if it isn't sent. */
function amountAt(payment: unknown, name: string): Amount | null {
  const value = at(payment, 'payment_details', name, 'amount');
  const currency = at(payment, 'payment_details', name, 'currency');
  if (value === undefined || currency === undefined) return null;
  return toAmount(
    {
      text: requireAmount(value, `payment_details.${name}.amount`),
      currency: requireCurrency(currency, `payment_details.${name}.currency`),
    },
    'major',
  );
}

/** Xsolla's codes of the reason for a refund. */
const reversalOf = (code: unknown): Refund['reversal'] =>
  code === 2 ? 'Chargeback' : [4, 7, 11, 12].includes(Number(code)) ? 'Fraud' : 'Refund';

function readRefund(body: unknown, { payment }: Context): Movement {
  const orderId = orderIdOf(body, payment);
  return {
    kind: 'Refund',
    orderId,
    // An order is canceled once. Both events of an older project are the same refund.
    subjectId: `canceled ${orderId}`,
    reversal: reversalOf(reasonCode(body, payment)),
    amount: null,
    includesTax: true,
    at: requireTime(at(payment, 'transaction', 'payment_date'), 'transaction.payment_date'),
  };
}

const reasonCode = (body: unknown, payment: unknown): unknown =>
  at(body, 'refund_details', 'code') ?? at(payment, 'refund_details', 'code');

function readPartialRefund(body: unknown, { payment }: Context): Movement {
  const orderId = orderIdOf(body, payment);
  const date = requireTime(
    at(body, 'refund_details', 'date') ?? at(payment, 'transaction', 'payment_date'),
    'transaction.payment_date',
  );
  const amount = amountAt(payment, 'payment');
  // There is no id, so that the amount and the time tell partial refunds of an order apart.
  const id = textOf(at(body, 'refund_details', 'id')) ?? `${amount?.minor ?? 'all'} ${date}`;
  return {
    kind: 'Refund',
    orderId,
    subjectId: `part ${orderId} ${id}`,
    reversal: reversalOf(reasonCode(body, payment)),
    amount,
    includesTax: true,
    at: date,
  };
}

/** Statuses that end a dispute, in favor of the shop or the buyer. With any other status, the payment stays on hold. */
const disputeEnds: Readonly<Record<string, 'Won' | 'Lost'>> = {
  won: 'Won',
  lost: 'Lost',
};

function readDispute(body: unknown, { payment }: Context): Movement {
  const orderId = orderIdOf(body, payment);
  const status = (textOf(at(body, 'dispute', 'status')) ?? 'new').toLowerCase();
  return {
    kind: 'Dispute',
    orderId,
    subjectId: `dispute ${orderId}`,
    state: disputeEnds[status] ?? 'Opened',
    amount: null,
    at: requireTime(at(payment, 'transaction', 'payment_date'), 'transaction.payment_date'),
  };
}
