import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { isRowId } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { aheadMsAt, laterBy } from '../../../publishers/publisher-time.ts';

/** Status of a batch. Preparing and Cancelling mean that a process is working on the batch, or was when it died. */
export type PayoutStatus = 'Preparing' | 'Created' | 'Paid' | 'Cancelling' | 'Cancelled';

export interface PayoutBatch {
  batchId: PayoutBatchId;
  /** Payout number, which the references of its lines start with. Unique within the publisher. */
  number: number;
  groupId: string;
  currency: string;
  status: PayoutStatus;
  /** Cutoff on the publisher's clock, which the other times also use. */
  asOf: Date;
  /** Cutoff on the service's clock. */
  cutoff: Date;
  totalMinor: bigint;
  memberCount: number;
  rowCount: number;
  createdAt: Date;
  paidAt: Date | null;
  cancelledAt: Date | null;
  /** Creator of the batch; null for batches older than this column. */
  createdBy: PayoutPerson | null;
  paidBy: PayoutPerson | null;
  /** Planned number of members; null for batches older than this column. */
  plannedCount: number | null;
  /** True if the batch was undone before it was complete, so it never became a payout. */
  wasUndone: boolean;
}

export interface PayoutPerson {
  kind: string;
  id: string;
  name: string;
}

/**
 * @param named payout id as entered; rejected if it isn't one
 * @throws Refusal when the batch doesn't exist
 */
export async function getPayout(db: Db, publisherId: string, named: string): Promise<PayoutBatch> {
  const [batch] = await readBatches(db, publisherId, sql`and batch_id::text = lower(${named})`);
  if (batch === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no payout ${named}.`);
  return batch;
}

/**
 * Reads payouts by id, sorted by currency and group. Duplicate ids are ignored.
 * @throws Refusal when a payout doesn't exist
 */
export async function readPayouts(
  db: Db,
  publisherId: string,
  payoutIds: readonly string[],
): Promise<PayoutBatch[]> {
  const ids = [...new Set(payoutIds.map((id) => id.toLowerCase()))];
  const payouts = await readBatches(
    db,
    publisherId,
    sql`and batch_id = any(${ids.filter(isRowId)}::uuid[]) order by currency, group_id, batch_id`,
  );
  const known = new Set<string>(payouts.map(({ batchId }) => batchId));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no payout ${missing}.`);
  return payouts;
}

/** @param rest additional conditions, order and limit */
export async function readBatches(
  db: Db | Tx,
  publisherId: string,
  rest: ReturnType<typeof sql>,
): Promise<PayoutBatch[]> {
  const { rows } = await sql<{
    batch_id: PayoutBatchId;
    number: bigint;
    group_id: string;
    currency: string;
    status: PayoutStatus;
    as_of: Date;
    total_minor: string;
    member_count: number;
    row_count: bigint;
    created_at: Date;
    paid_at: Date | null;
    cancelled_at: Date | null;
    created_by_kind: string | null;
    created_by_id: string | null;
    created_by_name: string | null;
    paid_by_kind: string | null;
    paid_by_id: string | null;
    paid_by_name: string | null;
    planned_count: number | null;
    was_undone: boolean;
    ahead_ms: bigint;
    cancelled_ahead_ms: bigint;
  }>`
    select batch_id, number, group_id, currency, status, as_of, total_minor, member_count, row_count, created_at, paid_at, cancelled_at,
           created_by_kind, created_by_id, created_by_name, paid_by_kind, paid_by_id, paid_by_name, planned_count, was_undone,
           ${aheadMsAt(publisherId, sql`as_of`)} as ahead_ms, ${aheadMsAt(publisherId, sql`cancelled_at`)} as cancelled_ahead_ms
    from payout_batch
    where publisher_id = ${publisherId}
    ${rest}`.execute(db);
  return rows.map((row) => ({
    batchId: row.batch_id,
    number: Number(row.number),
    groupId: row.group_id,
    currency: row.currency,
    status: row.status,
    asOf: laterBy(row.as_of, Number(row.ahead_ms)),
    cutoff: row.as_of,
    totalMinor: BigInt(row.total_minor),
    memberCount: row.member_count,
    rowCount: Number(row.row_count),
    createdAt: laterBy(row.created_at, Number(row.ahead_ms)),
    paidAt: row.paid_at,
    cancelledAt: row.cancelled_at && laterBy(row.cancelled_at, Number(row.cancelled_ahead_ms)),
    createdBy: personOf(row.created_by_kind, row.created_by_id, row.created_by_name),
    paidBy: personOf(row.paid_by_kind, row.paid_by_id, row.paid_by_name),
    plannedCount: row.planned_count,
    wasUndone: row.was_undone,
  }));
}

const personOf = (kind: string | null, id: string | null, name: string | null): PayoutPerson | null =>
  kind === null || id === null ? null : { kind, id, name: name ?? id };
