import type { PayoutBatchId, ScheduleId } from '../../src/platform/database/tables.generated.ts';
/**
 * Model of the service's guarantees about money, in plain TypeScript. It covers one creator group with its rows, schedules
 * and payouts, and shares no code with the service.
 */

export type Reversal = 'Refund' | 'Fraud' | 'Chargeback';
export type Result = 'Sent' | 'Paid' | 'Failed' | 'Returned';

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
  /** True if nothing is left of the row. */
  isReversed: boolean;
  /** Part of the subtotal that was refunded. */
  refunded: bigint;
  /** Part of the amount that was taken back. */
  taken: bigint;
  refundRecords: number;
  /** Records that took the row's money back, oldest first. */
  takings: { from: Taking; isWhole: boolean; gross: bigint }[];
  /** Number of reinstatements that gave something back. */
  reinstatements: number;
  batch: Batch | null;
  /** Open hold, which keeps the row out of payouts; null if there is none. */
  hold: string | null;
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
  /** Results of members' lines that have one of their own. */
  results: Map<number, Result>;
  /** Preview from which the batch was created. */
  preview: Preview;
  /** Members who are paid less than the preview showed. */
  reductions: Fall[];
}

/** Currency, member, amount in the preview, and amount paid. */
export type Fall = [string, number, bigint, bigint];

/** Refund, status change or clawback, which can be reinstated. */
export interface Taking {
  source: 'Refund' | 'StatusChange' | 'Clawback';
  /** Id of a refund; null if the service assigns it. */
  refundId: string | null;
  purchase: readonly Row[];
  rows: Set<Row>;
  action: Reversal;
  isReinstated: boolean;
}

/** Reinstated share of a row that was paid. */
export interface GivenBack {
  row: Row;
  amount: bigint;
  batch: Batch | null;
}

/** Amount of a line that failed or was returned. */
export interface Comeback {
  from: Batch;
  member: number;
  amount: bigint;
  /** Batch that pays the amount again. */
  batch: Batch | null;
}

/** Amounts due at a cutoff, by currency and member, with their rows and clawbacks. */
export interface Preview {
  /** Number of batches that existed at the cutoff. */
  batches: number;
  due: Map<
    string,
    Map<
      number,
      {
        amount: bigint;
        rows: DueRow[];
        clawbacks: Clawback[];
        comebacks: Comeback[];
        givenBack: GivenBack[];
      }
    >
  >;
  /** Holds on members at the cutoff. */
  heldMembers: ReadonlyMap<number, string>;
  /** Payments that holds kept out, which a release makes payable: of members without a hold, row by row. */
  held: { currency: string; member: number; row: Row | null; hold: string }[];
}

/** Row with what had been taken back of it at the cutoff. */
export interface DueRow {
  row: Row;
  taken: bigint;
  reinstatements: number;
}

export interface Clawback {
  row: Row;
  amount: bigint;
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
  readonly comebacks: Comeback[] = [];
  readonly takings: Taking[] = [];
  readonly givenBack: GivenBack[] = [];
  /** Open holds on members. */
  readonly heldMembers = new Map<number, string>();
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

  /** Gives back what a refund took, unless another one that stands takes it, too. */
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

