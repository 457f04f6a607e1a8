import { toAmount } from '../exponents.ts';
import type { Amount, Movement, ReadEvent, Refund } from '../movement.ts';
import { type PolledProvider, type ReportPage, Unreadable } from '../provider.ts';
import type { ConnectorSettings } from '../settings.ts';
import { at, listOf, requireAmount, requireCurrency, requireText, requireTime, textOf } from './fields.ts';
import { steamFixtures } from './steam-fixtures.ts';

/**
 * Steam, which sends no events. Its report lists each order in its present state, so that a state stands for everything that led to it:
 * a refunded order is also a purchase. A state is read as several events with keys of their own, and those that were read before are
 * repetitions. Amounts are in hundredths of the currency.
 */
export const steam: PolledProvider = {
  id: 'steam',
  name: 'Steam',
  origin: 'storefrontCode',
  secretName: 'Publisher Web API key',
  requiredSettings: [
    {
      name: 'steamAppId',
      label: 'App ID',
      description: 'Number of your game at Steam, which the address of its store page contains.',
      pattern: '^[1-9][0-9]{0,9}$',
    },
  ],
  pageRequest({ steamAppId = '', isTestAccount = false }, { key, since, size }) {
    const query = new URLSearchParams({
      appid: steamAppId,
      type: 'GAMESALES',
      time: `${since.toISOString().slice(0, 19)}Z`,
      maxresults: String(size),
      format: 'json',
    });
    return {
      path: `/${isTestAccount ? 'ISteamMicroTxnSandbox' : 'ISteamMicroTxn'}/GetReport/v5/?${query}`,
      headers: { 'x-webapi-key': key },
    };
  },
  readPage,
  read,
  fixtures: steamFixtures,
};

/** States in which an order wasn't paid. */
const unpaid: readonly string[] = ['Init', 'Approved', 'Failed'];

function readPage(body: unknown): ReportPage {
  const response = at(body, 'response');
  if (at(response, 'result') !== 'OK') {
    const code = textOf(at(response, 'error', 'errorcode')) ?? 'none';
    const text = textOf(at(response, 'error', 'errordesc'), 200);
    throw new Unreadable(`Steam reported error ${code}${text === null ? '.' : `: ${text}`}`);
  }
  const orders = listOf(at(response, 'params', 'orders'));
  return {
    count: orders.length,
    changedAt: orders.map((order) => new Date(requireTime(at(order, 'time'), 'time'))),
    orders: orders.filter((order) => !unpaid.includes(String(at(order, 'status')))),
  };
}

const reversals: Readonly<Record<string, Refund['reversal']>> = {
  Refunded: 'Refund',
  Chargedback: 'Chargeback',
  RefundedSuspectedFraud: 'Fraud',
  RefundedFriendlyFraud: 'Fraud',
};

function read(order: unknown, settings: ConnectorSettings): readonly ReadEvent[] {
  const status = requireText(at(order, 'status'), 'status');
  const orderId = orderIdOf(order);
  const toEvent = (name: string, movement: Movement): ReadEvent => ({
    key: `${orderId} ${name}`,
    type: status,
    isTest: settings.isTestAccount === true,
    movement,
  });
  const isKnown = status === 'Succeeded' || status === 'PartialRefund' || Object.hasOwn(reversals, status);
  if (!isKnown) return [toEvent(status, { kind: 'Ignored', orderId, reason: 'Type' })];
  return [
    toEvent('Succeeded', readSale(order, orderId)),
    ...readRefunds(order, { orderId, status }).map(({ name, refund }) => toEvent(name, refund)),
  ];
}

/** Returns the order's id. Recurring payments have none, and are identified by their transaction. */
function orderIdOf(order: unknown): string {
  const orderId = requireText(at(order, 'orderid'), 'orderid');
  return isRecurring(order) ? requireText(at(order, 'transid'), 'transid') : orderId;
}

const isRecurring = (order: unknown): boolean => textOf(at(order, 'orderid')) === '0';

interface Item {
  skuId: string;
  /** Price of the line without tax. */
  price: Amount;
  tax: Amount;
  status: string;
}

function readItems(order: unknown): Item[] {
  const currency = requireCurrency(at(order, 'currency'), 'currency');
  const amount = (value: unknown, name: string): Amount =>
    toAmount({ text: requireAmount(value ?? 0, name), currency }, 'hundredths');
  const items = listOf(at(order, 'items'));
  if (items.length === 0) throw new Unreadable('items is missing.');
  return items.map((item, index) => ({
    skuId: requireText(at(item, 'itemid'), `items[${index}].itemid`),
    price: amount(at(item, 'amount'), `items[${index}].amount`),
    tax: amount(at(item, 'vat'), `items[${index}].vat`),
    status: textOf(at(item, 'itemstatus')) ?? '',
  }));
}

const sumOf = (amounts: readonly Amount[], currency: string): Amount => ({
  minor: amounts.reduce((sum, { minor }) => sum + minor, 0n),
  currency,
});

function readSale(order: unknown, orderId: string): Movement {
  const items = readItems(order);
  const currency = items[0]?.price.currency ?? '';
  const subtotal = sumOf(
    items.map(({ price }) => price),
    currency,
  );
  if (subtotal.minor === 0n) return { kind: 'Ignored', orderId, reason: 'Free' };
  const total = sumOf(
    items.flatMap(({ price, tax }) => [price, tax]),
    currency,
  );
  return {
    kind: 'Sale',
    orderId,
    sentTransactionId: null,
    code: null,
    playerId: textOf(at(order, 'steamid')),
    subtotal,
    total,
    items: items.map(({ skuId, price }) => ({ skuId, name: skuId, weight: price.minor })),
    description: items
      .map(({ skuId }) => skuId)
      .join(', ')
      .slice(0, 2_000),
    at: requireTime(at(order, 'timecreated') ?? at(order, 'time'), 'timecreated'),
    // The report doesn't tell a first payment from a renewal.
    ...(isRecurring(order) && { renewalOf: { startedAt: null } }),
  };
}

interface NamedRefund {
  /** Part of the event's key that is the same in every later report. */
  name: string;
  refund: Refund;
}

/** Reads the refund of an order, or a refund for each of its items that were refunded. */
function readRefunds(
  order: unknown,
  { orderId, status }: { orderId: string; status: string },
): NamedRefund[] {
  const refundAs = (name: string, of: Pick<Refund, 'reversal' | 'amount'>): NamedRefund => ({
    name,
    refund: {
      kind: 'Refund',
      orderId,
      subjectId: `${orderId} ${name}`,
      includesTax: false,
      at: requireTime(at(order, 'time'), 'time'),
      ...of,
    },
  });
  const whole = reversals[status];
  if (whole !== undefined) return [refundAs(status, { reversal: whole, amount: null })];
  if (status !== 'PartialRefund') return [];
  // Items have no ids of their own. Equal items are told apart by their number among those that were refunded.
  const numbers = new Map<string, number>();
  return readItems(order).flatMap(({ skuId, price, status: itemStatus }) => {
    const reversal = reversals[itemStatus];
    if (reversal === undefined || price.minor === 0n) return [];
    const name = `item ${skuId} ${price.minor}`;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return [refundAs(`${name} #${number}`, { reversal, amount: price })];
  });
}
