import { sql } from 'kysely';
import { lockMemberships } from '../../../members/lock-members.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { endOfLease, inStep, newStepSize, type StepSize } from '../payout-step.ts';
import { type Agreement, assignMembers, type Left, NoLongerDue } from './assign-members.ts';
import { assignRows, endOfPart, Sums } from './assign-rows.ts';
import { keyOf, type Reasons } from './change-reasons.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { saveReductions } from './reductions.ts';
import type { Fall } from './still-owed.ts';

export interface PlannedBatch {
  batchId: PayoutBatchId;
  currency: string;
  members: PlannedPayable[];
}

export interface FillPlan {
  scope: PayoutScope;
  batches: readonly PlannedBatch[];
  agreement: Agreement;
  /** Members who, according to the plan, are paid less than the preview showed. */
  falls: readonly Fall[];
}

interface Filling {
  db: Db;
  scope: PayoutScope;
  batchIds: ReadonlyMap<string, PayoutBatchId>;
  agreement: Agreement;
  reasons: Reasons;
  size: StepSize;
}

/** Number of left-out members that one step stores. */
const maxUnpaid = 1_000;

/**
 * Fills Preparing batches with everything their members are due, in steps of about 150 ms. A step handles several
 * members in all currencies, so that each member's rows are read only once. A member whose rows don't fit in one step
 * takes several, and the last one inserts the items.
 * @throws PlanChanged when a member can't be paid as planned; Refusal when another process took over the batches
 */
export async function fillPayout(db: Db, { scope, batches, agreement, falls }: FillPlan): Promise<void> {
  const batchIds = new Map(batches.map(({ currency, batchId }) => [currency, batchId]));
  const reasons = new Map(falls.map(({ payable, reasons }) => [keyOf(payable), reasons]));
  const filling = { db, scope, batchIds, agreement, reasons, size: newStepSize() };
  const unpaid = falls.filter(
    ({ payable, afterMinor }) => afterMinor === 0n && batchIds.has(payable.currency),
  );
  for (let next = 0; next < unpaid.length; next += maxUnpaid)
    await step(filling, [], (tx) =>
      saveReductions(tx, scope.publisherId, batchIds, unpaid.slice(next, next + maxUnpaid)),
    );
  const byMember = Map.groupBy(
    batches.flatMap(({ members }) => members),
    ({ membershipId }) => membershipId,
  );
  const members = [...byMember]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, payables]) => payables);
  for (let next = 0; next < members.length; ) {
    const set = takeSet(members, next, filling.size.rows());
    next += set.length;
    const payables = set.flat();
    const isLarge = set.length === 1 && rowsOf(payables) > filling.size.rows();
    await payMembers(filling, payables, isLarge ? await assignLargeMember(filling, payables) : null);
  }
}

const rowsOf = (payables: readonly PlannedPayable[]): number =>
  payables.reduce((sum, { seenCount, rewardCount }) => sum + seenCount + rewardCount + 1, 0);

/** Returns the next members whose rows fit in one step, or a single member with more rows than that. */
function takeSet(members: readonly PlannedPayable[][], from: number, maxRows: number): PlannedPayable[][] {
  const set: PlannedPayable[][] = [];
  let rows = 0;
  for (let index = from; index < members.length; index += 1) {
    const member = members[index];
    if (member === undefined) break;
    rows += rowsOf(member);
    if (set.length > 0 && rows > maxRows) break;
    set.push(member);
  }
  return set;
}

/**
 * Runs the last (or only) step for the given members, leaving out those who are no longer owed enough.
 * @param unpaid members left out
 */
async function payMembers(
  filling: Filling,
  payables: readonly PlannedPayable[],
  assigned: Sums | null,
  unpaid: ReadonlyMap<PlannedPayable, Left> = new Map(),
): Promise<void> {
  const { scope, batchIds, agreement, reasons } = filling;
  try {
    await step(filling, [...payables, ...unpaid.keys()], (tx) =>
      assignMembers(tx, { scope, batchIds, payables, assigned, agreement, reasons, unpaid }),
    );
  } catch (error) {
    if (!(error instanceof NoLongerDue)) throw error;
    const others = payables.filter((each) => !error.left.has(each));
    if (others.length > 0 || agreement === 'or less')
      await payMembers(filling, others, assigned, new Map([...unpaid, ...error.left]));
  }
}

/**
 * Assigns the purchases of a member who has too many for one step. Runs every step but the last.
 * @returns the assigned sums
 */
async function assignLargeMember(filling: Filling, payables: readonly PlannedPayable[]): Promise<Sums> {
  const { scope, batchIds, size } = filling;
  const assigned = new Sums();
  for (const membershipId of new Set(payables.flatMap(({ membershipIds }) => membershipIds))) {
    const own = payables
      .filter(({ membershipIds }) => membershipIds.includes(membershipId))
      .map((each) => ({ ...each, membershipIds: [membershipId] }));
    const assignment = { scope, batchIds, payables: own };
    let from: Date | null = null;
    do {
      const start: Date | null = from;
      const part: { until: Date | null; sums: Sums } = await step(filling, payables, async (tx) => {
        const until = await endOfPart(tx, assignment, { membershipId, from: start, rows: size.rows() });
        return { until, sums: await assignRows(tx, assignment, { from: start, until }) };
      });
      assigned.addAll(part.sums);
      from = part.until;
    } while (from !== null);
  }
  return assigned;
}

/** Runs one step. Locks the members in id order and then the batches, which must still be Preparing. */
async function step<Result>(
  { db, scope: { publisherId }, batchIds, size }: Filling,
  members: readonly PlannedPayable[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let startedAt = 0;
  const result = await inStep(
    db,
    async (tx) => {
      await lockMemberships(
        tx,
        publisherId,
        members.flatMap(({ membershipId, membershipIds }) => [membershipId, ...membershipIds]),
      );
      await extendLeases(tx, publisherId, [...batchIds.values()]);
      startedAt = performance.now();
      return work(tx);
    },
    () => extendLeases(db, publisherId, [...batchIds.values()]),
  );
  size.took(Math.min(rowsOf(members), size.rows()), performance.now() - startedAt);
  return result;
}

async function extendLeases(
  db: Db | Tx,
  publisherId: string,
  batchIds: readonly PayoutBatchId[],
): Promise<void> {
  const workedUntil = endOfLease(await readMoment(db));
  const { numAffectedRows } = await sql`
    update payout_batch
    set worked_until = ${workedUntil}
    where publisher_id = ${publisherId} and batch_id = any(${[...batchIds]}::uuid[]) and status = 'Preparing'`.execute(
    db,
  );
  if (numAffectedRows !== BigInt(batchIds.length))
    throw new Refusal('Conflict', 'The payout was canceled while it was being created. Nothing was paid.');
}