  preview(now: number): Preview {
    const due: Preview['due'] = new Map();
    const held: Preview['held'] = [];
    const heldMembers = new Map(this.heldMembers);
    for (const each of new Set(this.rows().map((row) => row.currency))) {
      const members: NonNullable<ReturnType<typeof due.get>> = new Map();
      const dueOf = (row: { member: number }) => {
        const member = this.survivor(row.member);
        const known = members.get(member) ?? {
          amount: 0n,
          rows: [],
          clawbacks: [],
          comebacks: [],
          givenBack: [],
        };
        members.set(member, known);
        return known;
      };
      for (const row of this.rows()) {
        if (row.currency !== each || !this.#isPayable(row, now)) continue;
        if (row.hold !== null) {
          held.push({ currency: each, member: this.survivor(row.member), row, hold: row.hold });
          continue;
        }
        const owed = dueOf(row);
        owed.amount += row.amount - row.taken;
        owed.rows.push({ row, taken: row.taken, reinstatements: row.reinstatements });
      }
      for (const clawback of this.clawbacks) {
        if (clawback.row.currency !== each || clawback.batch !== null) continue;
        const owed = dueOf(clawback.row);
        owed.amount -= clawback.amount;
        owed.clawbacks.push(clawback);
      }
      for (const comeback of this.comebacks) {
        if (comeback.from.currency !== each || comeback.batch !== null) continue;
        const owed = dueOf(comeback);
        owed.amount += comeback.amount;
        owed.comebacks.push(comeback);
      }
      for (const given of this.givenBack) {
        if (given.row.currency !== each || given.batch !== null) continue;
        const owed = dueOf(given.row);
        owed.amount += given.amount;
        owed.givenBack.push(given);
      }
      const minimum = each === 'USD' ? this.minimumMinor : 0n;
      for (const [member, { amount }] of members) {
        const hold = heldMembers.get(member);
        if (hold === undefined) continue;
        if (amount > 0n) held.push({ currency: each, member, row: null, hold });
        members.delete(member);
      }
      for (const [member, { amount }] of members)
        if (amount <= 0n || amount < minimum) members.delete(member);
      if (members.size > 0) due.set(each, members);
    }
    return { batches: this.batches.length, due, heldMembers, held };
  }

  /**
   * Returns whether a preview can still be paid. Another payout, and a hold that was released since, prevent that. An
   * exact payout can't be paid either after a refund or a reinstatement of one of its rows, or after a hold was placed.
   */
  isPayable(preview: Preview, currency: string | null, isExact: boolean): boolean {
    const { batches, due } = preview;
    const isIncluded = (each: string): boolean => currency === null || currency === each;
    const since = this.batches.slice(batches).filter((batch) => isIncluded(batch.currency));
    if (since.some((batch) => batch.preview !== preview || batch.status === 'Cancelled')) return false;
    if (isExact && since.some(({ reductions }) => reductions.length > 0)) return false;
    const isMade = (each: string): boolean => since.some((batch) => batch.currency === each);
    const isDueUnchanged = [...due].every(
      ([each, members]) =>
        !isIncluded(each) ||
        isMade(each) ||
        [...members].every(([member, { amount }]) => this.stillOwed(preview, each, member) === amount),
    );
    return (
      (isDueUnchanged || !isExact) &&
      !preview.held.some(
        (each) => isIncluded(each.currency) && !isMade(each.currency) && this.#isReleased(preview, each),
      )
    );
  }

  /** Returns what is left to pay of a member's previewed amount: nothing if it is below the minimum. */
  stillOwed(preview: Preview, currency: string, member: number): bigint {
    const due = preview.due.get(currency)?.get(member);
    if (due === undefined || this.#isHeldSince(preview, member)) return 0n;
    // A row that was reinstated since is left to the next payout.
    const isLost = ({ row, reinstatements }: DueRow): boolean =>
      row.hold !== null || row.reinstatements !== reinstatements;
    const left = due.rows.reduce(
      (amount, each) => amount - ((isLost(each) ? each.row.amount : each.row.taken) - each.taken),
      due.amount,
    );
    const minimum = currency === 'USD' ? this.minimumMinor : 0n;
    return left > 0n && left >= minimum ? left : 0n;
  }

  /** Returns the members in currencies of a preview who are paid less than it showed, with both amounts. */
  reductions(preview: Preview, currency: string | null): Fall[] {
    return [...preview.due]
      .filter(([each]) => currency === null || currency === each)
      .flatMap(([each, members]) => {
        const made = this.batches.find((batch) => batch.preview === preview && batch.currency === each);
        if (made !== undefined) return made.reductions;
        return [...members]
          .map(([member, { amount }]): Fall => [each, member, amount, this.stillOwed(preview, each, member)])
          .filter(([, , before, after]) => after < before);
      });
  }

  #isHeldSince({ heldMembers }: Preview, member: number): boolean {
    const hold = this.heldMembers.get(this.survivor(member));
    return hold !== undefined && hold !== heldMembers.get(this.survivor(member));
  }

  /** Returns whether a payment that was held can be paid now. A row of a held member needs both releases. */
  #isReleased({ heldMembers }: Preview, { member, row, hold }: Preview['held'][number]): boolean {
    const ofMember = heldMembers.get(member);
    const isMemberReleased = ofMember !== undefined && this.heldMembers.get(member) !== ofMember;
    if (row === null) return isMemberReleased;
    return row.hold !== hold && (ofMember === undefined || isMemberReleased);
  }

  /** Returns the rows of a purchase that can be held. */
  holdable(purchase: readonly Row[]): Row[] {
    return purchase.filter(
      (row) => !row.isTest && !row.isReversed && row.batch === null && row.hold === null,
    );
  }

