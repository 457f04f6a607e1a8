import { sql } from 'kysely';
import { lockMemberships } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId, PayoutBatchId, PayoutItemId } from '../../platform/database/tables.generated.ts';
import { posting } from '../ledger.ts';
import { lockForSettling, settlingTime } from '../settlement-lock.ts';
import { endOfLease, inStep, newStepSize, type StepSize } from './payout-step.ts';

/** A batch that is being given back. */
interface Returning {
  db: Db;
  publisherId: string;
  batchId: PayoutBatchId;
  size: StepSize;
}

/** Why a batch is given back: it was cancelled, or being made when its maker gave up or died. */
export type Reason = 'cancelled' | 'undone';

/**
 * Gives everything of a batch back, in steps: its rows can be paid again, clawbacks wait again, and the members'
 * balances are what they were. Any number of processes may do so at once, and any of them may go on where another
 * one stopped.
 */
export async function giveBack(
  db: Db,
  publisherId: string,
  batchId: PayoutBatchId,
  reason: Reason,
): Promise<void> {
  if (await beginReturn(db, publisherId, batchId, reason)) await returnPayout(db, publisherId, batchId);
}

/**
 * Says that a batch is being given back, from when nobody stamps anything with it. An asOf of before this does not
 * see its rows; but what was undone was never paid by anybody, and its rows are payable from when they were before.
 * @returns false when it is no longer what the reason speaks of
 */
export function beginReturn(
  db: Db,
  publisherId: string,
  batchId: PayoutBatchId,
  reason: Reason,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (reason === 'cancelled') await lockForSettling(tx, publisherId); // of before a payout's moment, or of after it
    const { numAffectedRows } = await sql`
      update payout_batch
      set status = 'Cancelling', cancelled_at = ${settlingTime}, was_undone = ${reason === 'undone'}, worked_until = ${endOfLease}
      where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid
        and status = ${reason === 'undone' ? 'Preparing' : 'Created'}`.execute(tx);
    return numAffectedRows === 1n;
  });
}

/** The rest of it, for a batch that is Cancelling. */
export async function returnPayout(db: Db, publisherId: string, batchId: PayoutBatchId): Promise<void> {
  const returning = { db, publisherId, batchId, size: newStepSize() };
  for (const stamped of stampedTables) while (await returnRows(returning, stamped));
  for (let after: string | null = noMembership; after !== null; ) after = await returnItems(returning, after);
  // Stamps come from a batch that is Preparing alone: nothing of it is left.
  await sql`
    update payout_batch
    set status = 'Cancelled', worked_until = null
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and status = 'Cancelling'`.execute(
    db,
  );
}

const noMembership = '00000000-0000-0000-0000-000000000000';
const stampedTables = [
  { table: sql`payment`, id: sql`attribution_id` },
  { table: sql`reward_payment`, id: sql`progress_reward_id` },
  { table: sql`clawback`, id: sql`attribution_id` },
] as const;

/** Read at once, for every read passes over what was given back before. */
const rowsAtOnce = 50_000;

/** @returns whether there may be more */
async function returnRows(returning: Returning, stamped: (typeof stampedTables)[number]): Promise<boolean> {
  const { db, publisherId, batchId, size } = returning;
  const { rows } = await sql<StampedRow>`
    select ${stamped.id} as id, membership_id
    from ${stamped.table}
    where publisher_id = ${publisherId} and payout_batch_id = ${batchId}::uuid
    limit ${rowsAtOnce}`.execute(db);
  for (let from = 0; from < rows.length; ) {
    const set = rows.slice(from, from + size.rows());
    if (!(await returnSet(returning, stamped, set))) return false;
    from += set.length;
  }
  return rows.length === rowsAtOnce;
}

interface StampedRow {
  id: string;
  membership_id: MembershipId;
}

const returnSet = (
  returning: Returning,
  { table, id }: (typeof stampedTables)[number],
  rows: readonly StampedRow[],
): Promise<boolean> =>
  step(
    returning,
    rows.map(({ membership_id }) => membership_id),
    rows.length,
    (tx) =>
      sql`
      update ${table} r
      set payout_batch_id = null, payable_at = case when b.was_undone then r.payable_at else b.cancelled_at end
      from payout_batch b
      where r.publisher_id = ${returning.publisherId} and r.${id} = any(${rows.map((row) => row.id)}::uuid[])
        and r.payout_batch_id = ${returning.batchId}::uuid
        and b.publisher_id = ${returning.publisherId} and b.batch_id = ${returning.batchId}::uuid`.execute(
        tx,
      ),
  );

/** Items whose amount came back already are passed over. @returns the membership to go on after; null at the end */
async function returnItems(returning: Returning, after: string): Promise<string | null> {
  const { db, publisherId, batchId, size } = returning;
  const { rows } = await sql<{ item_id: PayoutItemId; membership_id: MembershipId }>`
    select item_id, membership_id
    from payout_item
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and membership_id > ${after}::uuid
    order by membership_id
    limit ${size.rows()}`.execute(db);
  const last = rows.at(-1);
  if (last === undefined) return null;
  const isOurs = await step(
    returning,
    rows.map(({ membership_id }) => membership_id),
    rows.length,
    (tx) =>
      sql`
      with entry as (
        select i.item_id as subject_id, 'payout-return' as kind, i.membership_id, b.currency, i.amount_minor
        from payout_item i
        join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
        where i.publisher_id = ${publisherId} and i.item_id = any(${rows.map(({ item_id }) => item_id)}::uuid[])
          and not exists (
            select
            from ledger_entry e
            where e.publisher_id = ${publisherId} and e.subject_id = i.item_id and e.kind = 'payout-return')
      ),
      ${posting(publisherId, 'entry')}
      select`.execute(tx),
  );
  return isOurs ? last.membership_id : null;
}

/** Locks the members, by id, and then the batch. @returns false when somebody else came to its end */
async function step(
  { db, publisherId, batchId, size }: Returning,
  membershipIds: readonly MembershipId[],
  rows: number,
  work: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  let startedAt = 0;
  const isOurs = await inStep(
    db,
    async (tx) => {
      await lockMemberships(tx, publisherId, [...new Set(membershipIds)]);
      if (!(await keepBatch(tx, publisherId, batchId))) return false;
      startedAt = performance.now();
      await work(tx);
      return true;
    },
    () => keepBatch(db, publisherId, batchId),
  );
  size.took(rows, performance.now() - startedAt);
  return isOurs;
}

async function keepBatch(db: Db | Tx, publisherId: string, batchId: PayoutBatchId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_batch
    set worked_until = ${endOfLease}
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and status = 'Cancelling'`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
