import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId, PayoutBatchId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { readOpenHolds } from '../../settlement/holds/list-holds.ts';
import type { Hold } from '../../settlement/holds/read-holds.ts';

export interface RowPayment {
  isFraud: boolean;
  reversedAt: Date | null;
  paidAt: Date | null;
  payableAt: Date | null;
  externalPaymentId: string | null;
  payout: { payoutId: PayoutBatchId; status: string; paidAt: Date | null } | null;
}

export interface LedgerLine {
  kind: string;
  amountMinor: bigint;
  at: Date;
  /** False if the entry is the sum of all of the member's rows that were posted together. */
  isOfRowAlone: boolean;
}

export interface RefundLine {
  action: string;
  reversesMoney: boolean;
  /** The publisher's id for the refund; null for a status change or a clawback. */
  refundId: string | null;
  /** Part of the subtotal; 0 if the record took back nothing. */
  amountMinor: bigint;
  shareMinor: bigint;
  at: Date;
}

export interface RowMoney {
  /** Null if the row hasn't changed since it was posted (no row in `payment`). */
  payment: RowPayment | null;
  ledger: LedgerLine[];
  refunds: RefundLine[];
  /** Open hold, which keeps the row out of payouts; null if there is none. */
  hold: Hold | null;
}

/**
 * Reads the payments, ledger entries and refunds for rows.
 * @param ids ids of the rows of one purchase, recorded in one commit
 */
export async function readMoney(
  db: Db,
  publisherId: string,
  ids: readonly AttributionId[],
): Promise<ReadonlyMap<AttributionId, RowMoney>> {
  const [payments, refunds, ledger, holds] = await Promise.all([
    readPayments(db, publisherId, ids),
    readRefunds(db, publisherId, ids),
    readLedger(db, publisherId, ids),
    readOpenHolds(db, publisherId, ids),
  ]);
  return new Map(
    ids.map((id) => [
      id,
      {
        payment: payments.get(id) ?? null,
        ledger: ledger.filter(({ attributionId }) => attributionId === id).map(({ line }) => line),
        refunds: refunds.filter(({ attributionId }) => attributionId === id).map(({ line }) => line),
        hold: holds.find(({ row }) => row?.rowId === id) ?? null,
      },
    ]),
  );
}

async function readPayments(
  db: Db,
  publisherId: string,
  ids: readonly AttributionId[],
): Promise<ReadonlyMap<AttributionId, RowPayment>> {
  const rows = await db
    .selectFrom('payment as p')
    .leftJoin('payout_batch as b', (join) =>
      join.onRef('b.batch_id', '=', 'p.payout_batch_id').on('b.publisher_id', '=', publisherId),
    )
    .select([
      'p.attribution_id',
      'p.is_fraud',
      'p.reversed_at',
      'p.paid_at',
      'p.payable_at',
      'p.payout_payment_id',
      'b.batch_id',
      'b.status',
      'b.paid_at as batch_paid_at',
    ])
    .where('p.publisher_id', '=', publisherId)
    .where('p.attribution_id', 'in', [...ids])
    .execute();
  return new Map(
    rows.map((row) => [
      row.attribution_id,
      {
        isFraud: row.is_fraud,
        reversedAt: row.reversed_at,
        paidAt: row.paid_at ?? row.batch_paid_at,
        payableAt: row.payable_at,
        externalPaymentId: row.payout_payment_id,
        payout:
          row.batch_id === null || row.status === null
            ? null
            : { payoutId: row.batch_id, status: row.status, paidAt: row.batch_paid_at },
      },
    ]),
  );
}

async function readRefunds(
  db: Db,
  publisherId: string,
  ids: readonly AttributionId[],
): Promise<{ attributionId: AttributionId; line: RefundLine }[]> {
  const rows = await db
    .selectFrom('refund_record as r')
    .innerJoin('attribution as a', (join) =>
      join.onRef('a.attribution_id', '=', 'r.attribution_id').on('a.publisher_id', '=', publisherId),
    )
    .select(['r.attribution_id', 'r.action', 'r.reverses_money', 'r.created_at', 'r.sent_refund_id'])
    .select(['r.gross_minor', 'r.share_minor', 'a.subtotal_minor', 'a.share_minor as whole_share_minor'])
    .where('r.publisher_id', '=', publisherId)
    .where('r.attribution_id', 'in', [...ids])
    .orderBy('r.refund_id')
    .limit(1_000)
    .execute();
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    line: {
      action: row.action,
      reversesMoney: row.reverses_money,
      refundId: row.sent_refund_id,
      amountMinor: row.reverses_money ? (row.gross_minor ?? row.subtotal_minor) : 0n,
      shareMinor: row.reverses_money ? (row.share_minor ?? row.whole_share_minor) : 0n,
      at: row.created_at,
    },
  }));
}

/**
 * Maximum postings read to find a row's posting. Rows are posted oldest first and soon after recording, so
 * the posting of a row is among the first postings after it was recorded.
 */
const maxPostings = 300;
/** Maximum number of a row's partial refunds, and of its reinstatements, whose entries are read. */
const maxParts = 200;
/** Maximum expected difference between the clocks of the service and the database. */
const maxClockSkewMs = 60_000;

/**
 * Reads the ledger entries for rows: the entry for each row's posting, which can include other rows, and the
 * entries for that row alone.
 */
async function readLedger(
  db: Db,
  publisherId: string,
  ids: readonly AttributionId[],
): Promise<{ attributionId: AttributionId; line: LedgerLine }[]> {
  const [first] = ids;
  if (first === undefined) return [];
  const { rows } = await sql<{
    attribution_id: AttributionId;
    kind: string;
    amount_minor: string;
    created_at: Date;
    is_own: boolean;
  }>`
    with posting_of_rows as materialized (
      select s.posting_id
      from (
        select posting_id, posted_at, recording_ids
        from posting
        where publisher_id = ${publisherId} and posted_at >= ${new Date(timeOfRowId(first).getTime() - maxClockSkewMs)}
        order by posted_at
        limit ${maxPostings}
      ) s
      where (left(${first}::text, 32) || '0000')::uuid = any(s.recording_ids)
      limit 1
    )
    select a.attribution_id, e.kind, e.amount_minor, e.created_at, subject.is_own
    from (
      select attribution_id, membership_id, currency, is_test
      from attribution
      where publisher_id = ${publisherId} and attribution_id = any(${[...ids]}::uuid[])
    ) a
    cross join lateral (
      select a.attribution_id as subject_id, true as is_own
      union all
      select posting_id, false from posting_of_rows where not a.is_test
      union all
      select * from (
        select refund_id, true
        from refund_record
        where publisher_id = ${publisherId} and attribution_id = a.attribution_id and gross_minor is not null
        order by attribution_id, refund_id
        limit ${maxParts}
      ) part
      union all
      select * from (
        select reinstatement_id, true
        from reinstatement
        where publisher_id = ${publisherId} and attribution_id = a.attribution_id and gross_minor > 0
        order by attribution_id, reinstatement_id
        limit ${maxParts}
      ) given_back
    ) subject
    cross join lateral (
      select kind, amount_minor, created_at, subject_id
      from ledger_entry
      where publisher_id = ${publisherId} and membership_id = a.membership_id and currency = a.currency
        and subject_id = subject.subject_id
      offset 0
    ) e
    order by e.created_at, e.kind desc`.execute(db);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    line: {
      kind: row.kind,
      amountMinor: BigInt(row.amount_minor),
      at: row.created_at,
      isOfRowAlone: row.is_own,
    },
  }));
}
