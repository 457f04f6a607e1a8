import { type DemoCreator, mainCreators, mobaCreators, owingCode, royaleCreators } from './demo-creators.ts';
import { type Chance, chanceOf } from './random.ts';

/** Purchase in the API's format. */
export interface DemoPurchase {
  transactionId: string;
  code: string;
  description: string;
  subtotal: number;
  currency: string;
  transactionDate: string;
  playerId: string;
  playerName?: string;
  platform: string;
  skuId?: string;
  status?: 'Test';
  memberSharePercent?: number;
}

export interface DemoPurchases {
  main: DemoPurchase[];
  moba: DemoPurchase[];
  royale: DemoPurchase[];
}

type Group = keyof DemoPurchases;

const dayMs = 86_400_000;
const firstDay = 180;
const currencies = [
  ['USD', 62],
  ['EUR', 20],
  ['GBP', 8],
  ['JPY', 6],
  ['KWD', 4],
] as const;
const items = [
  { name: 'Battle pass', skuId: 'battle-pass', price: 999, weight: 30 },
  { name: 'Founders pack', skuId: 'founders-pack', price: 4_999, weight: 8 },
  { name: 'Emote pack', skuId: 'emote-pack', price: 499, weight: 20 },
  { name: 'Skin: Night Fox', skuId: 'skin-night-fox', price: 1_499, weight: 18 },
  { name: '1,000 crystals', skuId: 'crystals-1000', price: 799, weight: 24 },
  { name: '5,000 crystals', skuId: 'crystals-5000', price: 3_499, weight: 12 },
  { name: 'Deluxe edition', skuId: 'deluxe', price: 6_999, weight: 5 },
] as const;
/** Minor units of each currency per US cent. */
const rates: Readonly<Record<string, number>> = { USD: 1, EUR: 1, GBP: 0.8, JPY: 1.5, KWD: 3 };
const platforms = ['PC', 'PlayStation', 'Xbox', 'Switch', 'Apple', 'Android'] as const;
const buyers = [
  'Ash',
  'Blue',
  'Cleo',
  'Dex',
  'Eli',
  'Faye',
  'Gus',
  'Hana',
  'Ilse',
  'Jo',
  'Kit',
  'Lux',
  'Moss',
  'Nim',
];

/**
 * Generates half a year of purchases up to now, with more each month and on weekends. Every run generates the same
 * purchases.
 * @returns purchases by group, oldest first
 */
export function demoPurchases(now: Date): DemoPurchases {
  const chance = chanceOf(20_260_501);
  const purchases: DemoPurchases = { main: specialPurchases(now), moba: [], royale: [] };
  let number = 100; // lower numbers are used by the special purchases
  for (let day = firstDay; day >= 0; day -= 1) {
    const weekday = new Date(now.getTime() - day * dayMs).getUTCDay();
    const weekend = weekday === 0 || weekday === 6 ? 1.6 : 1;
    const count = Math.round((7 + ((firstDay - day) / firstDay) * 15) * weekend * (0.75 + chance.next() / 2));
    for (let each = 0; each < count; each += 1) {
      number += 1;
      const [group, creators] = chance.weighed(groups);
      const at = new Date(now.getTime() - day * dayMs - chance.next() * dayMs);
      purchases[group].push(purchaseOf(chance, { number, at, code: chance.weighed(byWeight(creators)) }));
    }
  }
  return purchases;
}

const groups: readonly (readonly [readonly [Group, readonly DemoCreator[]], number])[] = [
  [['main', mainCreators], 80],
  [['moba', mobaCreators], 12],
  [['royale', royaleCreators], 8],
];

const byWeight = (creators: readonly DemoCreator[]) =>
  creators.map(({ code, weight }): readonly [string, number] => [code, weight]);

function purchaseOf(
  chance: Chance,
  { number, at, code }: { number: number; at: Date; code: string },
): DemoPurchase {
  const { name, skuId, price } = chance.weighed(items.map((item) => [item, item.weight]));
  const currency = chance.weighed(currencies);
  const buyer = Math.floor(chance.next() * 1_500);
  return {
    transactionId: `demo-order-${number}`,
    code,
    description: name,
    subtotal: Math.round(price * (rates[currency] ?? 1)),
    currency,
    transactionDate: at.toISOString(),
    playerId: `buyer-${buyer}`,
    playerName: `${buyers[buyer % buyers.length]}${buyer}`,
    platform: chance.of(platforms),
    skuId,
  };
}

/**
 * Returns special purchases: a large purchase, a split, a purchase with a SKU, a purchase to refund, a
 * purchase on hold, a Test purchase, and a purchase to claw back.
 */
function specialPurchases(now: Date): DemoPurchase[] {
  const purchase = (
    number: number,
    code: string,
    subtotal: number,
    { days, ...more }: { days: number } & Partial<DemoPurchase>,
  ): DemoPurchase => ({
    transactionId: `demo-order-${number}`,
    code,
    description: `Demo order ${number}`,
    subtotal,
    currency: 'USD',
    transactionDate: new Date(now.getTime() - days * dayMs).toISOString(),
    playerId: `buyer-of-${number}`,
    platform: 'PC',
    ...more,
  });
  return [
    purchase(1, 'ALICE', 49_999, { days: 60 }),
    purchase(2, 'ALICE', 12_000, { days: 50 }),
    purchase(2, 'BOB', 12_000, { days: 50 }),
    purchase(3, 'BOB', 99_900, { days: 45, skuId: 'battle-pass' }),
    purchase(4, 'BOB', 5_999, { days: 40 }),
    purchase(5, 'ALICE', 2_499, { days: 3 }),
    purchase(6, 'ALICE', 100, { days: 3, status: 'Test' }),
    purchase(7, owingCode, 89_900, { days: 75, description: 'Founders statue' }),
    purchase(8, 'EMBER', 10_001, { days: 2, memberSharePercent: 33.3333, description: 'Launch deal' }),
    purchase(9, 'JUNO', 30_000, { days: 6, description: 'Tournament bundle' }),
    purchase(9, 'WREN', 20_000, { days: 6, description: 'Tournament bundle' }),
    purchase(9, 'PIXEL', 9_999, { days: 6, description: 'Tournament bundle' }),
  ];
}
