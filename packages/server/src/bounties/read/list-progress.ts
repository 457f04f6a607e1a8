import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { ProgressRecord } from './bounty-record.ts';
import { readProgress, withoutBountyName } from './progress-rows.ts';

/**
 * Reads one page of members' progress toward a bounty, for members of any status, in the order they joined.
 * @param size page size, 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listProgress(
  db: Db,
  pages: Pages,
  { publisherId, bountyId }: { publisherId: string; bountyId: BountyId },
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<ProgressRecord>> {
  const listing = ['bounty-progress', publisherId, bountyId];
  const [membershipId] = pages.after(listing, cursor) ?? [];
  const rest = membershipId === undefined ? sql`` : sql`and p.membership_id > ${membershipId}::uuid`;
  const found = await readProgress(
    db,
    publisherId,
    sql`p.bounty_id = ${bountyId} ${rest}`,
    sql`order by p.membership_id limit ${size + 1}`,
  );
  const { rows, nextCursor } = pages.cut(listing, found, size, (each) => [each.membershipId]);
  return { rows: rows.map(withoutBountyName), nextCursor };
}
