import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { PayoutBatchId } from '../platform/database/tables.generated.ts';

/** Audit actions of downloading a payout's lines. */
export const exportActions = ['payout.export', 'payout.export-file'] as const;

/** Returns the payouts of which anyone downloaded a file, as the audit log records it. */
export async function findExported(
  db: Db,
  publisherId: string,
  batchIds: readonly PayoutBatchId[],
): Promise<ReadonlySet<PayoutBatchId>> {
  if (batchIds.length === 0) return new Set();
  const { rows } = await sql<{ batch_id: PayoutBatchId }>`
    select one.id as batch_id
    from unnest(${[...batchIds]}::text[]) as one (id)
    where exists (
      select 1
      from audit_entry e
      where e.publisher_id = ${publisherId} and e.target = 'payout:' || one.id
        and e.action = any(${[...exportActions]}::text[])
    )`.execute(db);
  return new Set(rows.map(({ batch_id }) => batch_id));
}