  /** Carries the hold on the claimed member along to the claimer. */
  claim(claimer: number): void {
    this.claimer = claimer;
    const hold = this.heldMembers.get(claimable);
    if (hold === undefined) return;
    this.heldMembers.delete(claimable);
    if (!this.heldMembers.has(claimer)) this.heldMembers.set(claimer, `${hold}, claimed`);
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
        results: new Map(),
        preview,
        reductions: this.reductions(preview, each),
      };
      const owed = new Map(
        [...members.keys()].map((member) => [member, this.stillOwed(preview, each, member)]),
      );
      for (const [member, { rows, clawbacks, comebacks, givenBack }] of members) {
        const amount = owed.get(member) ?? 0n;
        if (amount === 0n) continue;
        batch.items.set(member, amount);
        batch.total += amount;
        for (const { row, reinstatements } of rows) {
          if (row.isReversed || row.hold !== null || row.reinstatements !== reinstatements) continue;
          row.batch = batch;
          batch.rows += 1;
        }
        for (const clawback of clawbacks) clawback.batch = batch;
        for (const comeback of comebacks) comeback.batch = batch;
        for (const given of givenBack) given.batch = batch;
      }
      if (batch.items.size === 0) continue;
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
    if (batch.status === 'Paid' || (batch.status === 'Created' && batch.results.size > 0)) return false;
    batch.status = 'Cancelled';
    for (const row of this.rows()) if (row.batch === batch) row.batch = null;
    for (const clawback of this.clawbacks) if (clawback.batch === batch) clawback.batch = null;
    for (const comeback of this.comebacks) if (comeback.batch === batch) comeback.batch = null;
    for (const given of this.givenBack) if (given.batch === batch) given.batch = null;
    return true;
  }

  /** Sets the result of a member's line. @returns false if the line can't have it */
  setResult(batch: Batch, member: number, result: Result): boolean {
    if (batch.status === 'Cancelled') return false;
    const before = batch.results.get(member) ?? (batch.status === 'Paid' ? 'Paid' : null);
    if (before === result) return true;
    const next: Record<string, readonly Result[]> = {
      null: ['Sent', 'Paid', 'Failed'],
      Sent: ['Paid', 'Failed', 'Returned'],
      Paid: ['Returned'],
    };
    if (!next[String(before)]?.includes(result)) return false;
    batch.results.set(member, result);
    if (result === 'Failed' || result === 'Returned')
      this.comebacks.push({ from: batch, member, amount: batch.items.get(member) ?? 0n, batch: null });
    return true;
  }

  balance(member: number, currency: string): bigint {
    let balance = 0n;
    for (const row of this.rows()) {
      if (this.survivor(row.member) === member && row.currency === currency && earns(row))
        balance += row.amount - row.taken;
    }
    for (const batch of this.batches) {
      if (batch.currency !== currency || batch.status === 'Cancelled') continue;
      for (const [each, amount] of batch.items) if (this.survivor(each) === member) balance -= amount;
    }
    for (const { from, member: each, amount } of this.comebacks)
      if (from.currency === currency && this.survivor(each) === member) balance += amount;
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

/** Takes back a part of a row. All parts together are the amount's part of the refunded subtotal. */
function takeBack(row: Row, gross: bigint, { from, isWhole }: { from: Taking; isWhole: boolean }): void {
  from.rows.add(row);
  row.takings.push({ from, isWhole, gross });
  row.refundRecords += 1;
  row.refunded += gross;
  row.taken = halfEven(row.amount * row.refunded, row.subtotal);
  row.isReversed = row.refunded === row.subtotal;
}

/** Spreads an amount over rows by what is left of them. @returns the status of the response if that can't be done */
function spread(purchase: readonly Row[], amount: bigint | null): Map<Row, bigint | null> | 400 | 409 {
  const rows = purchase.filter(({ isTest }) => !isTest);
  if (rows.length === 0) return 409;
  if (amount === null) return new Map(rows.map((row) => [row, null]));
  const left = rows.reduce((sum, { subtotal, refunded }) => sum + subtotal - refunded, 0n);
  if (new Set(rows.map(({ currency }) => currency)).size > 1 || amount > left) return 400;
  const exact = rows.map((row) => ({ row, scaled: amount * (row.subtotal - row.refunded) }));
  const whole = exact.reduce((sum, { scaled }) => sum + scaled / left, 0n);
  const up = new Set(
    [...exact.entries()]
      .sort(([at, one], [otherAt, other]) => {
        const difference = (other.scaled % left) - (one.scaled % left);
        return difference === 0n ? at - otherAt : difference > 0n ? 1 : -1;
      })
      .slice(0, Number(amount - whole))
      .map(([, { row }]) => row),
  );
  return new Map(exact.map(({ row, scaled }) => [row, scaled / left + (up.has(row) ? 1n : 0n)]));
}

/** Divides and rounds to the nearest whole number. */
const nearest = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** Divides and rounds to whole numbers, half to even. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor;
  const twice = 2n * (dividend - whole * divisor);
  if (twice === divisor) return whole + (whole & 1n);
  return twice > divisor ? whole + 1n : whole;
}
