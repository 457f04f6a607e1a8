import { sql } from 'kysely';
import { markChange } from '../../attributions/changes/mark-change.ts';
import { overwriteRow } from '../../attributions/overwrite-row.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { ReinstatementId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { countStatus } from '../count-status.ts';
import { returnMoney } from '../return-money.ts';
import type { GivenBack } from './plan-reinstatement.ts';
import type { LockedRow } from './read-reinstatable.ts';

interface Reinstatement {
  publisherId: string;
  refundKey: string;
}

interface Moved extends GivenBack<LockedRow> {
  reinstatementId: ReinstatementId;
}

/**
 * Saves a reinstatement: inserts its records, updates the rows' payments and statuses, and gives the money back. The
 * share of a row that was already paid is added to the member's next payout. For a row that is not posted yet, posting
 * gives the money back. The caller must have locked the rows' members.
 */
export async function saveReinstatement(
  tx: Tx,
  { publisherId, refundKey }: Reinstatement,
  parts: readonly GivenBack<LockedRow>[],
): Promise<void> {
  const all = parts.map((part) => ({ ...part, reinstatementId: newRowId<ReinstatementId>() }));
  const now = await readMoment(tx);
  await saveRecords(tx, publisherId, { refundKey, now, all });
  await savePayments(tx, publisherId, now, all);
  const moved = all.filter(({ grossMinor }) => grossMinor > 0n);
  await returnMoney(
    tx,
    publisherId,
    moved
      .filter(({ row }) => row.isPosted)
      .map(({ row, reinstatementId, grossMinor, shareMinor }) => ({
        attributionId: row.attributionId,
        subjectId: reinstatementId,
        grossMinor,
        shareMinor,
        isLast: row.refundedMinor === row.subtotalMinor,
      })),
    'reinstatement',
  );
  await saveAdjustments(tx, publisherId, now, moved);
  for (const { row, statusAfter } of all) {
    const { attributionId, status } = row;
    if (statusAfter === status) {
      await markChange(tx, publisherId, attributionId, false);
      continue;
    }
    await overwriteRow(tx, publisherId, attributionId, { status: statusAfter, playerId: null });
    await countStatus(tx, { publisherId, attributionId, from: status, to: statusAfter });
  }
}

/** Inserts a record for each reinstated refund record. The first one of each row has the row's amounts. */
async function saveRecords(
  tx: Tx,
  publisherId: string,
  { refundKey, now, all }: { refundKey: string; now: Date; all: readonly Moved[] },
): Promise<void> {
  const records = all.flatMap(({ row, recordIds, reinstatementId, grossMinor, shareMinor }) =>
    recordIds.map((refundId, index) => ({
      attributionId: row.attributionId,
      refundId,
      reinstatementId: index === 0 ? reinstatementId : newRowId<ReinstatementId>(),
      grossMinor: index === 0 ? grossMinor : 0n,
      shareMinor: index === 0 ? shareMinor : 0n,
    })),
  );
  await sql`
    insert into reinstatement (publisher_id, reinstatement_id, refund_id, refund_key, attribution_id, gross_minor, share_minor,
                               created_at)
    select ${publisherId}, reinstatement_id, refund_id, ${refundKey}, attribution_id, gross_minor, share_minor, ${now}::timestamptz
    from unnest(
      ${records.map(({ reinstatementId }) => reinstatementId)}::uuid[],
      ${records.map(({ refundId }) => refundId)}::uuid[],
      ${records.map(({ attributionId }) => attributionId)}::uuid[],
      ${records.map(({ grossMinor }) => grossMinor)}::bigint[],
      ${records.map(({ shareMinor }) => shareMinor)}::bigint[]
    ) as record (reinstatement_id, refund_id, attribution_id, gross_minor, share_minor)`.execute(tx);
}

/** Updates the payments. If a row gets nothing back, its payment keeps its amounts. */
async function savePayments(tx: Tx, publisherId: string, now: Date, all: readonly Moved[]): Promise<void> {
  await sql`
    update payment p
    set is_fraud = part.is_fraud,
        subtotal_minor = case when part.is_moved then part.subtotal_minor else p.subtotal_minor end,
        refunded_minor = case when part.is_moved then part.refunded_minor else p.refunded_minor end,
        reversed_minor = case when part.is_moved then part.reversed_minor else p.reversed_minor end,
        part_at = case when part.is_moved then ${now}::timestamptz else p.part_at end,
        reinstated_at = case when part.is_moved then ${now}::timestamptz else p.reinstated_at end,
        reversed_at = case when part.is_moved then null else p.reversed_at end
    from unnest(
      ${all.map(({ row }) => row.attributionId)}::uuid[],
      ${all.map(({ isFraud }) => isFraud)}::boolean[],
      ${all.map(({ grossMinor }) => grossMinor > 0n)}::boolean[],
      ${all.map(({ row }) => row.subtotalMinor)}::bigint[],
      ${all.map(({ refundedAfter }) => refundedAfter)}::bigint[],
      ${all.map(({ reversedAfter }) => reversedAfter)}::bigint[]
    ) as part (attribution_id, is_fraud, is_moved, subtotal_minor, refunded_minor, reversed_minor)
    where p.publisher_id = ${publisherId} and p.attribution_id = part.attribution_id`.execute(tx);
}

/** Inserts the shares of rows that were already paid. The members' next payouts include them. */
async function saveAdjustments(
  tx: Tx,
  publisherId: string,
  now: Date,
  moved: readonly Moved[],
): Promise<void> {
  const paid = moved.filter(({ row, shareMinor }) => row.payout === 'paid' && shareMinor > 0n);
  if (paid.length === 0) return;
  await sql`
    insert into reinstatement_adjustment (publisher_id, reinstatement_id, attribution_id, group_id, membership_id, currency,
                                          amount_minor, created_at)
    select ${publisherId}, part.reinstatement_id, p.attribution_id, p.group_id, p.membership_id, p.currency, part.share_minor,
           ${now}::timestamptz
    from unnest(
      ${paid.map(({ reinstatementId }) => reinstatementId)}::uuid[],
      ${paid.map(({ row }) => row.attributionId)}::uuid[],
      ${paid.map(({ shareMinor }) => shareMinor)}::bigint[]
    ) as part (reinstatement_id, attribution_id, share_minor)
    join payment p on p.publisher_id = ${publisherId} and p.attribution_id = part.attribution_id`.execute(tx);
}
