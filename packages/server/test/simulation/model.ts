/**
 * What the service promises about money, in plain TypeScript: one creator group with its rows, schedules and
 * payouts. It shares no code with the service.
 */

export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';

/** Shares are millionths of the whole; member 0 has the tier, the others none, until one of them claims another. */
export interface Shares {
  group: number;
  tier: number;
  sku: number;
}

export interface Schedule {
  id: string;
  startsAt: number;
  endsAt: number;
  group: number | null;
  tier: number | null;
}

export interface Entry {
  member: number;
  subtotal: bigint;
  currency: string;
  /** Milliseconds. */
  date: number;
  sent: number | null;
  hasSku: boolean;
  isTest: boolean;
}

export interface Row extends Entry {
  id: string;
  /** Of the moment of recording. */
  kept: Shares;
  status: string;
  /** Since which settlement, by which share, how much. */
  settled: { at: number; share: number; amount: bigint } | null;
  isReversed: boolean;
  refundRecords: number;
  batch: Batch | null;
}

export interface Batch {
  /** The service's id, once it is known. */
  id: string | null;
  currency: string;
  status: 'Created' | 'Paid' | 'Cancelled';
  total: bigint;
  rows: number;
  /** What each member gets. */
  items: Map<number, bigint>;
}

interface Clawback {
  row: Row;
  at: number;
  batch: Batch | null;
}

const dayMs = 86_400_000;

/** The member that can be claimed, once. */
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
  /** Who claimed the member that can be. */
  claimer: number | null = null;

  constructor(groupId: string, shares: Shares) {
    this.groupId = groupId;
    this.shares = shares;
  }

  rows(): Row[] {
    return this.purchases.flat();
  }

  /** Who a member is by now. */
  survivor(member: number): number {
    return member === claimable && this.claimer !== null ? this.claimer : member;
  }

  record(entries: readonly Entry[], ids: readonly string[]): void {
    this.purchases.push(
      entries.map((entry, index) => ({
        ...entry,
        id: ids[index] ?? '',
        kept: this.shares,
        status: entry.isTest ? 'Test' : 'Normal',
        settled: null,
        isReversed: false,
        refundRecords: 0,
        batch: null,
      })),
    );
  }

  settle(at: number): void {
    for (const row of this.rows()) {
      if (row.isTest || row.settled !== null) continue;
      const share = this.#shareOf(row);
      row.settled = { at, share, amount: halfEven(row.subtotal * BigInt(share)) };
    }
  }

  /** @returns whether all rows were changed; a row in a payout stops the walk */
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

  /** @returns whether the row could be clawed back */
  clawBack(row: Row, action: Reversal, at: number): boolean {
    if (row.batch?.status !== 'Paid' || row.isReversed) return false;
    row.status = action;
    row.isReversed = true;
    row.refundRecords += 1;
    this.clawbacks.push({ row, at, batch: null });
    return true;
  }

  /** @returns whether no other schedule covers a moment of the window */
  hasRoom(startsAt: number, endsAt: number, except?: Schedule): boolean {
    return this.schedules.every(
      (each) => each === except || endsAt <= each.startsAt || each.endsAt <= startsAt,
    );
  }

  /** What is due to each member, by currency, as of a settlement. */
  due(asOf: number, now: number, currency: string | null): Map<string, Map<number, bigint>> {
    const due = new Map<string, Map<number, bigint>>();
    for (const each of new Set(this.rows().map((row) => row.currency))) {
      if (currency !== null && currency !== each) continue;
      const members = new Map<number, bigint>();
      const add = (member: number, amount: bigint): void => {
        members.set(member, (members.get(member) ?? 0n) + amount);
      };
      for (const row of this.rows()) {
        if (row.currency === each && this.#isPayable(row, asOf, now))
          add(this.survivor(row.member), row.settled?.amount ?? 0n);
      }
      for (const { row, at, batch } of this.clawbacks) {
        if (row.currency === each && batch === null && at <= asOf)
          add(this.survivor(row.member), -(row.settled?.amount ?? 0n));
      }
      for (const [member, amount] of members) {
        const minimum = each === 'USD' ? this.minimumMinor : 0n;
        if (amount <= 0n || amount < minimum) members.delete(member);
      }
      if (members.size > 0) due.set(each, members);
    }
    return due;
  }

  /** Makes the batches that are due. @returns them, without ids */
  createPayout(asOf: number, now: number, currency: string | null): Batch[] {
    return [...this.due(asOf, now, currency)].map(([each, items]) => {
      const batch: Batch = {
        id: null,
        currency: each,
        status: 'Created',
        total: [...items.values()].reduce((sum, amount) => sum + amount, 0n),
        rows: 0,
        items,
      };
      for (const row of this.rows()) {
        if (row.currency !== each || !items.has(this.survivor(row.member))) continue;
        if (!this.#isPayable(row, asOf, now)) continue;
        row.batch = batch;
        batch.rows += 1;
      }
      for (const clawback of this.clawbacks) {
        const { row, at } = clawback;
        if (row.currency !== each || !items.has(this.survivor(row.member))) continue;
        if (clawback.batch === null && at <= asOf) clawback.batch = batch;
      }
      this.batches.push(batch);
      return batch;
    });
  }

  /** @returns whether it could be; done twice it changes nothing */
  markPaid(batch: Batch): boolean {
    if (batch.status === 'Cancelled') return false;
    batch.status = 'Paid';
    return true;
  }

  /** @returns whether it could be; done twice it changes nothing */
  cancel(batch: Batch): boolean {
    if (batch.status === 'Paid') return false;
    batch.status = 'Cancelled';
    for (const row of this.rows()) if (row.batch === batch) row.batch = null;
    for (const clawback of this.clawbacks) if (clawback.batch === batch) clawback.batch = null;
    return true;
  }

  /** What a member is owed, however often it is paid and taken back. */
  balance(member: number, currency: string): bigint {
    let balance = 0n;
    for (const row of this.rows()) {
      if (this.survivor(row.member) === member && row.currency === currency && !row.isReversed)
        balance += row.settled?.amount ?? 0n;
    }
    for (const batch of this.batches) {
      if (batch.currency !== currency || batch.status === 'Cancelled') continue;
      for (const [each, amount] of batch.items) if (this.survivor(each) === member) balance -= amount;
    }
    return balance;
  }

  #isPayable(row: Row, asOf: number, now: number): boolean {
    const isHeld = row.date + this.holdDays * dayMs > now;
    return row.settled !== null && row.settled.at <= asOf && !row.isReversed && row.batch === null && !isHeld;
  }

  #shareOf({ sent, hasSku, member, date, kept }: Row): number {
    const hasTier = member === 0;
    const schedule = this.schedules.find((each) => each.startsAt <= date && date < each.endsAt);
    if (sent !== null) return sent;
    if (hasSku) return kept.sku;
    if (schedule !== undefined && hasTier && schedule.tier !== null) return schedule.tier;
    if (schedule !== undefined && schedule.group !== null) return schedule.group;
    return hasTier ? kept.tier : kept.group;
  }
}

/** Millionths of a minor unit as whole minor units. */
function halfEven(millionths: bigint): bigint {
  const whole = millionths / 1_000_000n;
  const rest = millionths - whole * 1_000_000n;
  if (rest === 500_000n) return whole + (whole & 1n);
  return rest > 500_000n ? whole + 1n : whole;
}
