import { sql } from 'kysely';
import { transactionNotFound } from '../../attributions/get-transaction.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordChanges } from '../../audit/record-change.ts';
import { lockMembers } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { storePayments } from '../reverse-payment.ts';
import { lockForReversal } from '../settlement-lock.ts';
import { type Hold, readHolds } from './read-holds.ts';
import {
  findHeld,
  type HoldTerms,
  readHoldTimes,
  requireFutureEnd,
  requireReason,
  saveHolds,
} from './save-holds.ts';

export interface PurchaseHold extends HoldTerms {
  transactionId: string;
  /** Ids of the rows to hold; null for all rows that can be held. */
  rows: readonly string[] | null;
}

/**
 * Keeps rows of a purchase out of payouts, in one commit. Also works for rows that aren't posted yet. Nothing else
 * changes: status, balance and sums stay the same.
 * @throws Refusal InvalidInput; NotFound when the purchase or a row doesn't exist; Conflict when a chosen row, or
 *   each row of the purchase, can't be held
 */
export function holdPurchase(db: Db, actor: Actor, hold: PurchaseHold): Promise<Hold[]> {
  const { publisherId, transactionId, endsAt } = hold;
  const reason = requireReason(hold.reason);
  return inTransaction(db, async (tx) => {
    // The hold must commit entirely before or entirely after a payout's cutoff.
    await lockForReversal(tx, publisherId);
    await lockMembers(
      tx,
      publisherId,
      sql`select distinct membership_id from attribution where publisher_id = ${publisherId} and transaction_id = ${transactionId}`,
    );
    const times = await readHoldTimes(tx, publisherId);
    requireFutureEnd(endsAt, times);
    const rows = await readRows(tx, publisherId, transactionId);
    if (rows.length === 0) throw transactionNotFound();
    const held = await findHeld(tx, publisherId, rows, times);
    const chosen = choose(
      rows.map((row, index) => ({ ...row, problem: held.has(index) ? 'is already on hold.' : row.problem })),
      hold.rows,
    );
    const ids = chosen.map(({ attributionId }) => attributionId);
    await storePayments(tx, publisherId, ids);
    await sql`
      update payment
      set has_holds = true
      where publisher_id = ${publisherId} and attribution_id = any(${ids}::uuid[]) and not has_holds`.execute(
      tx,
    );
    const holdIds = await saveHolds(tx, actor, { ...hold, ...times, reason }, chosen);
    await recordChanges(
      tx,
      actor,
      chosen.map(({ attributionId }, index) => ({
        publisherId,
        action: 'transaction.hold',
        target: `transaction:${transactionId}`,
        after: { row: attributionId, hold: holdIds[index], endsAt },
        reason,
      })),
    );
    return readHolds(tx, publisherId, sql`h.hold_id = any(${holdIds}::uuid[]) order by h.attribution_id`);
  });
}

/**
 * Finds the purchase of a row.
 * @throws Refusal NotFound
 */
export async function findPurchaseOfRow(db: Db, publisherId: string, rowId: string): Promise<string> {
  const { rows } = isRowId(rowId)
    ? await sql<{ transaction_id: string }>`
        select transaction_id
        from attribution
        where publisher_id = ${publisherId} and attribution_id = ${rowId}::uuid`.execute(db)
    : { rows: [] };
  const [found] = rows;
  if (found === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no row ${rowId}.`);
  return found.transaction_id;
}

interface Row {
  attributionId: AttributionId;
  groupId: string;
  /** Reason the row can't be held; null if it can. */
  problem: string | null;
}

/** @throws Refusal NotFound, Conflict */
function choose(rows: readonly Row[], rowIds: readonly string[] | null): Row[] {
  if (rowIds === null) {
    const free = rows.filter(({ problem }) => problem === null);
    if (free.length === 0) throw cannotHold(rows[0]);
    return free;
  }
  const ids = new Set(rowIds.map((id) => id.toLowerCase()));
  return [...ids].map((id) => {
    const row = rows.find(({ attributionId }) => attributionId === id);
    if (row === undefined) throw new Refusal('NotFound', `The purchase has no row ${id}.`);
    if (row.problem !== null) throw cannotHold(row);
    return row;
  });
}

const cannotHold = (row: Row | undefined): Refusal =>
  new Refusal(
    'Conflict',
    `Couldn't place a hold. Row ${row?.attributionId} ${row?.problem} Nothing was changed.`,
  );

/** Reads the rows of a purchase. The caller has locked their members, so that they can't enter a payout. */
async function readRows(tx: Tx, publisherId: string, transactionId: string): Promise<Row[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    group_id: string;
    is_test: boolean;
    is_assigned: boolean;
    is_reversed: boolean;
  }>`
    select a.attribution_id, a.group_id, a.is_test, p.reversed_at is not null as is_reversed,
           p.payout_batch_id is not null or p.payout_payment_id is not null as is_assigned
    from attribution a
    left join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId}
    order by a.attribution_id`.execute(tx);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    groupId: row.group_id,
    problem: row.is_assigned
      ? 'is already in a payout. Cancel the payout first, or claw the row back once it is paid.'
      : row.is_reversed
        ? 'was reversed, so it is not paid.'
        : row.is_test
          ? 'is a Test row, which is never paid.'
          : null,
  }));
}
