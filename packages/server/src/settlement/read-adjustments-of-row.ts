import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';

/** Change of a share after it was in a payout. It is in the creator's next payout. */
export interface RowAdjustment {
  kind: 'clawback' | 'reinstatement';
  /** Negative for a clawback. */
  amountMinor: bigint;
  at: Date;
  /** Payout that contains it; null until the next one. */
  payoutNumber: number | null;
}

/** Maximum number of adjustments of a row: its partial refunds and their reinstatements. */
const maxAdjustments = 500;

/** Reads the adjustments of a row, oldest first. */
export async function readAdjustmentsOfRow(
  db: Db,
  publisherId: string,
  attributionId: AttributionId,
): Promise<RowAdjustment[]> {
  const { rows } = await sql<{
    kind: RowAdjustment['kind'];
    amount: bigint;
    created_at: Date;
    number: bigint | null;
  }>`
    select moved.kind, moved.amount, moved.created_at, b.number
    from (
      select 'clawback' as kind, -c.amount_minor as amount, c.created_at, c.payout_batch_id
      from clawback c
      where c.publisher_id = ${publisherId} and c.attribution_id = ${attributionId}::uuid and c.amount_minor > 0
      union all
      select 'reinstatement', r.amount_minor, r.created_at, r.payout_batch_id
      from reinstatement_adjustment r
      where r.publisher_id = ${publisherId} and r.attribution_id = ${attributionId}::uuid
    ) moved
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = moved.payout_batch_id
    order by moved.created_at, moved.kind
    limit ${maxAdjustments}`.execute(db);
  return rows.map(({ kind, amount, created_at, number }) => ({
    kind,
    amountMinor: amount,
    at: created_at,
    payoutNumber: number === null ? null : Number(number),
  }));
}
