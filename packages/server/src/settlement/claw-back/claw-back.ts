import { sql } from 'kysely';
import { markChange } from '../../attributions/changes/mark-change.ts';
import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import { countStatus } from '../count-status.ts';
import { returnMoney } from '../return-money.ts';
import {
  lockMembership,
  type Reversal,
  recordReversal,
  restOf,
  type UncountedPart,
  type UncountRow,
} from '../reverse-payment.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { partOfShare, recordPart } from './record-part.ts';

/** Sets a row's status. Implemented by the attributions slice, which owns the rows. */
export type SetStatus = (
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  status: Reversal,
) => Promise<void>;

export interface Clawback {
  publisherId: string;
  /** Row id as the actor typed it. Rejected if it isn't a row's id. */
  row: string;
  status: Reversal;
  reason: string | null;
  /** Part of the paid amount to claw back; null for all that is left of it. */
  partMinor?: bigint | null;
  /** Amount that was left when the actor confirmed, if confirmation is required. Any other amount is rejected. */
  leftMinor?: bigint;
}

export interface ClawedBack {
  amountMinor: bigint;
  currency: string;
}

/**
 * Claws back the money paid for a row, or a part of it, by deducting it from the member's next payout. The parts
 * together are at most the share, less what was taken back before the row was paid. The row keeps its status while any
 * of it is left.
 * @returns the amount clawed back
 * @throws Refusal when the row doesn't exist, isn't paid, or has less than the amount left
 */
export function clawBack(
  { setStatus, uncountRow }: { setStatus: SetStatus; uncountRow: UncountRow },
  db: Db,
  actor: Actor,
  { publisherId, row: named, status, reason, partMinor = null, leftMinor }: Clawback,
): Promise<ClawedBack> {
  return inTransaction(db, async (tx) => {
    const attributionId = await requireRow(tx, publisherId, named);
    await lockForPosting(tx, publisherId); // keeps the clawback out of payouts with an earlier cutoff
    await lockMembership(tx, publisherId, attributionId);
    const payment = await lockPayment(tx, publisherId, attributionId);
    if (!payment?.is_paid) throw notPaid(attributionId);
    if (payment.reversed_at !== null)
      throw new Refusal('Conflict', `The money paid for row ${attributionId} was already clawed back.`);
    const left = restOf(payment)?.shareMinor ?? payment.share_minor;
    if (leftMinor !== undefined && leftMinor !== left)
      throw new Refusal(
        'Conflict',
        `A different amount is left of what was paid for row ${attributionId}. No money was clawed back.`,
      );
    if (partMinor !== null) requireLeft(partMinor, left, payment);
    const { amountMinor, currency, taken } = await takeBack(tx, publisherId, {
      attributionId,
      status,
      payment,
      partMinor: partMinor === left ? null : partMinor,
    });
    await uncountRow(tx, publisherId, taken);
    const { status: from } = payment;
    if (!taken.isLast) await markChange(tx, publisherId, attributionId, false);
    else {
      await setStatus(tx, publisherId, attributionId, status);
      if (from !== status) await countStatus(tx, { publisherId, attributionId, from, to: status });
    }
    await recordChange(tx, actor, {
      publisherId,
      action: 'payout.claw-back',
      target: `transaction:${payment.transaction_id}`,
      before: { row: attributionId, status: from },
      after: {
        row: attributionId,
        status: taken.isLast ? status : from,
        amountMinor: String(amountMinor),
        currency,
      },
      reason,
    });
    return { amountMinor, currency };
  });
}

/** @throws Refusal InvalidInput when less than the amount is left */
function requireLeft(partMinor: bigint, left: bigint, { currency }: { currency: string }): void {
  if (partMinor >= 1n && partMinor <= left) return;
  throw new Refusal(
    'InvalidInput',
    `Enter an amount from ${formatMinorUnits(1n, currency)} to ${formatMinorUnits(left, currency)} ${currency}, which is what is left of the amount paid for the row. No money was clawed back.`,
    { path: ['amountMinor'] },
  );
}

interface Taking {
  attributionId: AttributionId;
  status: Reversal;
  payment: LockedPayment;
  /** Part of the share to take back; null for all that is left. */
  partMinor: bigint | null;
}

/** Records and posts what is taken back, and inserts the clawback that reduces the member's next payout. */
async function takeBack(
  tx: Tx,
  publisherId: string,
  { attributionId, status, payment, partMinor }: Taking,
): Promise<ClawedBack & { taken: UncountedPart }> {
  const { at, refundId, taken } =
    partMinor === null
      ? await recordReversal(tx, publisherId, {
          attributionId,
          reversal: status,
          reversesMoney: true,
          rest: restOf(payment),
        })
      : await recordPart(tx, publisherId, { attributionId, status, ...partOfShare(payment, partMinor) });
  const { rows } = await sql<{ currency: string; amount_minor: bigint }>`
    insert into clawback (publisher_id, refund_id, attribution_id, group_id, membership_id, currency, amount_minor, created_at)
    select publisher_id, ${refundId}::uuid, attribution_id, group_id, membership_id, currency,
           coalesce(${taken.shareMinor}::bigint, share_minor), ${at}
    from payment
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid
    returning currency, amount_minor`.execute(tx);
  const [clawback] = rows;
  if (clawback === undefined) throw new Error('a locked payment disappeared');
  await returnMoney(tx, publisherId, [taken], 'adjustment');
  return { amountMinor: clawback.amount_minor, currency: clawback.currency, taken };
}

/** Finds a row by its id. If the text is a purchase's `transactionId` instead, the error lists the purchase's rows. */
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

/** Maximum number of rows to list in the error. A purchase can be split among a thousand members. */
const maxRowsNamed = 20;

type LockedPayment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>;

async function lockPayment(tx: Tx, publisherId: string, attributionId: AttributionId) {
  const { rows } = await sql<{
    is_paid: boolean;
    reversed_at: Date | null;
    transaction_id: string;
    status: TransactionStatus;
    share_minor: bigint;
    subtotal_minor: bigint | null;
    refunded_minor: bigint | null;
    reversed_minor: bigint | null;
    row_subtotal_minor: bigint;
    currency: string;
  }>`
    select coalesce(p.paid_at, b.paid_at) is not null as is_paid, p.reversed_at, a.transaction_id, a.status, p.share_minor,
           p.subtotal_minor, p.refunded_minor, p.reversed_minor, a.subtotal_minor as row_subtotal_minor, p.currency
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
