import { createHash } from 'node:crypto';
import { toAmount } from '../exponents.ts';
import type { Amount, Dispute, Movement, SaleItem } from '../movement.ts';
import { forbidden, Unreadable, type WebhookProvider } from '../provider.ts';
import type { ConnectorSettings } from '../settings.ts';
import { at, listOf, requireAmount, requireCurrency, requireText, requireTime, textOf } from './fields.ts';
import { hmacSha256, matchesAny } from './signatures.ts';
import { tebexFixtures } from './tebex-fixtures.ts';

/** Tebex signs the hex digest of the body, not the body. It sends events only after its first question was answered. */
const signatureOf = (secret: string, body: Buffer): Buffer =>
  hmacSha256(secret, createHash('sha256').update(body).digest('hex'));

/** Tebex. Amounts are in major units. Payments, refunds and disputes all name the same transaction. */
export const tebex: WebhookProvider = {
  id: 'tebex',
  name: 'Tebex',
  origin: 'webshopCode',
  signatureHeader: () => 'X-Signature',
  hasHandshake: true,
  verify({ body, headers }, secrets) {
    if (secrets.length === 0) return 'NoSecret';
    const signature = headers['x-signature']?.trim() ?? '';
    if (signature === '') return 'NoSignature';
    const expected = secrets.map((secret) => signatureOf(secret, body));
    return matchesAny([signature], expected, 'hex') ? null : 'WrongSignature';
  },
  sign: (body, secret) => ({ 'x-signature': signatureOf(secret, body).toString('hex') }),
  handshake(body) {
    if (at(body, 'type') !== 'validation.webhook') return null;
    return { status: 200, body: JSON.stringify({ id: textOf(at(body, 'id')) ?? '' }) };
  },
  refused: () => forbidden,
  read(body, settings) {
    const type = requireText(at(body, 'type'), 'type');
    const subject = at(body, 'subject');
    if (subject === undefined) throw new Unreadable('subject is missing.');
    return [
      {
        key: requireText(at(body, 'id'), 'id'),
        type,
        isTest: settings.isTestAccount === true,
        movement: readMovement(type, subject, { date: at(body, 'date'), settings }),
      },
    ];
  },
  fixtures: tebexFixtures,
};

interface Context {
  date: unknown;
  settings: ConnectorSettings;
}

function readMovement(type: string, subject: unknown, context: Context): Movement {
  switch (type) {
    case 'payment.completed':
      return readPayment(subject, context);
    case 'recurring-payment.renewed':
      return readRenewal(subject, context);
    case 'payment.refunded':
      return {
        kind: 'Refund',
        orderId: orderIdOf(subject),
        subjectId: `refunded ${orderIdOf(subject)}`,
        reversal: 'Refund',
        amount: null,
        includesTax: true,
        at: requireTime(context.date, 'date'),
      };
    case 'payment.dispute.opened':
      return dispute(subject, context, 'Opened');
    case 'payment.dispute.won':
      return dispute(subject, context, 'Won');
    case 'payment.dispute.lost':
      return dispute(subject, context, 'Lost');
    default:
      return { kind: 'Ignored', orderId: null, reason: 'Type' };
  }
}

const orderIdOf = (subject: unknown): string => requireText(at(subject, 'transaction_id'), 'transaction_id');

const dispute = (subject: unknown, { date }: Context, state: Dispute['state']): Dispute => ({
  kind: 'Dispute',
  orderId: orderIdOf(subject),
  subjectId: `dispute ${orderIdOf(subject)}`,
  state,
  amount: null,
  at: requireTime(date, 'date'),
});

function readPayment(subject: unknown, { date, settings }: Context): Movement {
  const orderId = orderIdOf(subject);
  const total = amountAt(subject, 'price_paid');
  const items = listOf(at(subject, 'products')).map(readItem);
  const tax = at(subject, 'fees', 'tax') === undefined ? 0n : amountAt(at(subject, 'fees'), 'tax').minor;
  const net = total.minor - tax;
  const listed = items.reduce((sum, { weight }) => sum + weight, 0n);
  // Tebex doesn't say whether the products' prices contain the tax. The smaller amount doesn't.
  const minor = items.length > 0 && listed < net ? listed : net;
  if (minor <= 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const custom = at(subject, 'custom');
  const names = items.map(({ name }) => name).filter((name) => name !== null);
  const { transactionField } = settings;
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId: transactionField === undefined ? null : textOf(at(custom, transactionField)),
    code: textOf(at(custom, settings.codeField ?? 'creator_code')),
    playerId:
      textOf(at(custom, settings.playerField ?? 'player_id')) ??
      textOf(at(subject, 'customer', 'username', 'id')) ??
      textOf(at(subject, 'customer', 'username')),
    subtotal: { minor, currency: total.currency },
    total,
    items,
    description: names.length === 0 ? null : names.join(', ').slice(0, 2_000),
    at: requireTime(at(subject, 'created_at') ?? date, 'created_at'),
  };
}

const readItem = (item: unknown): SaleItem => ({
  skuId: textOf(at(item, 'id')),
  name: textOf(at(item, 'name')),
  weight: at(item, 'paid_price') === undefined ? 0n : amountAt(item, 'paid_price').minor,
});

/** Reads a renewal, whose payment is a part of the subscription. */
function readRenewal(subject: unknown, context: Context): Movement {
  const payment = at(subject, 'last_payment');
  if (payment === undefined) throw new Unreadable('last_payment is missing.');
  const read = readPayment(payment, context);
  const since = at(subject, 'created_at') ?? at(subject, 'initial_payment', 'created_at');
  return read.kind === 'Sale'
    ? { ...read, renewalOf: { startedAt: since === undefined ? null : requireTime(since, 'created_at') } }
    : read;
}

function amountAt(value: unknown, name: string): Amount {
  const text = requireAmount(at(value, name, 'amount'), `${name}.amount`);
  return toAmount(
    { text, currency: requireCurrency(at(value, name, 'currency'), `${name}.currency`) },
    'major',
  );
}
