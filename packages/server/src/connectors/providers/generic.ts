import { toAmount } from '../exponents.ts';
import type { Amount, Movement, SaleItem } from '../movement.ts';
import { forbidden, type WebhookProvider } from '../provider.ts';
import {
  atPointer,
  listOf,
  requireAmount,
  requireCurrency,
  requireText,
  requireTime,
  textOf,
} from './fields.ts';
import { type GenericFields, genericOf } from './generic-fields.ts';
import { genericFixtures } from './generic-fixtures.ts';
import { signGeneric, verifyGeneric } from './generic-signature.ts';

/** Any shop, described by its settings: where the signature is, and JSON pointers to the fields. */
export const generic: WebhookProvider = {
  id: 'generic',
  name: 'Other shop',
  origin: 'webshopCode',
  signatureHeader: (settings) => genericOf(settings).header,
  hasHandshake: false,
  verify: ({ body, headers }, secrets, now, settings) =>
    verifyGeneric({ body, headers, secrets, now }, genericOf(settings)),
  sign: (body, secret, now, settings) => signGeneric(body, secret, now, genericOf(settings)),
  handshake: () => null,
  refused: () => forbidden,
  read(body, settings) {
    const fields = genericOf(settings);
    const type = requireText(atPointer(body, fields.type), 'type');
    const movement = readMovement(type, body, fields);
    const id = textOf(atPointer(body, fields.id));
    const order = movement.orderId ?? '';
    const subject = movement.kind === 'Refund' ? movement.subjectId : '';
    const flag = textOf(atPointer(body, fields.test)) ?? String(atPointer(body, fields.test) ?? '');
    return [
      {
        key: id ?? [type, order, subject].join(' ').trim(),
        type,
        isTest: fields.test !== undefined && flag === (fields.testValue ?? 'true'),
        movement,
      },
    ];
  },
  fixtures: genericFixtures,
};

function readMovement(type: string, body: unknown, fields: GenericFields): Movement {
  if (type === fields.sale) return readSale(body, fields);
  if (type === fields.refund) return readRefund(body, fields);
  return { kind: 'Ignored', orderId: textOf(atPointer(body, fields.orderId)), reason: 'Type' };
}

function readSale(body: unknown, fields: GenericFields): Movement {
  const orderId = requireText(atPointer(body, fields.orderId), 'orderId');
  const total = optionalAmount(body, fields, 'total');
  const subtotal = optionalAmount(body, fields, 'subtotal') ?? withoutTax(body, fields, total);
  if (subtotal.minor <= 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const items = listOf(atPointer(body, fields.items)).map((item) => readItem(item, fields));
  const names = items.map(({ name, skuId }) => name ?? skuId).filter((name) => name !== null);
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId: textOf(atPointer(body, fields.transactionId)),
    code: textOf(atPointer(body, fields.code)),
    playerId: textOf(atPointer(body, fields.playerId)),
    subtotal,
    total: total ?? subtotal,
    // Without a price, an item's part of the order isn't known.
    items:
      items.length > 1 && items.some(({ weight }) => weight === null)
        ? []
        : items.map((item) => ({ ...item, weight: item.weight ?? 1n })),
    description: names.length === 0 ? null : names.join(', ').slice(0, 2_000),
    at: requireTime(atPointer(body, fields.time), 'time'),
  };
}

function readItem(
  item: unknown,
  fields: GenericFields,
): Omit<SaleItem, 'weight'> & { weight: bigint | null } {
  const price = textOf(atPointer(item, fields.itemPrice));
  const parts = /^(\d{1,15})(?:\.(\d{1,8}))?$/.exec(price ?? '');
  const [, whole = '', fraction = ''] = parts ?? [];
  return {
    skuId: textOf(atPointer(item, fields.itemSku)),
    name: textOf(atPointer(item, fields.itemName)),
    weight: parts === null ? null : BigInt(whole + fraction.padEnd(8, '0')),
  };
}

function readRefund(body: unknown, fields: GenericFields): Movement {
  const orderId = requireText(atPointer(body, fields.orderId), 'orderId');
  return {
    kind: 'Refund',
    orderId,
    subjectId: textOf(atPointer(body, fields.refundId)) ?? `refund ${orderId}`,
    reversal: 'Refund',
    amount: optionalAmount(body, fields, 'refundAmount'),
    includesTax: true,
    at: requireTime(atPointer(body, fields.time), 'time'),
  };
}

function withoutTax(body: unknown, fields: GenericFields, total: Amount | null): Amount {
  if (total === null) return toAmount({ text: requireAmount(undefined, 'subtotal'), currency: '' }, 'minor');
  const tax = optionalAmount(body, fields, 'tax')?.minor ?? 0n;
  return { ...total, minor: total.minor - tax };
}

function optionalAmount(
  body: unknown,
  fields: GenericFields,
  name: 'subtotal' | 'total' | 'tax' | 'refundAmount',
): Amount | null {
  const value = atPointer(body, fields[name]);
  if (value === undefined) return null;
  const currency = requireCurrency(atPointer(body, fields.currency), 'currency');
  return toAmount(
    { text: requireAmount(value, name), currency },
    fields.units as 'minor' | 'major' | 'hundredths',
  );
}
