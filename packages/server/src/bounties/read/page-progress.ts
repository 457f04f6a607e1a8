import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import type { ProgressRecord } from './bounty-record.ts';
import { countProgress, readProgress, withoutBountyName } from './progress-rows.ts';

export interface ProgressPage {
  publisherId: string;
  bountyId: BountyId;
  /** Counted from 1. */
  page: number;
  pageSize: number;
}

/**
 * Reads one numbered page of members' progress toward a bounty, in the order they joined, and counts all
 * members who have begun the bounty. As in the member list, only Approved, visible members are included.
 */
export async function pageProgress(
  db: Db,
  { publisherId, bountyId, page, pageSize }: ProgressPage,
): Promise<{ progress: ProgressRecord[]; totalCount: number }> {
  const begun = sql`p.bounty_id = ${bountyId} and m.status = 'Approved' and m.is_visible`;
  const found = await readProgress(
    db,
    publisherId,
    begun,
    sql`order by p.membership_id limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  return { progress: found.map(withoutBountyName), totalCount: await countProgress(db, publisherId, begun) };
}
