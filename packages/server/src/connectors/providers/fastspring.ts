import { toAmount } from '../exponents.ts';
import type { Amount, Movement, ReadEvent, SaleItem } from '../movement.ts';
import { forbidden, Unreadable, type WebhookProvider } from '../provider.ts';
import type { ConnectorSettings } from '../settings.ts';
import { fastspringFixtures } from './fastspring-fixtures.ts';
import { at, listOf, requireAmount, requireCurrency, requireText, requireTime, textOf } from './fields.ts';
import { hmacSha256, matchesAny } from './signatures.ts';

/**
 * FastSpring. A request contains several events. The signature has no time, and is optional at FastSpring, but not here. A manual
 * resend has a new id, so that the order's id is what protects against it.
 */
export const fastspring: WebhookProvider = {
  id: 'fastspring',
  name: 'FastSpring',
  origin: 'webshopCode',
  signatureHeader: () => 'X-FS-Signature',
  hasHandshake: false,
  verify({ body, headers }, secrets) {
    if (secrets.length === 0) return 'NoSecret';
    const signature = headers['x-fs-signature']?.trim() ?? '';
    if (signature === '') return 'NoSignature';
    const expected = secrets.map((secret) => hmacSha256(secret, body));
    return matchesAny([signature], expected, 'base64') ? null : 'WrongSignature';
  },
  sign: (body, secret) => ({ 'x-fs-signature': hmacSha256(secret, body).toString('base64') }),
  handshake: () => null,
  refused: () => forbidden,
  read(body, settings) {
    const events = at(body, 'events');
    if (!Array.isArray(events)) throw new Unreadable('events is missing.');
    return events.map((event): ReadEvent => {
      const type = requireText(at(event, 'type'), 'type');
      return {
        key: requireText(at(event, 'id'), 'id'),
        type,
        isTest: at(event, 'live') !== true,
        movement: readMovement(type, event, settings),
      };
    });
  },
  fixtures: fastspringFixtures,
};

function readMovement(type: string, event: unknown, settings: ConnectorSettings): Movement {
  const data = at(event, 'data');
  switch (type) {
    case 'order.completed':
      return readOrder(data, settings);
    case 'subscription.charge.completed':
      return readCharge(data, settings);
    case 'return.created':
      return readReturn(data);
    default:
      return { kind: 'Ignored', orderId: null, reason: 'Type' };
  }
}

function readOrder(data: unknown, settings: ConnectorSettings): Movement {
  const orderId = requireText(at(data, 'id') ?? at(data, 'order'), 'id');
  const currency = requireCurrency(at(data, 'currency'), 'currency');
  const total = amountAt(data, 'total', currency);
  // The total is after discounts, and contains the tax, whether or not prices do.
  const minor = total.minor - amountAt(data, 'tax', currency).minor;
  if (minor <= 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const items = listOf(at(data, 'items')).map((item) => readItem(item, currency));
  const tags = at(data, 'tags');
  const names = items.map(({ name }) => name).filter((name) => name !== null);
  const { transactionField } = settings;
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId: transactionField === undefined ? null : textOf(at(tags, transactionField)),
    code: textOf(at(tags, settings.codeField ?? 'creator_code')),
    playerId:
      textOf(at(tags, settings.playerField ?? 'player_id')) ??
      textOf(at(data, 'account')) ??
      textOf(at(data, 'account', 'id')),
    subtotal: { minor, currency },
    total,
    items,
    description: names.length === 0 ? null : names.join(', ').slice(0, 2_000),
    at: requireTime(at(data, 'changed'), 'changed'),
  };
}

function readItem(item: unknown, currency: string): SaleItem {
  return {
    skuId: textOf(at(item, 'sku')) ?? textOf(at(item, 'product')),
    name: textOf(at(item, 'display')) ?? textOf(at(item, 'product')),
    weight: amountAt(item, 'subtotal', currency).minor,
  };
}

/** Reads a renewal. Its order is an object only if the webhook expands it. */
function readCharge(data: unknown, settings: ConnectorSettings): Movement {
  const order = at(data, 'order');
  if (typeof order !== 'object') throw new Unreadable('order is not an object. Turn on Webhook Expansion.');
  const read = readOrder(order, settings);
  const begin = at(data, 'subscription', 'begin');
  return read.kind === 'Sale'
    ? { ...read, renewalOf: { startedAt: begin === undefined ? null : requireTime(begin, 'begin') } }
    : read;
}

function readReturn(data: unknown): Movement {
  const currency = requireCurrency(at(data, 'currency'), 'currency');
  return {
    kind: 'Refund',
    orderId: requireText(at(data, 'original', 'id') ?? at(data, 'original', 'order'), 'original.id'),
    subjectId: requireText(at(data, 'return') ?? at(data, 'id'), 'return'),
    reversal: 'Refund',
    amount: toAmount({ text: requireAmount(at(data, 'totalReturn'), 'totalReturn'), currency }, 'major'),
    includesTax: true,
    at: requireTime(at(data, 'changed'), 'changed'),
  };
}

const amountAt = (data: unknown, name: string, currency: string): Amount =>
  toAmount({ text: requireAmount(at(data, name) ?? 0, name), currency }, 'major');
