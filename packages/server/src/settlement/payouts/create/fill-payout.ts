import { sql } from 'kysely';
import { lockMemberships } from '../../../members/lock-members.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { endOfLease, inStep, newStepSize, type StepSize } from '../payout-step.ts';
import type { PayoutScope, PlannedPayable } from './payable.ts';
import { type Stamped, stampMembers, stampPart } from './stamp-members.ts';

/** A batch to be filled, and who is due in it. */
export interface PlannedBatch {
  batchId: PayoutBatchId;
  members: PlannedPayable[];
}

/** Batches that are being filled, and how. */
interface Filling {
  db: Db;
  scope: PayoutScope;
  batchIds: readonly PayoutBatchId[];
  mustAgree: boolean;
  size: StepSize;
}

/**
 * Fills batches that are Preparing with all that their members are due, in steps of as many members as have a
 * sixth of a second's rows. A member with more takes several, and gets its item in the last of them.
 * @throws PlanChanged when a member cannot be paid as planned; Refusal when somebody else took the batches over
 */
export async function fillPayout(
  db: Db,
  scope: PayoutScope,
  batches: readonly PlannedBatch[],
  mustAgree: boolean,
): Promise<void> {
  const batchIds = batches.map(({ batchId }) => batchId);
  const filling = { db, scope, batchIds, mustAgree, size: newStepSize() };
  for (const { batchId, members } of batches) {
    for (let next = 0; next < members.length; ) {
      const set = takeSet(members, next, filling.size.rows());
      const stamped = await stampMany(filling, batchId, set);
      await step(filling, set, (tx) =>
        stampMembers(tx, { scope, batchId, members: set, stamped, mustAgree }),
      );
      next += set.length;
    }
  }
}

const rowsOf = ({ rowCount, rewardCount }: PlannedPayable): number => rowCount + rewardCount + 1;

/** The next members that together have no more rows than a step takes; one when it alone has more. */
function takeSet(members: readonly PlannedPayable[], from: number, most: number): PlannedPayable[] {
  const set: PlannedPayable[] = [];
  let rows = 0;
  for (let index = from; index < members.length; index += 1) {
    const member = members[index];
    if (member === undefined) break;
    rows += rowsOf(member);
    if (set.length > 0 && rows > most) break;
    set.push(member);
  }
  return set;
}

/** The steps before the last of a member with more purchases than one takes. @returns what they stamped */
async function stampMany(
  filling: Filling,
  batchId: PayoutBatchId,
  set: readonly PlannedPayable[],
): Promise<Map<MembershipId, Stamped>> {
  const stamped = new Map<MembershipId, Stamped>();
  const [member] = set;
  if (member === undefined || set.length > 1 || rowsOf(member) <= filling.size.rows()) return stamped;
  let rowCount = 0;
  let amountMinor = 0n;
  for (const membershipId of member.membershipIds) {
    for (let after: Date | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const part = await step(filling, set, (tx) =>
        stampPart(tx, {
          scope: filling.scope,
          batchId,
          currency: member.currency,
          membershipId,
          after,
          limit: filling.size.rows(),
        }),
      );
      rowCount += part.rowCount;
      amountMinor += part.amountMinor;
      after = part.upTo;
    }
  }
  return stamped.set(member.membershipId, { rowCount, amountMinor });
}

/** Locks the members, by id, and then the batches, which must still be ours. */
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
      await keepBatches(tx, publisherId, batchIds);
      startedAt = performance.now();
      return work(tx);
    },
    () => keepBatches(db, publisherId, batchIds),
  );
  const rows = members.reduce((sum, member) => sum + rowsOf(member), 0);
  size.took(Math.min(rows, size.rows()), performance.now() - startedAt);
  return result;
}

async function keepBatches(
  db: Db | Tx,
  publisherId: string,
  batchIds: readonly PayoutBatchId[],
): Promise<void> {
  const { numAffectedRows } = await sql`
    update payout_batch
    set worked_until = ${endOfLease}
    where publisher_id = ${publisherId} and batch_id = any(${[...batchIds]}::uuid[]) and status = 'Preparing'`.execute(
    db,
  );
  if (numAffectedRows !== BigInt(batchIds.length))
    throw new Refusal('Conflict', 'The payout was cancelled while it was being made; nothing was paid.');
}
