import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { BountyRecord } from './bounty-record.ts';
import { byStart, readBounties } from './bounty-rows.ts';

/**
 * Reads one page of a group's bounties, earliest start first.
 * @param size page size, 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listBounties(
  db: Db,
  pages: Pages,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<BountyRecord>> {
  const listing = ['bounties', publisherId, groupId];
  const [startsAt, bountyId] = pages.after(listing, cursor) ?? [];
  const rest =
    startsAt === undefined
      ? sql``
      : sql`and (b.starts_at, b.bounty_id) > (${startsAt}::timestamptz, ${bountyId})`;
  const bounties = await readBounties(
    db,
    publisherId,
    sql`b.group_id = ${groupId} ${rest} ${byStart} limit ${size + 1}`,
  );
  return pages.cut(listing, bounties, size, (bounty) => [bounty.startsAt, bounty.id]);
}
