import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { MembershipId, StatementId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { PieceSize } from '../verify/snapshots.ts';
import { afterMonth, type ClosingMonth, readClosingMonth, startOf } from './next-month.ts';
import { type Movements, readBalanceBefore, readMovements } from './read-movements.ts';
import { readStatementPayouts } from './read-statement-payouts.ts';
import type { StatementPayout, StatementSums } from './statement.ts';

const maxMembersPerRead = 500;

/**
 * Issues a publisher's statements of the next month that can be closed.
 * @returns the number of members that were read; 0 if there is nothing to do, or another process does it
 */
export async function issueStatements(
  db: Db,
  publisherId: string,
  stopping: AbortSignal | null = null,
): Promise<number> {
  const closing = await readClosingMonth(db, publisherId);
  return closing === null ? 0 : issueMonth(db, closing, stopping);
}

/**
 * Issues the statements of a month, with one commit for each creator. If the process is killed, the next run continues after
 * the last commit. If several processes work on a month, each commit is made by one of them, because it moves the month's
 * progress.
 * @param stopping ends the work after the current creator
 * @returns the number of members that were read; 0 if another process does the work
 */
export async function issueMonth(
  db: Db,
  closing: ClosingMonth,
  stopping: AbortSignal | null = null,
): Promise<number> {
  const { publisherId } = closing;
  const names = await publisherNames(db, [publisherId]);
  const issuer = new Issuer(db, closing, names.get(publisherId) ?? publisherId);
  const size = new PieceSize(1, maxMembersPerRead);
  for (let read = 0; ; ) {
    const startedAt = performance.now();
    const limit = size.value;
    const { members, last, taken } = await readMovements(db, closing, { after: issuer.doneTo, limit });
    size.adjust(taken, performance.now() - startedAt);
    read += taken;
    for (const [membershipId, sums] of Map.groupBy(members, (each) => each.membershipId)) {
      if (stopping?.aborted) return read;
      if (!(await issuer.issue(membershipId, sums))) return 0;
    }
    if (stopping?.aborted) return read;
    if (last === null || taken < limit) return (await issuer.closeMonth()) ? Math.max(read, 1) : 0;
    if (!(await issuer.moveTo(last))) return 0;
  }
}

interface NewStatement extends StatementSums, Movements {
  payouts: StatementPayout[];
}

/** Issues the statements of one month. Each write succeeds only if no other process has moved the progress. */
class Issuer {
  readonly #db: Db;
  readonly #closing: ClosingMonth;
  readonly #publisherName: string;
  doneTo: string;

  constructor(db: Db, closing: ClosingMonth, publisherName: string) {
    this.#db = db;
    this.#closing = closing;
    this.#publisherName = publisherName;
    this.doneTo = closing.doneTo;
  }

  /** Issues the statements of one member, in one commit. */
  async issue(membershipId: MembershipId, sums: readonly Movements[]): Promise<boolean> {
    const statements: NewStatement[] = [];
    for (const each of sums) {
      const statement = await this.#addUp(each);
      if (statement !== null) statements.push(statement);
    }
    return statements.length === 0 || (await this.#save(membershipId, statements));
  }

  async moveTo(membershipId: MembershipId): Promise<boolean> {
    if (membershipId === this.doneTo) return true;
    const { numUpdatedRows } = await this.#progress().set({ done_to: membershipId }).executeTakeFirst();
    this.doneTo = membershipId;
    return numUpdatedRows === 1n;
  }

  async closeMonth(): Promise<boolean> {
    const { month, closesAt } = afterMonth(this.#closing.month);
    const { numUpdatedRows } = await this.#progress()
      .set({ month, closes_at: closesAt, done_to: noMembership })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #progress() {
    return this.#db
      .updateTable('statement_progress')
      .where('publisher_id', '=', this.#closing.publisherId)
      .where('month', '=', startOf(this.#closing.month))
      .where('done_to', '=', this.doneTo);
  }

  /** @returns null if nothing moved */
  async #addUp(moved: Movements): Promise<NewStatement | null> {
    const last = await this.#readLast(moved);
    const isSame =
      last !== null &&
      last.membershipIds.length === moved.membershipIds.length &&
      last.membershipIds.every((id) => moved.membershipIds.includes(id));
    let openingMinor = last?.closingMinor ?? 0n;
    let claimedMinor = 0n;
    if (!isSame) {
      const { ownMinor, mergedMinor } = await readBalanceBefore(this.#db, this.#closing, moved);
      if (last === null) openingMinor = ownMinor;
      claimedMinor = ownMinor + mergedMinor - openingMinor;
    }
    const parts = [
      ...[moved.earnedMinor, moved.bountiesMinor, moved.reversedMinor, moved.clawedBackMinor],
      ...[moved.reinstatedMinor, moved.toPayoutsMinor, moved.fromPayoutsMinor, claimedMinor],
    ];
    if (parts.every((part) => part === 0n)) return null;
    const closingMinor = parts.reduce((sum, part) => sum + part, openingMinor);
    const payouts = await readStatementPayouts(this.#db, this.#closing, moved);
    return { ...moved, openingMinor, claimedMinor, closingMinor, payouts };
  }

  async #readLast({ membershipId, currency }: Movements) {
    const last = await this.#db
      .selectFrom('statement')
      .select(['closing_minor', 'membership_ids'])
      .where('publisher_id', '=', this.#closing.publisherId)
      .where('membership_id', '=', membershipId)
      .where('currency', '=', currency)
      .orderBy('month', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return null;
    return {
      closingMinor: BigInt(last.closing_minor),
      membershipIds: last.membership_ids as MembershipId[],
    };
  }

  async #save(membershipId: MembershipId, statements: readonly NewStatement[]): Promise<boolean> {
    const { publisherId, month, entriesFrom, entriesBefore } = this.#closing;
    const issuedAt = await readMoment(this.#db);
    const amounts = (of: (statement: NewStatement) => bigint) => statements.map((each) => String(of(each)));
    const [first] = statements;
    if (first === undefined) throw new Error('there are no statements to save');
    const { rows } = await sql`
      with moved as (
        update statement_progress
        set done_to = ${membershipId}::uuid
        where publisher_id = ${publisherId} and month = ${startOf(month)} and done_to = ${this.doneTo}::uuid
        returning 1
      )
      insert into statement (publisher_id, membership_id, currency, month, statement_id, membership_ids, entries_from,
                             entries_before, opening_minor, earned_minor, bounties_minor, reversed_minor, clawed_back_minor,
                             reinstated_minor, to_payouts_minor, from_payouts_minor, claimed_minor, closing_minor, payouts, account_id,
                             account_name, group_id, group_name, publisher_name, issued_at)
      select ${publisherId}, ${membershipId}::uuid, s.currency, ${startOf(month)}, s.statement_id,
             ${[...first.membershipIds]}::uuid[], ${entriesFrom}::timestamptz, ${entriesBefore}::timestamptz, s.opening, s.earned,
             s.bounties, s.reversed, s.clawed_back, s.reinstated, s.to_payouts,
             s.from_payouts, s.claimed, s.closing, s.payouts::jsonb,
             ${first.accountId}, ${first.accountName}, ${first.groupId}, ${first.groupName}, ${this.#publisherName},
             ${issuedAt}::timestamptz
      from unnest(
        ${statements.map(({ currency }) => currency)}::text[],
        ${statements.map(() => newRowId<StatementId>())}::uuid[],
        ${amounts((each) => each.openingMinor)}::numeric[],
        ${amounts((each) => each.earnedMinor)}::numeric[],
        ${amounts((each) => each.bountiesMinor)}::numeric[],
        ${amounts((each) => each.reversedMinor)}::numeric[],
        ${amounts((each) => each.clawedBackMinor)}::numeric[],
        ${amounts((each) => each.reinstatedMinor)}::numeric[],
        ${amounts((each) => each.toPayoutsMinor)}::numeric[],
        ${amounts((each) => each.fromPayoutsMinor)}::numeric[],
        ${amounts((each) => each.claimedMinor)}::numeric[],
        ${amounts((each) => each.closingMinor)}::numeric[],
        ${statements.map(({ payouts }) => JSON.stringify(payouts.map(toStored)))}::text[]
      ) as s (currency, statement_id, opening, earned, bounties, reversed, clawed_back, reinstated, to_payouts, from_payouts,
              claimed, closing, payouts)
      where exists (select 1 from moved)
      returning 1`.execute(this.#db);
    this.doneTo = membershipId;
    return rows.length > 0;
  }
}

const noMembership = '00000000-0000-0000-0000-000000000000';

const toStored = ({ amountMinor, toPayoutMinor, fromPayoutMinor, ...payout }: StatementPayout) => ({
  ...payout,
  amountMinor: String(amountMinor),
  toPayoutMinor: String(toPayoutMinor),
  fromPayoutMinor: String(fromPayoutMinor),
});
