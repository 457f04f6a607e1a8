import type { TransactionStatus } from '../../attributions/transaction-schema.ts';
import type { AttributionId, RefundId } from '../../platform/database/tables.generated.ts';
import { divideHalfEven } from '../../platform/percent.ts';
import type { Reversal } from '../reverse-payment.ts';

/** Row's refund record that has not been reinstated yet. */
export interface StandingRecord {
  refundId: RefundId;
  action: Reversal;
  /** True for a status change, which takes back all that is left, however much that is. */
  isWhole: boolean;
  /** Part of the subtotal that the record takes back; 0 for a status change of a reversed row. */
  grossMinor: bigint;
}

/** Row of a purchase, with what has been taken back from it so far. */
export interface ReinstatableRow {
  attributionId: AttributionId;
  subtotalMinor: bigint;
  shareMinor: bigint;
  refundedMinor: bigint;
  reversedMinor: bigint;
  status: TransactionStatus;
  /** Oldest first. */
  records: readonly StandingRecord[];
}

/** Part of a row that a reinstatement gives back. */
export interface GivenBack<Row extends ReinstatableRow = ReinstatableRow> {
  row: Row;
  /** Records that are no longer in effect. The first one gets the amounts. */
  recordIds: readonly RefundId[];
  grossMinor: bigint;
  shareMinor: bigint;
  refundedAfter: bigint;
  reversedAfter: bigint;
  statusAfter: TransactionStatus;
  isFraud: boolean;
}

/**
 * Calculates what a row gets back when some of its refund records are reinstated. If a remaining record is a status
 * change, all of the row remains taken back. Otherwise, the remaining refunds take back their amounts and the
 * corresponding part of the share, rounded half-even like every refund.
 */
export function planReinstatement<Row extends ReinstatableRow>(
  row: Row,
  undone: ReadonlySet<RefundId>,
): GivenBack<Row> {
  const standing = row.records.filter(({ refundId }) => !undone.has(refundId));
  const whole = standing.filter(({ isWhole }) => isWhole).at(-1);
  const amounts = standing.filter(({ isWhole }) => !isWhole);
  const refundedAfter =
    whole !== undefined ? row.refundedMinor : amounts.reduce((sum, { grossMinor }) => sum + grossMinor, 0n);
  const reversedAfter = divideHalfEven(row.shareMinor * refundedAfter, row.subtotalMinor);
  const grossMinor = row.refundedMinor - refundedAfter;
  const last = refundedAfter === row.subtotalMinor ? amounts.at(-1) : undefined;
  return {
    row,
    recordIds: row.records.map(({ refundId }) => refundId).filter((id) => undone.has(id)),
    grossMinor,
    shareMinor: grossMinor === 0n ? 0n : row.reversedMinor - reversedAfter,
    refundedAfter,
    reversedAfter,
    statusAfter: whole?.action ?? last?.action ?? 'Normal',
    isFraud: standing.some(({ action }) => action === 'Fraud'),
  };
}
