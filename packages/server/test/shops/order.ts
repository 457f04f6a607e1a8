import type { Random } from '../simulation/random.ts';

export const shopProviders = [
  'stripe',
  'xsolla',
  'paddle',
  'fastspring',
  'tebex',
  'generic',
  'steam',
] as const;
export type ShopProvider = (typeof shopProviders)[number];

/** Number of decimal places of the currencies that the shops sell in. */
export const exponents = { USD: 2, EUR: 2, JPY: 0, KWD: 3, ISK: 0 } as const;
export type ShopCurrency = keyof typeof exponents;

/** Event that follows the payment of an order, with the amount that the shop gives back. */
export type Fate =
  | { kind: 'kept' }
  /** Refunds of parts, with tax; without it at providers that report the tax apart. */
  | { kind: 'parts'; amounts: readonly bigint[] }
  | { kind: 'whole'; as: 'Refund' | 'Fraud' | 'Chargeback' }
  /** Refund of a part that failed. */
  | { kind: 'failed part'; amount: bigint }
  | { kind: 'dispute'; end: 'open' | 'won' | 'lost' }
  /** Chargeback that was reversed. */
  | { kind: 'reversed' };

export interface OrderLine {
  sku: string;
  /** Minor units without tax. */
  net: bigint;
  tax: bigint;
}

/** Order in a shop's books. */
export interface Order {
  id: string;
  provider: ShopProvider;
  currency: ShopCurrency;
  lines: readonly OrderLine[];
  /** Text that the buyer's basket carries; null without a code. */
  code: string | null;
  player: string;
  fate: Fate;
}

export const codes: readonly string[] = ['SHOP-A', 'SHOP-B', 'SHOP-C', 'SHOP-D'];

const fates: Readonly<Record<ShopProvider, readonly Fate['kind'][]>> = {
  stripe: ['kept', 'parts', 'whole', 'failed part', 'dispute'],
  xsolla: ['kept', 'parts', 'whole', 'dispute'],
  paddle: ['kept', 'parts', 'whole', 'dispute', 'reversed'],
  fastspring: ['kept', 'parts', 'whole'],
  tebex: ['kept', 'whole', 'dispute'],
  generic: ['kept', 'parts', 'whole'],
  steam: ['kept', 'parts', 'whole'],
};

/** Providers whose refunds of parts are reported without tax. */
const netParts: readonly ShopProvider[] = ['paddle', 'steam'];

export const netOf = ({ lines }: Pick<Order, 'lines'>): bigint =>
  lines.reduce((sum, { net }) => sum + net, 0n);
export const taxOf = ({ lines }: Pick<Order, 'lines'>): bigint =>
  lines.reduce((sum, { tax }) => sum + tax, 0n);
export const totalOf = (order: Pick<Order, 'lines'>): bigint => netOf(order) + taxOf(order);

/** Makes an order with a random basket and fate. */
export function makeOrder(random: Random, id: string, provider: ShopProvider): Order {
  const currency = random.pick(Object.keys(exponents) as ShopCurrency[]);
  // Steam reports hundredths, so that a Kuwaiti fils has no report of its own.
  const step = provider === 'steam' && currency === 'KWD' ? 10n : 1n;
  const amount = (below: number): bigint => (BigInt(random.below(below)) + 1n) * step;
  const hasTax = !random.oneIn(3);
  const split = random.oneIn(5);
  // Stripe's sessions list no lines, and a split over several lines would be rounded line by line.
  const count = provider === 'stripe' || split ? 1 : 1 + random.below(3);
  const lines = Array.from({ length: count }, (_, index) => {
    const net = amount(random.pick([9, 300, 50_000]));
    return {
      sku: `sku-${index}`,
      net,
      tax: hasTax ? (((net / step) * BigInt(1 + random.below(25))) / 100n) * step : 0n,
    };
  });
  const single = random.pick([...codes, ...codes, 'UNKNOWN', null]);
  const code = split ? `${codes[0]}:${1 + random.below(99)},${codes[1]}` : single;
  const kind = random.pick(fates[provider]);
  const order = { id, provider, currency, lines, code, player: `buyer-${random.below(5)}` };
  return { ...order, fate: split && kind === 'parts' ? { kind: 'kept' } : makeFate(random, order, kind) };
}

