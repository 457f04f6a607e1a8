import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { GateId, HoldId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PayoutNeeds } from '../../../publishers/payout-needs.ts';
import { type WaitingAmount, type WaitingFacts, waitingOf } from '../waiting.ts';
import type { Payable, PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { type PayoutRequest, planPayout } from './plan-payout.ts';

/** Amount that a payout would pay if it weren't on hold. */
export interface OnHold {
  rowCount: number;
  amountMinor: bigint;
  /** Distinct reasons and end times of the holds, most frequent first, up to `maxHolds`. */
  holds: HoldReason[];
}

export interface HoldReason {
  reason: string;
  /** Time on the publisher's clock at which the holds end automatically; null if they must be released. */
  endsAt: Date | null;
  /** Number of rows; null for a hold on the creator. */
  rowCount: number | null;
}

export interface PreviewedPayable extends Payable {
  /** Null if no hold keeps an amount out of the payout. The other amounts don't include this one. */
  onHold: OnHold | null;
  /** Everything past its hold period that the payout doesn't pay, each amount with its reasons. */
  waiting: WaitingAmount[];
}

export interface PayoutPreview {
  /**
   * Cutoff on the publisher's clock. A payout created with this cutoff pays exactly the previewed amounts.
   */
  asOf: Date;
  /** Cutoff on the service's clock. */
  cutoff: Date;
  holdMs: number;
  /** Latest purchase date that is past the hold period. */
  heldAfter: Date;
  needs: PayoutNeeds;
  payables: PreviewedPayable[];
}

/** Maximum number of reasons shown for a member. Each dispute may have its own. */
const maxHolds = 20;

/**
 * Calculates what a group's payout would pay now and what would be left for a later one. Reads from one snapshot,
 * without locks.
 * @param request if it has an earlier preview's cutoff, the result matches that preview
 * @throws Refusal when the group doesn't exist, one of its payouts is in progress, or the amounts due at `asOf` can no
 * longer be calculated
 */
export async function previewPayout(db: Db, request: PayoutRequest): Promise<PayoutPreview> {
  const { scope, payables, made } = await planPayout(db, request);
  const [paid] = made;
  if (paid !== undefined)
    throw new Refusal(
      'Conflict',
      `Payout ${paid.batchId} of group ${request.groupId} was created from this preview. Preview the payout again.`,
    );
  return previewOf(db, scope, payables);
}

/** Describes the amounts due for a preview. */
export async function previewOf(
  db: Db | Tx,
  scope: PayoutScope,
  payables: readonly PlannedPayable[],
): Promise<PayoutPreview> {
  const facts = await readWaitingFacts(db, scope.publisherId, payables);
  return {
    asOf: scope.clockAt,
    cutoff: scope.asOf,
    holdMs: scope.holdMs,
    heldAfter: scope.heldAfter,
    needs: scope.needs,
    payables: payables.map((each) => toPreviewed(each, facts)),
  };
}

/** Holds and reviews never change, so they don't have to be read in the plan's snapshot. */
export async function readWaitingFacts(
  db: Db | Tx,
  publisherId: string,
  payables: readonly Pick<PlannedPayable, 'rowHoldIds' | 'memberHoldIds' | 'reviewIds'>[],
): Promise<WaitingFacts> {
  const holdIds = payables.flatMap(({ rowHoldIds, memberHoldIds }) => [...rowHoldIds, ...memberHoldIds]);
  const reviewIds = payables.flatMap((each) => each.reviewIds);
  return {
    holds: await readHoldReasons(db, publisherId, holdIds),
    reviews: await readReviews(db, publisherId, reviewIds),
  };
}

async function readReviews(
  db: Db | Tx,
  publisherId: string,
  reviewIds: readonly GateId[],
): Promise<WaitingFacts['reviews']> {
  if (reviewIds.length === 0) return new Map();
  const { rows } = await sql<{ gate_id: GateId; note: string; until_at: Date | null }>`
    select gate_id, note, until_at
    from payee_gate
    where publisher_id = ${publisherId} and gate_id = any(${[...reviewIds]}::uuid[])`.execute(db);
  return new Map(rows.map(({ gate_id, note, until_at: until }) => [gate_id, { note, until }]));
}

async function readHoldReasons(
  db: Db | Tx,
  publisherId: string,
  holdIds: readonly HoldId[],
): Promise<WaitingFacts['holds']> {
  if (holdIds.length === 0) return new Map();
  const { rows } = await sql<{ hold_id: HoldId; reason: string; ends_at: Date | null }>`
    select hold_id, reason, ends_at
    from payment_hold
    where publisher_id = ${publisherId} and hold_id = any(${[...holdIds]}::uuid[])`.execute(db);
  return new Map(rows.map(({ hold_id, reason, ends_at: endsAt }) => [hold_id, { reason, endsAt }]));
}

/** Separates the amount on hold. A hold on a member keeps the whole amount, if there is one, out of the payout. */
function toPreviewed(planned: PlannedPayable, facts: WaitingFacts): PreviewedPayable {
  const { held, rowHoldIds, memberHoldIds } = planned;
  const reasons = facts.holds;
  const waiting = waitingOf(planned, facts);
  const payable = { ...payableOf(planned), waiting };
  const isWholeHeld = memberHoldIds.length > 0 && payable.amountMinor > 0n;
  if (!isWholeHeld && held.count === 0) return { ...payable, onHold: null };
  const holds = [
    ...(isWholeHeld ? countReasons(memberHoldIds, reasons).map((each) => ({ ...each, rowCount: null })) : []),
    ...countReasons(rowHoldIds, reasons),
  ].slice(0, maxHolds);
  if (!isWholeHeld)
    return { ...payable, onHold: { rowCount: held.count, amountMinor: held.amountMinor, holds } };
  const onHold = {
    rowCount: held.count + payable.rowCount,
    amountMinor: held.amountMinor + payable.amountMinor,
    holds,
  };
  return { ...payable, ...nothing, onHold };
}

const nothing = {
  rowCount: 0,
  paymentsMinor: 0n,
  rewardCount: 0,
  rewardsMinor: 0n,
  adjustmentsMinor: 0n,
  amountMinor: 0n,
};

const payableOf = ({
  membershipIds,
  seenCount,
  recordingIds,
  reversedMinor,
  isUnclear,
  held,
  rowHoldIds,
  memberHoldIds,
  reviewIds,
  methodUsableFrom,
  creatorBlocks,
  isHeldSince,
  isGatedSince,
  isReleasedSince,
  ...payable
}: PlannedPayable): Payable => payable;

/** Counts holds by reason and end, the most frequent first. */
function countReasons(holdIds: readonly HoldId[], reasons: WaitingFacts['holds']): HoldReason[] {
  const counts = new Map<string, Omit<HoldReason, 'rowCount'> & { rowCount: number }>();
  for (const id of holdIds) {
    const reason = reasons.get(id);
    if (reason === undefined) throw new Error('a hold disappeared');
    const key = `${reason.endsAt?.toISOString()} ${reason.reason}`;
    const known = counts.get(key) ?? { ...reason, rowCount: 0 };
    known.rowCount += 1;
    counts.set(key, known);
  }
  return [...counts.values()].sort((one, other) => other.rowCount - one.rowCount);
}
