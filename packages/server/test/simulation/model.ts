import type { PayoutBatchId, ScheduleId } from '../../src/platform/database/tables.generated.ts';
/**
 * Model of the service's guarantees about money, in plain TypeScript. It covers one creator group with its rows, schedules
 * and payouts, and shares no code with the service.
 */

export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/** Shares in millionths. Member 0 has the tier; the others have none. */
export interface Shares {
  group: number;
  tier: number;
  sku: number;
}

export interface Schedule {
  id: ScheduleId;
  startsAt: number;
  endsAt: number;
  group: number | null;
  tier: number | null;
}

export interface Entry {
  member: number;
  /** Code that was sent. A claimed member's code credits its claimer. */
  code: string;
  subtotal: bigint;
  currency: string;
  /** In milliseconds since the epoch. */
  date: number;
  sent: number | null;
  hasSku: boolean;
  isTest: boolean;
}

export interface Row extends Entry {
  id: string;
  /** In millionths, as of recording. */
  share: number;
  amount: bigint;
  status: string;
  /** True once balances and sums include the row, and its share is shown. */
  isPosted: boolean;
  isReversed: boolean;
  refundRecords: number;
  batch: Batch | null;
}

export interface Batch {
  /** Id that the service assigned; null until it is known. */
  id: PayoutBatchId | null;
  currency: string;
  status: 'Created' | 'Paid' | 'Cancelled';
  total: bigint;
  rows: number;
  /** Amounts by member. */
  items: Map<number, bigint>;
  /** Preview from which the batch was created. */
  preview: Preview;
}

/** Amounts due at a cutoff, by currency and member, with their rows and clawbacks. */
export interface Preview {
  /** Number of batches that existed at the cutoff. */
  batches: number;
  due: Map<string, Map<number, { amount: bigint; rows: Row[]; clawbacks: Clawback[] }>>;
}

export interface Clawback {
  row: Row;
  batch: Batch | null;
}

const dayMs = 86_400_000;

/** Member that can be claimed once. */
export const claimable = 2;

export class GroupModel {
  readonly groupId: string;
  readonly purchases: Row[][] = [];
  readonly schedules: Schedule[] = [];
  readonly batches: Batch[] = [];
  readonly clawbacks: Clawback[] = [];
  shares: Shares;
  holdDays = 30;
  minimumMinor = 0n;
  /** Member that claimed the claimable member; null before the claim. */
  claimer: number | null = null;

  constructor(groupId: string, shares: Shares) {
    this.groupId = groupId;
    this.shares = shares;
  }

  rows(): Row[] {
    return this.purchases.flat();
  }

  /** Returns the member's claimer if the member has been claimed, otherwise the member itself. */
  survivor(member: number): number {
    return member === claimable && this.claimer !== null ? this.claimer : member;
  }

