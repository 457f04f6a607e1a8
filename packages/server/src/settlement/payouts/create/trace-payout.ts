import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { PostingId } from '../../../platform/database/tables.generated.ts';
import { currentTrace, maxLinks, type Trace, tracesOf } from '../../../platform/telemetry/tracing.ts';
import type { PayoutScope } from './payout-scope.ts';

/**
 * Reads the latest traced postings whose rows the payout may pay, to link its trace to them. Queries the database only
 * if the payout itself is traced.
 */
export async function tracesOfPostings(db: Db, { publisherId, asOf }: PayoutScope): Promise<Trace[]> {
  if (currentTrace() === null) return [];
  const { rows } = await sql<{ posting_id: PostingId }>`
    select posting_id
    from posting
    where publisher_id = ${publisherId} and posted_at <= ${asOf}
    order by posting_id desc
    limit ${maxLinks}`.execute(db);
  return tracesOf(rows.map(({ posting_id }) => posting_id));
}