function makeFate(random: Random, order: Omit<Order, 'fate'>, kind: Fate['kind']): Fate {
  const all = netParts.includes(order.provider) ? netOf(order) : totalOf(order);
  switch (kind) {
    case 'parts':
      return {
        kind,
        amounts: order.provider === 'steam' ? someLines(random, order) : someParts(random, all),
      };
    case 'whole':
      return { kind, as: reversalOf(random, order.provider) };
    case 'failed part':
      return { kind, amount: 1n + (all * BigInt(random.below(100))) / 100n };
    case 'dispute':
      return { kind, end: random.pick(endsOf(order.provider)) };
    default:
      return { kind };
  }
}

const reversalOf = (random: Random, provider: ShopProvider): 'Refund' | 'Fraud' | 'Chargeback' => {
  if (provider === 'xsolla' || provider === 'steam') return random.pick(['Refund', 'Fraud', 'Chargeback']);
  if (provider === 'stripe') return random.pick(['Refund', 'Fraud']);
  return provider === 'paddle' ? random.pick(['Refund', 'Chargeback']) : 'Refund';
};

const endsOf = (provider: ShopProvider): readonly ('open' | 'won' | 'lost')[] =>
  provider === 'paddle' ? ['open', 'won'] : ['open', 'won', 'lost'];

/** Divides some or all of an amount into one to three different parts. */
function someParts(random: Random, all: bigint): bigint[] {
  const parts: bigint[] = [];
  let left = all;
  for (let times = 1 + random.below(3); times > 0 && left > 0n; times -= 1) {
    const part = random.oneIn(3) ? left : 1n + (left * BigInt(random.below(90))) / 100n;
    if (part > left || parts.includes(part)) break;
    parts.push(part);
    left -= part;
  }
  return parts;
}

/** Chooses some lines of an order, of which at least one stays. */
const someLines = (random: Random, { lines }: Omit<Order, 'fate'>): bigint[] =>
  lines.slice(1).flatMap(({ net }) => (random.oneIn(2) ? [net] : []));

/** Rounds a quotient to the nearest whole number, and halves to the even one. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const twice = 2n * (dividend % divisor);
  const whole = dividend / divisor;
  if (twice === divisor) return whole % 2n === 0n ? whole : whole + 1n;
  return twice > divisor ? whole + 1n : whole;
}

/** Returns what the books owe for an order, without tax, before it is divided among creators. */
export function owedFor(order: Order): bigint {
  const { fate, provider } = order;
  const net = netOf(order);
  switch (fate.kind) {
    case 'whole':
      return 0n;
    case 'dispute':
      return fate.end === 'lost' ? 0n : net;
    case 'parts': {
      const back = fate.amounts.reduce((sum, each) => sum + each, 0n);
      if (netParts.includes(provider)) return net - back;
      return back >= totalOf(order) ? 0n : net - nearest(net * back, totalOf(order));
    }
    default:
      return net;
  }
}

/** Returns what the books owe each creator for an order, in minor units without tax. */
export function creditsOf(order: Order): ReadonlyMap<string, bigint> {
  const owed = owedFor(order);
  if (order.code === null || order.code === 'UNKNOWN') return new Map();
  const [, first = '', percent, second = ''] = /^(.+?):(\d+),(.+)$/.exec(order.code) ?? [];
  if (percent === undefined) return new Map([[order.code, owed]]);
  // Only whole refunds happen to divided orders, so that what is owed is all or nothing.
  const part = owed * BigInt(percent);
  const credited = part / 100n + (part % 100n >= 50n ? 1n : 0n);
  return new Map([
    [first, credited],
    [second, owed - credited],
  ]);
}