  record(entries: readonly Entry[], ids: readonly string[]): void {
    this.purchases.push(
      entries.map((entry, index) => {
        const share = this.#shareOf(entry);
        return {
          ...entry,
          id: ids[index] ?? '',
          share,
          amount: halfEven(entry.subtotal * BigInt(share)),
          status: entry.isTest ? 'Test' : 'Normal',
          isPosted: false,
          isReversed: false,
          refundRecords: 0,
          batch: null,
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
      row.isReversed = true;
      row.refundRecords += 1;
    }
    return true;
  }

  /** Claws back a row. @returns false if the row can't be clawed back */
  clawBack(row: Row, action: Reversal): boolean {
    if (row.batch?.status !== 'Paid' || row.isReversed) return false;
    row.status = action;
    row.isReversed = true;
    row.refundRecords += 1;
    this.clawbacks.push({ row, batch: null });
    return true;
  }

  /** Returns whether a window doesn't overlap any other schedule. */
  hasRoom(startsAt: number, endsAt: number, except?: Schedule): boolean {
    return this.schedules.every(
      (each) => each === except || endsAt <= each.startsAt || each.endsAt <= startsAt,
    );
  }

  preview(now: number): Preview {
    const due: Preview['due'] = new Map();
    for (const each of new Set(this.rows().map((row) => row.currency))) {
      const members: NonNullable<ReturnType<typeof due.get>> = new Map();
      const dueOf = (row: Row) => {
        const member = this.survivor(row.member);
        const known = members.get(member) ?? { amount: 0n, rows: [], clawbacks: [] };
        members.set(member, known);
        return known;
      };
      for (const row of this.rows()) {
        if (row.currency !== each || !this.#isPayable(row, now)) continue;
        const owed = dueOf(row);
        owed.amount += row.amount;
        owed.rows.push(row);
      }
      for (const clawback of this.clawbacks) {
        if (clawback.row.currency !== each || clawback.batch !== null) continue;
        const owed = dueOf(clawback.row);
        owed.amount -= clawback.row.amount;
        owed.clawbacks.push(clawback);
      }
      const minimum = each === 'USD' ? this.minimumMinor : 0n;
      for (const [member, { amount }] of members)
        if (amount <= 0n || amount < minimum) members.delete(member);
      if (members.size > 0) due.set(each, members);
    }
    return { batches: this.batches.length, due };
  }

  /**
   * Returns whether a preview can still be paid as shown. Another payout, or a refund of one of its rows,
   * prevents that.
   */
  isPayable(preview: Preview, currency: string | null): boolean {
    const { batches, due } = preview;
    const isIncluded = (each: string): boolean => currency === null || currency === each;
    const since = this.batches.slice(batches).filter((batch) => isIncluded(batch.currency));
    if (since.some((batch) => batch.preview !== preview || batch.status === 'Cancelled')) return false;
    const isMade = (each: string): boolean => since.some((batch) => batch.currency === each);
    return [...due].every(
      ([each, members]) =>
        !isIncluded(each) ||
        isMade(each) ||
        [...members.values()].every(({ rows }) => rows.every((row) => !row.isReversed || row.amount === 0n)),
    );
  }

  /** Creates a preview's missing batches. @returns these batches, without ids */
  createPayout(preview: Preview, currency: string | null): Batch[] {
    const made: Batch[] = [];
    for (const [each, members] of preview.due) {
      if (currency !== null && currency !== each) continue;
      if (this.batches.some((batch) => batch.preview === preview && batch.currency === each)) continue;
      const batch: Batch = {
        id: null,
        currency: each,
        status: 'Created',
        total: 0n,
        rows: 0,
        items: new Map(),
        preview,
      };
      for (const [member, { amount, rows, clawbacks }] of members) {
        batch.items.set(member, amount);
        batch.total += amount;
        for (const row of rows.filter(({ isReversed }) => !isReversed)) {
          row.batch = batch;
          batch.rows += 1;
        }
        for (const clawback of clawbacks) clawback.batch = batch;
      }
      this.batches.push(batch);
      made.push(batch);
    }
    return made;
  }

  /**
   * Marks a batch as paid. Marking it again has no effect.
   * @returns false if the batch can't be marked as paid
   */
  markPaid(batch: Batch): boolean {
    if (batch.status === 'Cancelled') return false;
    batch.status = 'Paid';
    return true;
  }

  /** Cancels a batch. Canceling it again has no effect. @returns false if the batch can't be canceled */
  cancel(batch: Batch): boolean {
    if (batch.status === 'Paid') return false;
    batch.status = 'Cancelled';
    for (const row of this.rows()) if (row.batch === batch) row.batch = null;
    for (const clawback of this.clawbacks) if (clawback.batch === batch) clawback.batch = null;
    return true;
  }

  balance(member: number, currency: string): bigint {
    let balance = 0n;
    for (const row of this.rows()) {
      if (this.survivor(row.member) === member && row.currency === currency && earns(row) && !row.isReversed)
        balance += row.amount;
    }
    for (const batch of this.batches) {
      if (batch.currency !== currency || batch.status === 'Cancelled') continue;
      for (const [each, amount] of batch.items) if (this.survivor(each) === member) balance -= amount;
    }
    return balance;
  }

  #isPayable(row: Row, now: number): boolean {
    const isHeld = row.date + this.holdDays * dayMs > now;
    return earns(row) && !row.isReversed && row.batch === null && !isHeld;
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

/** Returns whether monetary sums include a row. Test rows don't earn anything. */
export const earns = (row: Row): boolean => row.isPosted && !row.isTest;

/** Rounds millionths of a minor unit to whole minor units, half to even. */
function halfEven(millionths: bigint): bigint {
  const whole = millionths / 1_000_000n;
  const rest = millionths - whole * 1_000_000n;
  if (rest === 500_000n) return whole + (whole & 1n);
  return rest > 500_000n ? whole + 1n : whole;
}
