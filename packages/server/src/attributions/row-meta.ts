import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AccountId, AttributionId } from '../platform/database/tables.generated.ts';
import { timeOfRowId } from '../platform/ids.ts';
import { type AttributionRow, toTransactionRecord } from './attribution-row.ts';
import { joinCreditedMember } from './credited-member.ts';
import type { TransactionRecord } from './transaction-schema.ts';

export interface RowMeta {
  createdAt: Date;
  /** Time when the row was recorded, or when its status, its refunded amount or its buyer's id last changed. */
  updatedAt: Date;
  /** Account to which the row is credited now, after any merges. */
  memberId: AccountId;
}

export interface RowWithMeta extends AttributionRow {
  meta: RowMeta;
}

export async function withMeta(
  db: Db,
  publisherId: string,
  rows: readonly AttributionRow[],
): Promise<RowWithMeta[]> {
  const ids = rows.map(({ attributionId }) => attributionId);
  const { rows: found } = await sql<{
    attribution_id: AttributionId;
    account_id: AccountId;
    changed_at: Date | null;
  }>`
    select a.attribution_id, m.account_id, h.changed_at
    from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (
      select attribution_id, membership_id
      from attribution
      where publisher_id = ${publisherId} and attribution_id = k.id
      offset 0
    ) a
    ${joinCreditedMember(publisherId, 'a', 'account_id')}
    left join lateral (
      select changed_at
      from attribution_change
      where publisher_id = ${publisherId} and attribution_id = a.attribution_id
      offset 0
    ) h on true`.execute(db);
  const byId = new Map(found.map((each) => [each.attribution_id, each]));
  return rows.map((row) => {
    const meta = byId.get(row.attributionId);
    if (meta === undefined) throw new Error('a row that was read no longer exists');
    const createdAt = timeOfRowId(row.attributionId);
    return {
      ...row,
      meta: { createdAt, updatedAt: meta.changed_at ?? createdAt, memberId: meta.account_id },
    };
  });
}

export function toRecordWithMeta(row: RowWithMeta): TransactionRecord {
  const { createdAt, updatedAt, memberId } = row.meta;
  return {
    transaction: {
      ...toTransactionRecord(row).transaction,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      groupId: row.groupId,
      memberId,
      refundedAmount: Number(row.refundedMinor),
    },
  };
}
