import { sql } from 'kysely';
import { markChange } from '../../attributions/changes/mark-change.ts';
import { overwriteRow } from '../../attributions/overwrite-row.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { RefundId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { countStatus } from '../count-status.ts';
import { returnMoney } from '../return-money.ts';
import { type Reversal, storePayments, type UncountRow } from '../reverse-payment.ts';
import type { RefundPart } from './plan-refund.ts';
import type { LockedRow } from './read-rows.ts';

interface RefundOfParts {
  publisherId: string;
  refundId: string;
  reversal: Reversal;
}

/**
 * Saves the parts of a refund: inserts their records, updates the rows' payments, takes the money back, and sets the
 * statuses of fully refunded rows. For a row that is not posted yet, posting takes the money back. The caller must have
 * locked the rows' members.
 */
export async function saveParts(
  { uncountRow }: { uncountRow: UncountRow },
  tx: Tx,
  refund: RefundOfParts,
  parts: readonly RefundPart<LockedRow>[],
): Promise<void> {
  const { publisherId, reversal } = refund;
  await storePayments(
    tx,
    publisherId,
    parts.map(({ row }) => row.attributionId),
  );
  const taken = await savePayments(tx, refund, parts);
  const posted = taken.filter((_part, index) => parts[index]?.row.isPosted);
  await returnMoney(tx, publisherId, posted, 'refund');
  for (const part of posted) await uncountRow(tx, publisherId, part);
  for (const { attributionId, isLast } of taken) {
    if (!isLast) {
      await markChange(tx, publisherId, attributionId, false);
      continue;
    }
    await overwriteRow(tx, publisherId, attributionId, { status: reversal, playerId: null });
    await countStatus(tx, { publisherId, attributionId, from: 'Normal', to: reversal });
  }
}

/** Inserts the parts' records and adds them to the payments. @returns the money to take back, in the same order */
async function savePayments(
  tx: Tx,
  { publisherId, refundId, reversal }: RefundOfParts,
  parts: readonly RefundPart<LockedRow>[],
) {
  const now = await readMoment(tx);
  const taken = parts.map(({ row, grossMinor, shareMinor, isLast }) => ({
    attributionId: row.attributionId,
    subjectId: newRowId<RefundId>(),
    grossMinor,
    shareMinor,
    isLast,
  }));
  const ids = taken.map(({ attributionId }) => attributionId);
  await sql`
    insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money, created_at, gross_minor,
                               share_minor, sent_refund_id)
    select ${publisherId}, refund_id, attribution_id, ${reversal}, true, ${now}::timestamptz, gross_minor, share_minor, ${refundId}
    from unnest(
      ${taken.map(({ subjectId }) => subjectId)}::uuid[],
      ${ids}::uuid[],
      ${taken.map(({ grossMinor }) => grossMinor)}::bigint[],
      ${taken.map(({ shareMinor }) => shareMinor)}::bigint[]
    ) as part (refund_id, attribution_id, gross_minor, share_minor)`.execute(tx);
  await sql`
    update payment p
    set subtotal_minor = part.subtotal_minor,
        refunded_minor = coalesce(p.refunded_minor, 0) + part.gross_minor,
        reversed_minor = coalesce(p.reversed_minor, 0) + part.share_minor,
        part_at = ${now}::timestamptz,
        reversed_at = case when part.is_last then ${now}::timestamptz end,
        is_fraud = p.is_fraud or ${reversal === 'Fraud'}
    from unnest(
      ${ids}::uuid[],
      ${parts.map(({ row }) => row.subtotalMinor)}::bigint[],
      ${taken.map(({ grossMinor }) => grossMinor)}::bigint[],
      ${taken.map(({ shareMinor }) => shareMinor)}::bigint[],
      ${taken.map(({ isLast }) => isLast)}::boolean[]
    ) as part (attribution_id, subtotal_minor, gross_minor, share_minor, is_last)
    where p.publisher_id = ${publisherId} and p.attribution_id = part.attribution_id`.execute(tx);
  return taken;
}
