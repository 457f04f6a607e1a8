import { sql } from 'kysely';
import { lockMemberships } from '../../../members/lock-members.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { endOfLease, inStep, newStepSize, type StepSize } from '../payout-step.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { stampMembers, TooLittle } from './stamp-members.ts';
import { endOfPart, Sums, stampRows } from './stamp-rows.ts';

/** A batch to be filled, and who is due in it. */
export interface PlannedBatch {
  batchId: PayoutBatchId;
  currency: string;
  members: PlannedPayable[];
}

/** Batches that are being filled, and how. */
interface Filling {
  db: Db;
  scope: PayoutScope;
  batchIds: ReadonlyMap<string, PayoutBatchId>;
  mustAgree: boolean;
  size: StepSize;
}

/**
 * Fills batches that are Preparing with all that their members are due, in steps of as many members as have a sixth of a
 * second's rows: those of a member in all currencies together, for which they are read once. A member with more takes
 * several, and gets its items in the last of them.
 * @throws PlanChanged when a member cannot be paid as planned; Refusal when somebody else took the batches over
 */
export async function fillPayout(
  db: Db,
  scope: PayoutScope,
  batches: readonly PlannedBatch[],
  mustAgree: boolean,
): Promise<void> {
  const batchIds = new Map(batches.map(({ currency, batchId }) => [currency, batchId]));
  const filling = { db, scope, batchIds, mustAgree, size: newStepSize() };
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
    await payMembers(filling, payables, isLarge ? await stampMany(filling, payables) : null);
  }
}

const rowsOf = (payables: readonly PlannedPayable[]): number =>
  payables.reduce((sum, { seenCount, rewardCount }) => sum + seenCount + rewardCount + 1, 0);

/** The next members that together have no more rows than a step takes; one when it alone has more. */
function takeSet(members: readonly PlannedPayable[][], from: number, most: number): PlannedPayable[][] {
  const set: PlannedPayable[][] = [];
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

/** The last or only step of some members. */
async function payMembers(
  filling: Filling,
  payables: readonly PlannedPayable[],
  stamped: Sums | null,
): Promise<void> {
  const { scope, batchIds, mustAgree } = filling;
  try {
    await step(filling, payables, (tx) =>
      stampMembers(tx, { scope, batchIds, payables, stamped, mustAgree }),
    );
  } catch (error) {
    if (!(error instanceof TooLittle)) throw error;
    const others = payables.filter((each) => !error.payables.has(each));
    if (others.length > 0) await payMembers(filling, others, stamped);
  }
}

/** The steps before the last of a member with more purchases than one takes. @returns what they stamped */
async function stampMany(filling: Filling, payables: readonly PlannedPayable[]): Promise<Sums> {
  const { scope, batchIds, size } = filling;
  const stamped = new Sums();
  for (const membershipId of new Set(payables.flatMap(({ membershipIds }) => membershipIds))) {
    const ofIt = payables
      .filter(({ membershipIds }) => membershipIds.includes(membershipId))
      .map((each) => ({ ...each, membershipIds: [membershipId] }));
    const its = { scope, batchIds, payables: ofIt };
    let from: Date | null = null;
    do {
      const start: Date | null = from;
      const part: { until: Date | null; sums: Sums } = await step(filling, payables, async (tx) => {
        const until = await endOfPart(tx, its, { membershipId, from: start, rows: size.rows() });
        return { until, sums: await stampRows(tx, its, { from: start, until }) };
      });
      stamped.addAll(part.sums);
      from = part.until;
    } while (from !== null);
  }
  return stamped;
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
      await keepBatches(tx, publisherId, [...batchIds.values()]);
      startedAt = performance.now();
      return work(tx);
    },
    () => keepBatches(db, publisherId, [...batchIds.values()]),
  );
  size.took(Math.min(rowsOf(members), size.rows()), performance.now() - startedAt);
  return result;
}

async function keepBatches(
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
    throw new Refusal('Conflict', 'The payout was cancelled while it was being made; nothing was paid.');
}
