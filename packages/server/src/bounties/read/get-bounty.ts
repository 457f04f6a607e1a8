import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BountyId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { BountyRecord } from './bounty-record.ts';
import { readBounties } from './bounty-rows.ts';

export interface BountyToRead {
  publisherId: string;
  /** Null for any group of the publisher. */
  groupId: string | null;
  bountyId: BountyId;
}

/** @throws Refusal BountyNotFound */
export async function getBounty(
  db: Db,
  { publisherId, groupId, bountyId }: BountyToRead,
): Promise<BountyRecord> {
  const [bounty] = await readBounties(
    db,
    publisherId,
    sql`b.bounty_id = ${bountyId} and (${groupId}::text is null or b.group_id = ${groupId})`,
  );
  if (bounty === undefined) throw new Refusal('BountyNotFound', 'No bounty has this id.');
  return bounty;
}
