import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AttributionId, RefundId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { TakenPart } from '../return-money.ts';
import type { Reversal } from '../reverse-payment.ts';

interface PartlyPaid {
  row_subtotal_minor: bigint;
  share_minor: bigint;
  refunded_minor: bigint | null;
  reversed_minor: bigint | null;
}

export interface PartOfShare {
  subtotalMinor: bigint;
  /** Part of the subtotal that corresponds to the part of the share. */
  grossMinor: bigint;
  shareMinor: bigint;
}

/**
 * Returns the part of the subtotal that corresponds to a part of the share. Together with earlier parts, it is the
 * nearest amount whose share, rounded as for refunds, equals everything taken back so far, including this part. Such an
 * amount always exists, because a share is never more than its subtotal.
 * @param shareMinor less than what is left of the share
 */
export function partOfShare(payment: PartlyPaid, shareMinor: bigint): PartOfShare {
  const subtotalMinor = payment.row_subtotal_minor;
  const reversed = (payment.reversed_minor ?? 0n) + shareMinor;
  const refunded = (2n * subtotalMinor * reversed + payment.share_minor) / (2n * payment.share_minor);
  return { subtotalMinor, grossMinor: refunded - (payment.refunded_minor ?? 0n), shareMinor };
}

/**
 * Inserts a refund record for a part of the locked payment, and adds the part to what was taken back from it.
 * @returns the time of the record, its id, and the money to take back
 */
export async function recordPart(
  tx: Tx,
  publisherId: string,
  {
    attributionId,
    status,
    subtotalMinor,
    grossMinor,
    shareMinor,
  }: PartOfShare & { attributionId: AttributionId; status: Reversal },
): Promise<{ at: Date; refundId: RefundId; taken: TakenPart }> {
  const refundId = newRowId<RefundId>();
  const at = await readMoment(tx);
  await tx
    .insertInto('refund_record')
    .values({
      publisher_id: publisherId,
      refund_id: refundId,
      attribution_id: attributionId,
      action: status,
      reverses_money: true,
      created_at: at,
      gross_minor: grossMinor,
      share_minor: shareMinor,
    })
    .execute();
  await sql`
    update payment
    set subtotal_minor = ${subtotalMinor}, refunded_minor = coalesce(refunded_minor, 0) + ${grossMinor},
        reversed_minor = coalesce(reversed_minor, 0) + ${shareMinor}, part_at = ${at},
        is_fraud = is_fraud or ${status === 'Fraud'}
    where publisher_id = ${publisherId} and attribution_id = ${attributionId}::uuid`.execute(tx);
  return {
    at,
    refundId,
    taken: { attributionId, subjectId: refundId, grossMinor, shareMinor, isLast: false },
  };
}
