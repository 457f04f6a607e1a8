import { sql } from 'kysely';
import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { countStatus } from '../count-status.ts';
import {
  lockMembership,
  type Reversal,
  recordReversal,
  returnMoney,
  type UncountRow,
} from '../reverse-payment.ts';
import { lockForPosting } from '../settlement-lock.ts';

/** Function that sets a row's status. Provided by the attributions slice, which owns the rows. */
export type SetStatus = (
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  status: Reversal,
) => Promise<void>;

export interface Clawback {
  publisherId: string;
  /** Row id as typed by the actor. Text that isn't the id of a row is rejected. */
  row: string;
  status: Reversal;
  reason: string | null;
  /** Amount that the actor confirmed, where a confirmation is required. Any other amount is rejected. */
  amountMinor?: bigint;
}

export interface ClawedBack {
  amountMinor: bigint;
  currency: string;
}

/**
 * Claws back the money paid for a row by deducting it from the member's next payout. A payment is reversed at
 * most once.
 * @returns the amount clawed back
 * @throws Refusal when the row does not exist, is not paid, or was already reversed
 */
export function clawBack(
  { setStatus, uncountRow }: { setStatus: SetStatus; uncountRow: UncountRow },
  db: Db,
  actor: Actor,
  { publisherId, row: named, status, reason, amountMinor: confirmedMinor }: Clawback,
): Promise<ClawedBack> {
  return inTransaction(db, async (tx) => {
    const attributionId = await requireRow(tx, publisherId, named);
    await lockForPosting(tx, publisherId); // keeps the clawback out of payouts with an earlier cutoff
    await lockMembership(tx, publisherId, attributionId);
    const payment = await lockPayment(tx, publisherId, attributionId);
    if (!payment?.is_paid) throw notPaid(attributionId);
    if (payment.reversed_at !== null)
      throw new Refusal('Conflict', `The money paid for row ${attributionId} was already clawed back.`);
    if (confirmedMinor !== undefined && confirmedMinor !== payment.share_minor)
      throw new Refusal(
        'Conflict',
        `A different amount was paid for row ${attributionId}. No money was clawed back.`,
      );
    const { amountMinor, currency } = await takeBack(tx, publisherId, attributionId, status);
    await uncountRow(tx, publisherId, attributionId);
    await setStatus(tx, publisherId, attributionId, status);
    const { status: from } = payment;
    if (from !== status) await countStatus(tx, { publisherId, attributionId, from, to: status });
    await recordChange(tx, actor, {
      publisherId,
      action: 'payout.claw-back',
      target: `transaction:${payment.transaction_id}`,
      before: { row: attributionId, status: payment.status },
      after: { row: attributionId, status, amountMinor: String(amountMinor), currency },
      reason,
    });
    return { amountMinor, currency };
  });
}

/** Records and posts the reversal, and inserts the clawback that reduces the member's next payout. */
async function takeBack(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  status: Reversal,
): Promise<ClawedBack> {
  const takenAt = await recordReversal(tx, publisherId, {
    attributionId,
    reversal: status,
    reversesMoney: true,
  });
  const { rows } = await sql<{ currency: string; amount_minor: bigint }>`
    insert into clawback (publisher_id, attribution_id, group_id, membership_id, currency, amount_minor, created_at)
    select publisher_id, attribution_id, group_id, membership_id, currency, share_minor, ${takenAt}
    from payment
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    returning currency, amount_minor`.execute(tx);
  const [taken] = rows;
  if (taken === undefined) throw new Error('a locked payment disappeared');
  await returnMoney(tx, publisherId, attributionId, 'adjustment');
  return { amountMinor: taken.amount_minor, currency: taken.currency };
}

/**
 * Finds the row by its id. If the text is the `transactionId` of a purchase, the error lists the purchase's
 * rows.
 */
async function requireRow(tx: Tx, publisherId: string, named: string): Promise<AttributionId> {
  const isRow = isRowId(named) ? sql`attribution_id = ${named}::uuid` : sql`false`;
  const { rows } = await sql<{ attribution_id: AttributionId; is_row: boolean }>`
    select attribution_id, ${isRow} as is_row
    from attribution
    where publisher_id = ${publisherId} and (${isRow} or transaction_id = ${named})
    order by 2 desc, split_index
    limit ${maxRowsNamed}`.execute(tx);
  if (rows[0]?.is_row) return rows[0].attribution_id;
  throw new Refusal(
    'NotFound',
    rows.length === 0
      ? `Publisher ${publisherId} has no row ${named}.`
      : `${named} is the transactionId of a purchase. Specify one of its rows: ${rows.map((row) => row.attribution_id).join(', ')}.`,
  );
}

/** Maximum number of rows listed in the error. A purchase may be split among a thousand members. */
const maxRowsNamed = 20;

async function lockPayment(tx: Tx, publisherId: string, attributionId: AttributionId) {
  const { rows } = await sql<{
    is_paid: boolean;
    reversed_at: Date | null;
    transaction_id: string;
    status: TransactionStatus;
    share_minor: bigint;
  }>`
    select coalesce(p.paid_at, b.paid_at) is not null as is_paid, p.reversed_at, a.transaction_id, a.status, p.share_minor
    from payment p
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = p.attribution_id
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = p.payout_batch_id
    where p.publisher_id = ${publisherId} and p.attribution_id = ${attributionId}::uuid
    for update of p`.execute(tx);
  return rows[0];
}

const notPaid = (attributionId: AttributionId): Refusal =>
  new Refusal(
    'Conflict',
    `Row ${attributionId} is not paid. Change its status instead, or cancel its payout.`,
  );
