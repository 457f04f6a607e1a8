import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { aheadMsAt, laterBy } from '../../../publishers/publisher-time.ts';

/**
 * Status of a batch. A Preparing or Cancelling batch is being worked on by a process, or was until the
 * process died.
 */
export type PayoutStatus = 'Preparing' | 'Created' | 'Paid' | 'Cancelling' | 'Cancelled';

export interface PayoutBatch {
  batchId: PayoutBatchId;
  groupId: string;
  currency: string;
  status: PayoutStatus;
  /** Cutoff on the publisher's clock, like the other times. */
  asOf: Date;
  /** Cutoff on the service's clock. */
  cutoff: Date;
  totalMinor: bigint;
  memberCount: number;
  rowCount: number;
  createdAt: Date;
  paidAt: Date | null;
  cancelledAt: Date | null;
  /** Creator of the batch; null for a batch older than this column. */
  createdBy: PayoutPerson | null;
  paidBy: PayoutPerson | null;
  /** Number of members planned; null for a batch older than this column. */
  plannedCount: number | null;
  /** True if the batch was undone before it was complete and therefore never became a payout. */
  wasUndone: boolean;
}

export interface PayoutPerson {
  kind: string;
  id: string;
  name: string;
}

/**
 * @param named text that should be a payout's id; any other text is rejected
 * @throws Refusal when the batch does not exist
 */
export async function getPayout(db: Db, publisherId: string, named: string): Promise<PayoutBatch> {
  const [batch] = await readBatches(db, publisherId, sql`and batch_id::text = lower(${named})`);
  if (batch === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no payout ${named}.`);
  return batch;
}

/** @param rest further conditions, the order and the limit */
export async function readBatches(
  db: Db | Tx,
  publisherId: string,
  rest: ReturnType<typeof sql>,
): Promise<PayoutBatch[]> {
  const { rows } = await sql<{
    batch_id: PayoutBatchId;
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
    select batch_id, group_id, currency, status, as_of, total_minor, member_count, row_count, created_at, paid_at, cancelled_at,
           created_by_kind, created_by_id, created_by_name, paid_by_kind, paid_by_id, paid_by_name, planned_count, was_undone,
           ${aheadMsAt(publisherId, sql`as_of`)} as ahead_ms, ${aheadMsAt(publisherId, sql`cancelled_at`)} as cancelled_ahead_ms
    from payout_batch
    where publisher_id = ${publisherId}
    ${rest}`.execute(db);
  return rows.map((row) => ({
    batchId: row.batch_id,
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
