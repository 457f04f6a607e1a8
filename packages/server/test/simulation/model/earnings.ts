import { halfEven, nearest, spread, takeBack } from './parts.ts';
import type { Clawback, Entry, GivenBack, Reversal, Row, Schedule, Shares, Taking } from './records.ts';

/** Purchases of a group, with the amounts that were taken back and reinstated. */
export class Earnings {
  readonly groupId: string;
  readonly purchases: Row[][] = [];
  readonly schedules: Schedule[] = [];
  readonly clawbacks: Clawback[] = [];
  readonly takings: Taking[] = [];
  readonly givenBack: GivenBack[] = [];
  shares: Shares;

  constructor(groupId: string, shares: Shares) {
    this.groupId = groupId;
    this.shares = shares;
  }

  rows(): Row[] {
    return this.purchases.flat();
  }

  record(entries: readonly Entry[], ids: readonly string[]): void {
    this.purchases.push(
      entries.map((entry, index) => {
        const share = this.#shareOf(entry);
        return {
          ...entry,
          id: ids[index] ?? '',
          share,
          amount: halfEven(entry.subtotal * BigInt(share), 1_000_000n),
          status: entry.isTest ? 'Test' : 'Normal',
          isPosted: false,
          isReversed: false,
          refunded: 0n,
          taken: 0n,
          refundRecords: 0,
          takings: [],
          reinstatements: 0,
          batch: null,
          hold: null,
        };
      }),
    );
  }

  post(): void {
    for (const row of this.rows()) row.isPosted = true;
  }

  /** Changes the status of a purchase's rows, up to the first row in a payout. @returns whether all rows were changed */
  patch(purchase: readonly Row[], action: Reversal | null): boolean {
    for (const row of purchase) {
      if (row.batch !== null) return false;
      if (action === null) continue;
      row.status = action;
      if (row.isTest) continue;
      const from = this.#statusChange(purchase, action);
      takeBack(row, row.subtotal - row.refunded, { from, isWhole: true });
    }
    return true;
  }

  /**
   * Refunds amounts of a purchase's rows.
   * @param amounts an amount for each row, null for all that is left of it; or an amount to spread, null for
   *   all that is left
   * @returns the status of the response
   */
  refund(
    purchase: readonly Row[],
    amounts: ReadonlyMap<Row, bigint | null> | bigint | null,
    { action, refundId }: { action: Reversal; refundId: string },
  ): 200 | 400 | 409 {
    const isNamed = amounts !== null && typeof amounts !== 'bigint';
    const wanted = isNamed ? amounts : spread(purchase, amounts);
    if (typeof wanted === 'number') return wanted;
    const parts: [Row, bigint][] = [];
    for (const [row, amount] of wanted) {
      const left = row.subtotal - row.refunded;
      if (row.isTest) return 409;
      if ((isNamed && left === 0n) || (amount ?? 0n) > left) return 400;
      if ((amount ?? left) > 0n) parts.push([row, amount ?? left]);
    }
    if (parts.length === 0) return 400;
    if (parts.some(([row]) => row.batch !== null)) return 409;
    const from = this.#taking({ source: 'Refund', refundId, purchase, action });
    for (const [row, amount] of parts) {
      takeBack(row, amount, { from, isWhole: false });
      if (row.isReversed) row.status = action;
    }
    return 200;
  }

  /** Returns whether a row can be clawed back, whole or in part. */
  canClawBack(row: Row, part: bigint | null): boolean {
    if (row.batch?.status !== 'Paid' || row.isReversed) return false;
    return part === null || (part >= 1n && part <= row.amount - row.taken);
  }

  /** Claws back a row, or a part of its share. */
  clawBack(row: Row, part: bigint | null, action: Reversal): void {
    const left = row.amount - row.taken;
    const amount = part ?? left;
    const after = amount === left ? row.subtotal : nearest(row.subtotal * (row.taken + amount), row.amount);
    this.clawbacks.push({ row, amount, batch: null });
    const from = this.#taking({ source: 'Clawback', refundId: null, purchase: [row], action });
    takeBack(row, after - row.refunded, { from, isWhole: false });
    if (row.isReversed) row.status = action;
  }

  /** Returns whether a refund can be reinstated. While a row is in a payout that may be canceled, it can't. */
  canReinstate({ rows }: Taking): boolean {
    return [...rows].every(({ batch }) => batch === null || batch.status === 'Paid');
  }

  /** Gives back what a refund took, unless another refund that is still in effect takes it too. */
  reinstate(taking: Taking): void {
    if (taking.isReinstated) return;
    taking.isReinstated = true;
    for (const row of taking.rows) {
      const standing = row.takings.filter(({ from }) => !from.isReinstated);
      const whole = standing.filter(({ isWhole }) => isWhole).at(-1);
      const amounts = standing.filter(({ isWhole }) => !isWhole);
      const before = { refunded: row.refunded, taken: row.taken };
      if (whole === undefined) row.refunded = amounts.reduce((sum, { gross }) => sum + gross, 0n);
      row.taken = halfEven(row.amount * row.refunded, row.subtotal);
      row.isReversed = row.refunded === row.subtotal;
      row.status = whole?.from.action ?? (row.isReversed ? amounts.at(-1)?.from.action : null) ?? 'Normal';
      if (row.refunded < before.refunded) row.reinstatements += 1;
      const amount = before.taken - row.taken;
      if (row.batch !== null && amount > 0n) this.givenBack.push({ row, amount, batch: null });
    }
  }

  /** Repeating a status adds to the first change. */
  #statusChange(purchase: readonly Row[], action: Reversal): Taking {
    const known = this.takings.find(
      (each) =>
        each.source === 'StatusChange' &&
        each.purchase === purchase &&
        each.action === action &&
        !each.isReinstated,
    );
    return known ?? this.#taking({ source: 'StatusChange', refundId: null, purchase, action });
  }

  #taking(taking: Pick<Taking, 'source' | 'refundId' | 'purchase' | 'action'>): Taking {
    const made = { ...taking, rows: new Set<Row>(), isReinstated: false };
    this.takings.push(made);
    return made;
  }

  /** Returns whether a window doesn't overlap any other schedule. */
  hasRoom(startsAt: number, endsAt: number, except?: Schedule): boolean {
    return this.schedules.every(
      (each) => each === except || endsAt <= each.startsAt || each.endsAt <= startsAt,
    );
  }

  /** Returns the rows of a purchase that can be held. */
  holdable(purchase: readonly Row[]): Row[] {
    return purchase.filter(
      (row) => !row.isTest && !row.isReversed && row.batch === null && row.hold === null,
    );
  }

  #shareOf({ sent, hasSku, member, date }: Entry): number {
    const { shares } = this;
    const hasTier = member === 0;
    const schedule = this.schedules.find((each) => each.startsAt <= date && date < each.endsAt);
    if (sent !== null) return sent;
    if (hasSku) return shares.sku;
    if (schedule !== undefined && hasTier && schedule.tier !== null) return schedule.tier;
    if (schedule !== undefined && schedule.group !== null) return schedule.group;
    return hasTier ? shares.tier : shares.group;
  }
}
