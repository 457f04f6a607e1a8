import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyRecord } from './bounty-record.ts';
import { byStart, readBounties } from './bounty-rows.ts';

export interface BountyPage {
  publisherId: string;
  groupId: string;
  /** Counted from 1. */
  page: number;
  pageSize: number;
}

/**
 * Reads one numbered page of a group's bounties, earliest start first, and counts all of the group's
 * bounties.
 */
export async function pageBounties(
  db: Db,
  { publisherId, groupId, page, pageSize }: BountyPage,
): Promise<{ bounties: BountyRecord[]; totalCount: number }> {
  const bounties = await readBounties(
    db,
    publisherId,
    sql`b.group_id = ${groupId} ${byStart} limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from bounty where publisher_id = ${publisherId} and group_id = ${groupId}`.execute(
    db,
  );
  return { bounties, totalCount: Number(rows[0]?.total ?? 0) };
}
