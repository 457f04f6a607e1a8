import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { lockMemberships } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { MembershipId, PayoutBatchId, PayoutItemId } from '../../platform/database/tables.generated.ts';
import { loweringMarks, posting } from '../ledger.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { announcePayout } from './announce-payout.ts';
import { endOfLease, inStep, newStepSize, type StepSize } from './payout-step.ts';
import { hasResults } from './results/result.ts';

interface Returning {
  db: Db;
  publisherId: string;
  batchId: PayoutBatchId;
  size: StepSize;
}

export interface Return {
  publisherId: string;
  batchId: PayoutBatchId;
  /** Current status. A Created batch is canceled; a Preparing batch is undone, as if it had never existed. */
  from: 'Created' | 'Preparing';
  /** Actor and action for the audit log; null after a failed creation, which isn't in the log yet. */
  by: { actor: Actor; action: 'payout.cancel' | 'payout.undo'; reason: string | null } | null;
}

/**
 * Returns everything in a batch, in steps: its rows become payable again, its clawbacks become pending again, and the
 * members' balances are restored. Several processes can do this at the same time, and each can pick up where another
 * left off.
 */
export async function returnPayout(db: Db, request: Return): Promise<void> {
  if (await beginReturn(db, request)) await finishReturn(db, request.publisherId, request.batchId);
}

/**
 * Marks a batch as Cancelling, after which no more rows can be assigned to it. Payouts with an earlier cutoff ignore
 * the rows of a canceled batch. An undone batch was never a payout, so its rows are payable from the same time as
 * before. The audit log entry is written here because processes that resume the return only finish it.
 * @returns false when the batch's status is no longer `from`
 */
export function beginReturn(db: Db, { publisherId, batchId, from, by }: Return): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // The change must commit either before or after a payout's cutoff, never across it.
    if (from === 'Created') await lockForPosting(tx, publisherId);
    // Waits for results that are being set. The update then sees them.
    await tx
      .selectFrom('payout_batch')
      .select('status')
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .forUpdate()
      .execute();
    const now = await readMoment(tx);
    const { numAffectedRows } = await sql`
      update payout_batch
      set status = 'Cancelling', cancelled_at = ${now}, was_undone = ${from === 'Preparing'}, worked_until = ${endOfLease(now)}
      where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid
        and status = ${from} and not ${hasResults(publisherId, batchId)}`.execute(tx);
    const isBegun = numAffectedRows === 1n;
    if (isBegun && by !== null) {
      const { actor, ...entry } = by;
      await announcePayout(tx, actor, { publisherId, batchId, from, to: 'Cancelled', ...entry });
    }
    return isBegun;
  });
}

export async function finishReturn(db: Db, publisherId: string, batchId: PayoutBatchId): Promise<void> {
  const returning = { db, publisherId, batchId, size: newStepSize() };
  for (const assigned of assignedTables) while (await returnRows(returning, assigned));
  for (let after: string | null = noMembership; after !== null; ) after = await returnItems(returning, after);
  // Rows are only assigned to Preparing batches, so by now all of them have been returned.
  await sql`
    update payout_batch
    set status = 'Cancelled', worked_until = null
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and status = 'Cancelling'`.execute(
    db,
  );
}

const noMembership = '00000000-0000-0000-0000-000000000000';
const assignedTables = [
  { table: sql`payment`, id: sql`attribution_id`, date: sql`transaction_date` },
  // Finding rewards and clawbacks doesn't require marks.
  { table: sql`reward_payment`, id: sql`progress_reward_id`, date: null },
  { table: sql`clawback`, id: sql`refund_id`, date: null },
  { table: sql`payout_return`, id: sql`item_id`, date: null },
  { table: sql`reinstatement_adjustment`, id: sql`reinstatement_id`, date: null },
] as const;

/** Number of rows per read. It is large because each read has to skip the rows already returned. */
const rowsPerRead = 50_000;

/** @returns true if there may be more rows to return */
async function returnRows(returning: Returning, assigned: (typeof assignedTables)[number]): Promise<boolean> {
  const { db, publisherId, batchId, size } = returning;
  const { rows } = await sql<AssignedRow>`
    select ${assigned.id} as id, membership_id
    from ${assigned.table}
    where publisher_id = ${publisherId} and payout_batch_id = ${batchId}::uuid
    limit ${rowsPerRead}`.execute(db);
  for (let from = 0; from < rows.length; ) {
    const set = rows.slice(from, from + size.rows());
    if (!(await returnSet(returning, assigned, set))) return false;
    from += set.length;
  }
  return rows.length === rowsPerRead;
}

interface AssignedRow {
  id: string;
  membership_id: MembershipId;
}

/** Returns one set of rows and lowers their members' marks to the earliest returned row. */
const returnSet = (
  returning: Returning,
  { table, id, date }: (typeof assignedTables)[number],
  rows: readonly AssignedRow[],
): Promise<boolean> =>
  step(
    returning,
    rows.map(({ membership_id }) => membership_id),
    rows.length,
    (tx) =>
      sql`
      with returned as (
        update ${table} r
        set payout_batch_id = null, payable_at = case when b.was_undone then r.payable_at else b.cancelled_at end
        from payout_batch b
        where r.publisher_id = ${returning.publisherId} and r.${id} = any(${rows.map((row) => row.id)}::uuid[])
          and r.payout_batch_id = ${returning.batchId}::uuid
          and b.publisher_id = ${returning.publisherId} and b.batch_id = ${returning.batchId}::uuid
        returning r.membership_id, r.currency, ${date === null ? sql`null::timestamptz` : sql`r.${date}`} as unpaid_from
      ),
      earliest as (
        select membership_id, currency, min(unpaid_from) as unpaid_from
        from returned
        where unpaid_from is not null
        group by membership_id, currency
      ),
      ${loweringMarks(returning.publisherId, 'earliest')}
      select 1`.execute(tx),
  );

/**
 * Returns the next items' amounts to the members' balances, skipping items that were already returned.
 * @returns the membership to continue after; null when no items are left
 */
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
        join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
        where i.publisher_id = ${publisherId} and i.item_id = any(${rows.map(({ item_id }) => item_id)}::uuid[])
          and not exists (
            select 1
            from ledger_entry e
            where e.publisher_id = ${publisherId} and e.membership_id = i.membership_id and e.currency = b.currency
              and e.subject_id = i.item_id and e.kind = 'payout-return')
      ),
      ${posting(publisherId, 'entry')}
      select 1`.execute(tx),
  );
  return isOurs ? last.membership_id : null;
}

/**
 * Runs one step. Locks the members in id order and then the batch.
 * @returns false when another process has finished the return
 */
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
      if (!(await extendLease(tx, publisherId, batchId))) return false;
      startedAt = performance.now();
      await work(tx);
      return true;
    },
    () => extendLease(db, publisherId, batchId),
  );
  size.took(rows, performance.now() - startedAt);
  return isOurs;
}

async function extendLease(db: Db | Tx, publisherId: string, batchId: PayoutBatchId): Promise<boolean> {
  const workedUntil = endOfLease(await readMoment(db));
  const { numAffectedRows } = await sql`
    update payout_batch
    set worked_until = ${workedUntil}
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and status = 'Cancelling'`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
