import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { lockMemberships } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { MembershipId, PayoutBatchId, PayoutItemId } from '../../platform/database/tables.generated.ts';
import { loweringMarks, posting } from '../ledger.ts';
import { lockForSettling } from '../settlement-lock.ts';
import { announcePayout } from './announce-payout.ts';
import { endOfLease, inStep, newStepSize, type StepSize } from './payout-step.ts';

/** A batch that is being given back. */
interface Returning {
  db: Db;
  publisherId: string;
  batchId: PayoutBatchId;
  size: StepSize;
}

/** A batch that is to be given back. */
export interface Return {
  publisherId: string;
  batchId: PayoutBatchId;
  /** One that was made is cancelled; one that is being made is undone, as if it had never been. */
  from: 'Created' | 'Preparing';
  /** Who does so, which the audit log is told; null for its maker, of whose payout it was told nothing. */
  by: { actor: Actor; action: 'payout.cancel' | 'payout.undo'; reason: string | null } | null;
}

/**
 * Gives everything of a batch back, in steps: its rows can be paid again, clawbacks wait again, and the members'
 * balances are what they were. Any number of processes may do so at once, and any of them may go on where another
 * one stopped.
 */
export async function giveBack(db: Db, its: Return): Promise<void> {
  if (await beginReturn(db, its)) await returnPayout(db, its.publisherId, its.batchId);
}

/**
 * Says that a batch is being given back, from when nobody stamps anything with it. An asOf of before this does not
 * see its rows; but what was undone was never paid by anybody, and its rows are payable from when they were before.
 * Whoever goes on with it only finishes what was begun here, so the audit log is told here.
 * @returns false when it is no longer what it was
 */
export function beginReturn(db: Db, { publisherId, batchId, from, by }: Return): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (from === 'Created') await lockForSettling(tx, publisherId); // of before a payout's moment, or of after it
    const now = await readMoment(tx);
    const { numAffectedRows } = await sql`
      update payout_batch
      set status = 'Cancelling', cancelled_at = ${now}, was_undone = ${from === 'Preparing'}, worked_until = ${endOfLease(now)}
      where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid
        and status = ${from}`.execute(tx);
    const isBegun = numAffectedRows === 1n;
    if (isBegun && by !== null) {
      const { actor, ...said } = by;
      await announcePayout(tx, actor, { publisherId, batchId, from, to: 'Cancelled', ...said });
    }
    return isBegun;
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
  { table: sql`payment`, id: sql`attribution_id`, date: sql`transaction_date` },
  // Those are found without a mark.
  { table: sql`reward_payment`, id: sql`progress_reward_id`, date: null },
  { table: sql`clawback`, id: sql`attribution_id`, date: null },
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

/** Rows are looked for again from the earliest of them on. */
const returnSet = (
  returning: Returning,
  { table, id, date }: (typeof stampedTables)[number],
  rows: readonly StampedRow[],
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
  const workedUntil = endOfLease(await readMoment(db));
  const { numAffectedRows } = await sql`
    update payout_batch
    set worked_until = ${workedUntil}
    where publisher_id = ${publisherId} and batch_id = ${batchId}::uuid and status = 'Cancelling'`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
