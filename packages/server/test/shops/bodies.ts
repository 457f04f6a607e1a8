import type { SteamItem, SteamOrder } from '../steam-server.ts';
import { exponents, netOf, type Order, type ShopCurrency, taxOf, totalOf } from './order.ts';

/** Formats minor units in major units. */
export function major(minor: bigint, currency: ShopCurrency): string {
  const exponent = exponents[currency];
  const digits = String(minor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Returns the events of an order at its provider, each in the documented form, in the order in which they happen. */
export const eventsOf = (order: Order, now: Date): unknown[] =>
  order.provider === 'steam' ? [] : writers[order.provider](order, now);

type Writer = (order: Order, now: Date) => unknown[];

const writers: Readonly<Record<Exclude<Order['provider'], 'steam'>, Writer>> = {
  stripe,
  xsolla,
  paddle,
  fastspring,
  tebex,
  generic,
};

function stripe(order: Order, now: Date): unknown[] {
  const { id, currency, code, player, fate } = order;
  const unit = (minor: bigint): number => Number(currency === 'ISK' ? minor * 100n : minor);
  let events = 0;
  const event = (type: string, object: object) => {
    events += 1;
    return {
      id: `evt_${id}_${events}`,
      created: Math.floor(now.getTime() / 1_000),
      livemode: true,
      type,
      data: { object: { currency: currency.toLowerCase(), ...object } },
    };
  };
  const refund = (type: string, name: string, amount: bigint, more = {}) =>
    event(type, {
      id: `re_${id}_${name}`,
      amount: unit(amount),
      payment_intent: id,
      status: 'succeeded',
      ...more,
    });
  const dispute = (type: string, status: string) =>
    event(type, { id: `dp_${id}`, amount: unit(totalOf(order)), payment_intent: id, status });
  const paid = event('checkout.session.completed', {
    id: `cs_${id}`,
    payment_intent: id,
    payment_status: 'paid',
    amount_total: unit(totalOf(order)),
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: unit(taxOf(order)) },
    metadata: { ...(code !== null && { creator_code: code }), player_id: player, sku: 'sku-0' },
  });
  switch (fate.kind) {
    case 'parts':
      return [paid, ...fate.amounts.map((amount, index) => refund('refund.created', String(index), amount))];
    case 'whole':
      return [
        paid,
        refund('refund.updated', 'all', totalOf(order), {
          reason: fate.as === 'Fraud' ? 'fraudulent' : null,
        }),
      ];
    case 'failed part':
      return [
        paid,
        refund('refund.created', 'part', fate.amount),
        refund('refund.failed', 'part', fate.amount, { status: 'failed' }),
      ];
    case 'dispute':
      return [
        paid,
        dispute('charge.dispute.created', 'needs_response'),
        ...(fate.end === 'open' ? [] : [dispute('charge.dispute.closed', fate.end)]),
      ];
    default:
      return [paid];
  }
}

function xsolla(order: Order, now: Date): unknown[] {
  const { id, currency, code, player, fate, lines } = order;
  const money = (minor: bigint) => ({ currency, amount: Number(major(minor, currency)) });
  const billing = (amount: bigint) => ({
    transaction: { id: Number(id), payment_date: now.toISOString() },
    payment_details: { payment: money(amount), vat: money(0n), sales_tax: money(taxOf(order)) },
  });
  const ofOrder = (type: string, more: object = {}) => ({
    notification_type: type,
    items: lines.map(({ sku, net }) => ({ sku, quantity: 1, amount: `${major(net, currency)}` })),
    order: {
      id: 1,
      mode: 'default',
      currency_type: 'real',
      currency,
      amount: major(netOf(order), currency),
      invoice_id: id,
    },
    user: { external_id: player },
    custom_parameters: code === null ? {} : { creator_code: code },
    billing: billing(totalOf(order)),
    ...more,
  });
  const paid = ofOrder('order_paid');
  const dispute = (status: string) => ({
    notification_type: 'dispute',
    action: status === 'new' ? 'created' : 'updated',
    dispute: { status },
    ...billing(totalOf(order)),
  });
  switch (fate.kind) {
    case 'parts':
      return [
        paid,
        ...fate.amounts.map((amount, index) => ({
          notification_type: 'partial_refund',
          ...billing(amount),
          refund_details: { code: 1, date: new Date(now.getTime() + index * 1_000).toISOString() },
        })),
      ];
    case 'whole': {
      const reasons = { Refund: 1, Chargeback: 2, Fraud: 4 };
      return [paid, ofOrder('order_canceled', { refund_details: { code: reasons[fate.as] } })];
    }
    case 'dispute':
      return [paid, dispute('new'), ...(fate.end === 'open' ? [] : [dispute(fate.end)])];
    default:
      return [paid];
  }
}

function paddle(order: Order, now: Date): unknown[] {
  const { id, currency, code, player, fate, lines } = order;
  let events = 0;
  const event = (type: string, data: object) => {
    events += 1;
    return { event_id: `evt_${id}_${events}`, event_type: type, occurred_at: now.toISOString(), data };
  };
  const totals = (net: bigint, tax: bigint) => ({
    subtotal: String(net + 7n),
    discount: '7',
    tax: String(tax),
    total: String(net + tax),
    grand_total: String(net + tax),
  });
  const adjustment = (name: string, action: string, more: object = {}) => ({
    id: `adj_${id}_${name}`,
    action,
    type: 'full',
    status: 'approved',
    transaction_id: id,
    currency_code: currency,
    totals: { subtotal: String(netOf(order)), tax: String(taxOf(order)) },
    ...more,
  });
  const paid = event('transaction.completed', {
    id,
    currency_code: currency,
    custom_data: { ...(code !== null && { creator_code: code }), player_id: player },
    billed_at: now.toISOString(),
    details: {
      totals: totals(netOf(order), taxOf(order)),
      line_items: lines.map(({ sku, net }) => ({
        product: { id: sku, name: sku },
        totals: { subtotal: String(net), discount: '0' },
      })),
    },
  });
  switch (fate.kind) {
    case 'parts':
      return [
        paid,
        ...fate.amounts.flatMap((amount, index) => {
          const part = { type: 'partial', totals: { subtotal: String(amount), tax: '0' } };
          const waiting = adjustment(String(index), 'refund', { ...part, status: 'pending_approval' });
          return [
            event('adjustment.created', waiting),
            event('adjustment.updated', { ...waiting, status: 'approved' }),
          ];
        }),
      ];
    case 'whole': {
      const action = fate.as === 'Chargeback' ? 'chargeback' : 'refund';
      return [paid, event('adjustment.updated', adjustment('all', action))];
    }
    case 'dispute':
      return [
        paid,
        event('adjustment.created', adjustment('w', 'chargeback_warning')),
        ...(fate.end === 'open'
          ? []
          : [event('adjustment.created', adjustment('wr', 'chargeback_warning_reverse'))]),
      ];
    case 'reversed':
      return [
        paid,
        event('adjustment.created', adjustment('c', 'chargeback')),
        event('adjustment.created', adjustment('cr', 'chargeback_reverse')),
      ];
    default:
      return [paid];
  }
}

function fastspring(order: Order, now: Date): unknown[] {
  const { id, currency, code, player, fate, lines } = order;
  const amount = (minor: bigint): number => Number(major(minor, currency));
  const event = (name: string, type: string, data: object) => ({
    events: [
      {
        id: `${id}-${name}`,
        type,
        live: true,
        data: { currency, changed: now.getTime(), live: true, ...data },
      },
    ],
  });
  const returned = (name: string, minor: bigint) =>
    event(name, 'return.created', { return: `${id}-${name}`, totalReturn: amount(minor), original: { id } });
  const paid = event('paid', 'order.completed', {
    id,
    order: id,
    account: 'account',
    tags: { ...(code !== null && { creator_code: code }), player_id: player },
    tax: amount(taxOf(order)),
    total: amount(totalOf(order)),
    items: lines.map(({ sku, net }) => ({ product: sku, sku, subtotal: amount(net) })),
  });
  if (fate.kind === 'parts')
    return [paid, ...fate.amounts.map((each, index) => returned(String(index), each))];
  return fate.kind === 'whole' ? [paid, returned('all', totalOf(order))] : [paid];
}

function tebex(order: Order, now: Date): unknown[] {
  const { id, currency, code, player, fate, lines } = order;
  const money = (minor: bigint) => ({ amount: Number(major(minor, currency)), currency });
  const event = (type: string) => ({
    id: `${type}-${id}`,
    type,
    date: now.toISOString(),
    subject: {
      transaction_id: id,
      created_at: now.toISOString(),
      price_paid: money(totalOf(order)),
      fees: { tax: money(taxOf(order)) },
      customer: { username: { id: player } },
      products: lines.map(({ sku, net }) => ({ id: sku, name: sku, paid_price: money(net) })),
      custom: code === null ? {} : { creator_code: code },
    },
  });
  const paid = event('payment.completed');
  if (fate.kind === 'whole') return [paid, event('payment.refunded')];
  if (fate.kind !== 'dispute') return [paid];
  const opened = event('payment.dispute.opened');
  return fate.end === 'open' ? [paid, opened] : [paid, opened, event(`payment.dispute.${fate.end}`)];
}

function generic(order: Order, now: Date): unknown[] {
  const { id, currency, code, player, fate, lines } = order;
  const event = (name: string, type: string, more: object) => ({
    id: `${id}-${name}`,
    type,
    time: now.toISOString(),
    ...more,
  });
  const paid = event('paid', 'order.paid', {
    order: {
      ...{ id, creatorCode: code, playerId: player, currency },
      subtotal: Number(netOf(order)),
      total: Number(totalOf(order)),
      items: lines.map(({ sku, net }) => ({ sku, name: sku, price: Number(net) })),
    },
  });
  const refund = (name: string, more: object) =>
    event(name, 'order.refunded', { order: { id, currency }, ...more });
  if (fate.kind === 'parts')
    return [
      paid,
      ...fate.amounts.map((amount, index) =>
        refund(`part-${index}`, { refund: { id: `${id}-${index}`, amount: Number(amount) } }),
      ),
    ];
  return fate.kind === 'whole' ? [paid, refund('all', {})] : [paid];
}

const states = { Refund: 'Refunded', Fraud: 'RefundedSuspectedFraud', Chargeback: 'Chargedback' } as const;

/** Returns an order as Steam's report lists it: just paid, or after what happened to it. */
export function steamState(
  order: Order,
  isOver: boolean,
  times: { paid: string; changed: string },
): SteamOrder {
  const { id, currency, fate, lines } = order;
  const hundredths = (minor: bigint): number => Number((minor * 100n) / 10n ** BigInt(exponents[currency]));
  const back = fate.kind === 'parts' && isOver ? [...fate.amounts] : [];
  const status =
    fate.kind === 'whole' && isOver ? states[fate.as] : back.length > 0 ? 'PartialRefund' : 'Succeeded';
  return {
    orderid: id,
    transid: `9${id}`,
    steamid: '76561197972751825',
    status,
    currency,
    time: status === 'Succeeded' ? times.paid : times.changed,
    timecreated: times.paid,
    items: lines.map(({ sku, net, tax }, index): SteamItem => {
      const isBack = index > 0 && back[0] === net;
      if (isBack) back.shift();
      return {
        itemid: Number(sku.slice(4)) + 100,
        qty: 1,
        amount: hundredths(net),
        vat: hundredths(tax),
        itemstatus: isBack ? 'Refunded' : status === 'PartialRefund' ? 'Succeeded' : status,
      };
    }),
  };
}
