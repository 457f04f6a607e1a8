import type { Refund, Transaction } from '../api.generated.ts';

/** Saved row of a purchase, with what a response shows only on request. */
export interface FakeRow {
  transaction: Transaction;
  /** Request that recorded the row, to recognize the same content. */
  readonly content: string;
  memberId: string;
  /** Share in minor units. */
  readonly share: number;
  readonly createdAt: string;
  updatedAt: string;
  /** Part of the subtotal that was refunded, in minor units. */
  refunded: number;
  /** Part of the share that was taken back, in minor units. */
  takenBack: number;
}

/** Saved refund. */
export interface FakeRefund {
  refund: Refund;
  /** Content of the request, to recognize a repetition. */
  readonly content: string;
}

/** Rounds a percentage to four decimal places, half to even, as the service stores it. */
export function roundPercent(percent: number): number {
  // The digits are used as they were sent, because binary fractions can't tell a tie.
  const [whole = '', fraction = ''] = String(percent).split('.');
  const kept = BigInt(whole + fraction.slice(0, 4).padEnd(4, '0'));
  const rest = fraction.slice(4);
  const isUp = rest > '5' || (rest === '5' && kept % 2n === 1n);
  return Number(isUp ? kept + 1n : kept) / 10_000;
}

/** Returns `amount × numerator ÷ denominator`, rounded half to even, as the service calculates shares. */
export function proportion(amount: number, numerator: number, denominator: number): number {
  // Percentages have at most four decimal places, and amounts have none.
  const scaled = BigInt(amount) * BigInt(Math.round(numerator * 1_000_000));
  const divisor = BigInt(Math.round(denominator * 1_000_000));
  const [whole, rest] = [scaled / divisor, (scaled % divisor) * 2n];
  const isUp = rest > divisor || (rest === divisor && whole % 2n === 1n);
  return Number(isUp ? whole + 1n : whole);
}

/** Spreads an amount in proportion to what is left of each row; the largest remainders get the last minor units. */
export function spread(amount: number, left: readonly number[]): number[] {
  const total = BigInt(left.reduce((sum, each) => sum + each, 0));
  const exact = left.map((each) => BigInt(amount) * BigInt(each));
  const parts = exact.map((each) => Number(each / total));
  const byRemainder = exact
    .map((each, index) => ({ index, remainder: each % total }))
    .toSorted((a, b) => Number(b.remainder - a.remainder));
  let rest = amount - parts.reduce((sum, each) => sum + each, 0);
  for (const { index } of byRemainder) if (rest-- > 0) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
