import { Creators } from './model/creators.ts';
import { Earnings } from './model/earnings.ts';
import {
  type Batch,
  type Comeback,
  type DueRow,
  dayMs,
  earns,
  type Fall,
  type Preview,
  type Result,
  type Row,
} from './model/records.ts';

/**
 * Model of the service's guarantees about money, in plain TypeScript. It covers one creator group with its rows, schedules,
 * creators and payouts, and shares no code with the service.
 */
export class GroupModel extends Earnings {
  readonly batches: Batch[] = [];
  readonly comebacks: Comeback[] = [];
  readonly creators = new Creators();
  holdDays = 30;
  minimumMinor = 0n;

  preview(now: number): Preview {
    const due: Preview['due'] = new Map();
    const held: Preview['held'] = [];
    const creators = this.creators.snapshot();
    for (const each of new Set(this.rows().map((row) => row.currency))) {
      const members: NonNullable<ReturnType<typeof due.get>> = new Map();
      const dueOf = (row: { member: number }) => {
        const member = this.creators.survivor(row.member);
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
          held.push({ currency: each, member: this.creators.survivor(row.member), row, hold: row.hold });
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
        const hold = creators.holds.get(member);
        if (hold !== undefined && amount > 0n) held.push({ currency: each, member, row: null, hold });
        if (amount <= 0n || amount < minimum || this.creators.blocks(member).length > 0)
          members.delete(member);
      }
      if (members.size > 0) due.set(each, members);
    }
    return { batches: this.batches.length, due, creators, held };
  }

  /**
   * Returns everything that is owed but not due, by currency and member, each amount with all its reasons. Amounts in
   * payouts are no longer owed.
   */
  waiting(now: number): { currency: string; member: number; amount: bigint; reasons: string[] }[] {
    const { due } = this.preview(now);
    return [...new Set(this.rows().map((row) => row.currency))].flatMap((currency) =>
      [...new Set(this.rows().map(({ member }) => this.creators.survivor(member)))].flatMap((member) => {
        const unpaid = this.rows().filter(
          (row) =>
            row.currency === currency && this.creators.survivor(row.member) === member && isUnpaid(row),
        );
        const later = sumOf(unpaid.filter((row) => this.#isInHoldPeriod(row, now)));
        const onHold = sumOf(unpaid.filter((row) => !this.#isInHoldPeriod(row, now) && row.hold !== null));
        // The amount owed that is neither in its hold period nor on hold.
        const amount = this.balance(member, currency) - later - onHold;
        const blocks = this.creators.blocks(member);
        const isBelow = currency === 'USD' && amount < this.minimumMinor;
        const isDue = due.get(currency)?.has(member) === true;
        const reasons = amount < 0n ? ['repaying'] : [...blocks, ...(isBelow ? ['minimum'] : [])];
        return [
          ...(amount !== 0n && !isDue ? [{ amount, reasons }] : []),
          ...(onHold > 0n ? [{ amount: onHold, reasons: [...new Set(['hold', ...blocks])] }] : []),
          ...(later !== 0n ? [{ amount: later, reasons: ['hold-period', ...blocks] }] : []),
        ].map((each) => ({ currency, member, ...each }));
      }),
    );
  }

  /** Returns what leaves the hold period of a member's rows, as `day amount` for each UTC day with an amount. */
  heldByDay(now: number, member: number, currency: string): string[] {
    const held = this.rows().filter(
      (row) =>
        row.currency === currency &&
        this.creators.survivor(row.member) === member &&
        isUnpaid(row) &&
        this.#isInHoldPeriod(row, now),
    );
    const days = Map.groupBy(held, ({ date }) => Math.floor((date + this.holdDays * dayMs) / dayMs) * dayMs);
    return [...days]
      .sort(([one], [other]) => one - other)
      .map(([day, rows]) => [new Date(day).toISOString(), sumOf(rows)] as const)
      .flatMap(([day, amount]) => (amount === 0n ? [] : [`${day} ${amount}`]));
  }

  /**
   * Returns whether a preview can still be paid. Another payout, or a hold released since the preview, prevents that.
   * An exact payout is also prevented by a refund or a reinstatement of one of its rows, or by a new hold.
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
    if (due === undefined || this.creators.isKeptOutSince(preview.creators, member)) return 0n;
    // A row that has been reinstated since then is left for the next payout.
    const isLost = ({ row, reinstatements }: DueRow): boolean =>
      row.hold !== null || row.reinstatements !== reinstatements;
    const left = due.rows.reduce(
      (amount, each) => amount - ((isLost(each) ? each.row.amount : each.row.taken) - each.taken),
      due.amount,
    );
    const minimum = currency === 'USD' ? this.minimumMinor : 0n;
    return left > 0n && left >= minimum ? left : 0n;
  }

  /** Returns the members who are paid less than a preview showed in some of its currencies, with both amounts. */
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

  /**
   * Returns whether a payment that was held can be paid now. A row on hold whose member is on hold, too, needs both
   * releases.
   */
  #isReleased({ creators: { holds } }: Preview, { member, row, hold }: Preview['held'][number]): boolean {
    const ofMember = holds.get(member);
    const isMemberReleased = ofMember !== undefined && this.creators.holds.get(member) !== ofMember;
    if (row === null) return isMemberReleased;
    return row.hold !== hold && (ofMember === undefined || isMemberReleased);
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
        methods: new Map(),
      };
      const owed = new Map(
        [...members.keys()].map((member) => [member, this.stillOwed(preview, each, member)]),
      );
      for (const [member, { rows, clawbacks, comebacks, givenBack }] of members) {
        const amount = owed.get(member) ?? 0n;
        if (amount === 0n) continue;
        batch.items.set(member, amount);
        const method = this.creators.methodOfLine(member);
        if (method !== null) batch.methods.set(member, method);
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
      if (this.creators.survivor(row.member) === member && row.currency === currency && earns(row))
        balance += row.amount - row.taken;
    }
    for (const batch of this.batches) {
      if (batch.currency !== currency || batch.status === 'Cancelled') continue;
      for (const [each, amount] of batch.items)
        if (this.creators.survivor(each) === member) balance -= amount;
    }
    for (const { from, member: each, amount } of this.comebacks)
      if (from.currency === currency && this.creators.survivor(each) === member) balance += amount;
    return balance;
  }

  #isPayable(row: Row, now: number): boolean {
    return isUnpaid(row) && !this.#isInHoldPeriod(row, now);
  }

  #isInHoldPeriod({ date }: Row, now: number): boolean {
    return date + this.holdDays * dayMs > now;
  }
}

/** Returns whether a row has earned something that isn't in a payout. */
const isUnpaid = (row: Row): boolean => earns(row) && !row.isReversed && row.batch === null;

const sumOf = (rows: readonly Row[]): bigint =>
  rows.reduce((sum, { amount, taken }) => sum + amount - taken, 0n);
