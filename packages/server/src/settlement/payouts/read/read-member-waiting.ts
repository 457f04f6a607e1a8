import { sql } from 'kysely';
import { findMemberships } from '../../../members/read/find-memberships.ts';
import { readManaged } from '../../../members/read/read-managed.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId } from '../../../platform/database/tables.generated.ts';
import { planMember } from '../create/plan-member.ts';
import type { PayoutPreview } from '../create/preview-payout.ts';
import { readInPayouts } from '../read-waiting-rest.ts';
import type { WaitingAmount } from '../waiting.ts';
import { readPlannedDays } from './read-calendars.ts';
import { completeRows, readOwed, rowsOf } from './read-preview.ts';

/** Everything that a creator is owed in one currency. */
export interface MemberWaiting {
  currency: string;
  balanceMinor: bigint;
  /** Amount that a payout would pay now. */
  dueMinor: bigint;
  /** Parts of `dueMinor`, which add up to it. */
  due: DueParts;
  minimumMinor: bigint;
  waiting: WaitingAmount[];
}

interface DueParts {
  /** Number of purchase rows. */
  rowCount: number;
  /** Shares of purchases. */
  paymentsMinor: bigint;
  /** Rewards of bounties. */
  rewardsMinor: bigint;
  /** Clawbacks that are deducted; zero or negative. */
  adjustmentsMinor: bigint;
}

export const nothingDue: DueParts = {
  rowCount: 0,
  paymentsMinor: 0n,
  rewardsMinor: 0n,
  adjustmentsMinor: 0n,
};

const partsOf = ({ rowCount, paymentsMinor, rewardsMinor, adjustmentsMinor }: DueParts): DueParts => ({
  rowCount,
  paymentsMinor,
  rewardsMinor,
  adjustmentsMinor,
});

/** Member in a group, and the time of what is read about it. */
interface MemberAt {
  asOf: Date;
  /** Start of the day on which the group's next payout is planned; null if the group has no payout calendar. */
  plannedFor: Date | null;
  rows: MemberWaiting[];
}

interface NamedMember {
  publisherId: string;
  memberId: AccountId;
  groupId: string;
}

export interface StandingMember extends NamedMember {
  membershipId: MembershipId;
}

/**
 * Reads what a payout would pay a creator now, and why the rest waits. Reads one snapshot, so that the amounts of a
 * currency add up to its balance and the amounts in payouts.
 * @throws Refusal NotFound
 */
export const readMemberWaiting = (db: Db, named: NamedMember): Promise<MemberAt> =>
  inSnapshot(db, async (tx) => {
    const { memberId, membershipId } = await readManaged(tx, named);
    return (await waitingIn(tx, { ...named, memberId, membershipId })).member;
  });

/** Everything that a creator is owed in one currency, with the amount of the payout on the planned day. */
export interface PlannedWaiting extends MemberWaiting {
  /**
   * Amount that a payout on the planned day would pay of everything that is posted now. Without a planned day, or if that
   * day is past, the amount that a payout would pay now.
   */
  plannedMinor: bigint;
}

interface PlannedMember extends Omit<MemberAt, 'rows'> {
  /** The member's own membership and those merged into it. */
  membershipIds: MembershipId[];
  rows: PlannedWaiting[];
}

/** Reads the same as `readMemberWaiting`, and what the next planned payout would pay, from the same snapshot. */
export const readPlannedWaiting = (db: Db, standing: StandingMember): Promise<PlannedMember> =>
  inSnapshot(db, async (tx) => {
    const { member, membershipIds, preview } = await waitingIn(tx, standing);
    const { asOf, plannedFor, rows } = member;
    const waitMs = plannedFor === null ? 0 : plannedFor.getTime() - asOf.getTime();
    if (waitMs <= 0)
      return { ...member, membershipIds, rows: rows.map((row) => ({ ...row, plannedMinor: row.dueMinor })) };
    const { publisherId, groupId } = standing;
    const later = new Date(preview.cutoff.getTime() + waitMs);
    const { payables } = await planMember(tx, { publisherId, groupId, membershipIds, later });
    const planned = new Map(
      payables.map(({ currency, isDue, amountMinor }) => [currency, isDue ? amountMinor : 0n]),
    );
    return {
      ...member,
      membershipIds,
      rows: rows.map((row) => ({ ...row, plannedMinor: planned.get(row.currency) ?? 0n })),
    };
  });

export const inSnapshot = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** Preview of a payout for one member, with what it doesn't pay. */
interface WaitingNow {
  member: MemberAt;
  /** The member's own membership and those merged into it. */
  membershipIds: MembershipId[];
  preview: Pick<PayoutPreview, 'cutoff' | 'holdMs' | 'heldAfter'>;
}

export async function waitingIn(
  tx: Tx,
  { publisherId, groupId, memberId, membershipId }: StandingMember,
): Promise<WaitingNow> {
  const membershipIds = await findMemberships(tx, publisherId, groupId, { by: 'memberId', value: memberId });
  const { payables, ...preview } = await planMember(tx, { publisherId, groupId, membershipIds });
  const request = { publisherId, groupId, currency: null, asOf: null };
  const balances = await readOwed(tx, request, { cutoff: preview.cutoff, membershipIds });
  const rows = await completeRows(tx, request, preview, rowsOf(payables, balances));
  const days = await readPlannedDays(tx, { publisherId, groupIds: [groupId], at: preview.asOf });
  const owed = rows.map((row) => ({
    currency: row.currency,
    balanceMinor: row.amountMinor + row.laterMinor + (row.onHold?.amountMinor ?? 0n),
    dueMinor: row.state === 'due' ? row.amountMinor : 0n,
    due: row.state === 'due' ? partsOf(row) : nothingDue,
    minimumMinor: row.minimumMinor,
    waiting: row.waiting,
  }));
  const scope = { publisherId, groupId, cutoff: preview.cutoff, membershipId };
  const inPayouts = await readOnlyInPayouts(tx, scope, {
    membershipIds,
    except: owed.map(({ currency }) => currency),
  });
  return {
    member: {
      asOf: preview.asOf,
      plannedFor: days.get(groupId) ?? null,
      rows: [...owed, ...inPayouts].sort((one, other) => (one.currency < other.currency ? -1 : 1)),
    },
    membershipIds,
    preview,
  };
}

/** Reads the currencies in which everything that the creator is owed is in payouts that aren't paid yet. */
async function readOnlyInPayouts(
  tx: Tx,
  {
    membershipId,
    ...scope
  }: { publisherId: string; groupId: string; cutoff: Date; membershipId: MembershipId },
  { membershipIds, except }: { membershipIds: readonly MembershipId[]; except: readonly string[] },
): Promise<MemberWaiting[]> {
  const { rows } = await sql<{ currency: string }>`
    select distinct b.currency
    from member_balance b
    where b.publisher_id = ${scope.publisherId} and b.membership_id = any(${[...membershipIds]}::uuid[])
      and b.currency <> all(${[...except]}::text[])`.execute(tx);
  const inPayouts = await readInPayouts(
    tx,
    scope,
    rows.map(({ currency }) => ({ membershipId, currency })),
  );
  return rows.flatMap(({ currency }, index) => {
    const waiting = inPayouts[index] ?? [];
    return waiting.length === 0
      ? []
      : [{ currency, balanceMinor: 0n, dueMinor: 0n, due: nothingDue, minimumMinor: 0n, waiting }];
  });
}
