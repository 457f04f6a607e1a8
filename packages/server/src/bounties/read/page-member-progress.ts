import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { NamedProgressRecord } from './bounty-record.ts';
import { byStart } from './bounty-rows.ts';
import { countProgress, readProgress } from './progress-rows.ts';

export interface MemberProgressPage {
  publisherId: string;
  groupId: string;
  memberId: AccountId;
  /** Counted from 1. */
  page: number;
  pageSize: number;
}

export interface MemberProgress {
  memberId: AccountId;
  playerId?: string;
  progress: NamedProgressRecord[];
  totalCount: number;
}

/**
 * Reads one numbered page of an Approved member's progress toward the group's bounties, earliest start first.
 * @throws Refusal MemberNotFound
 */
export async function pageMemberProgress(
  db: Db,
  { publisherId, groupId, memberId, page, pageSize }: MemberProgressPage,
): Promise<MemberProgress> {
  const member = await db
    .selectFrom('membership')
    .select(['membership_id', 'player_id'])
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', memberId)
    .where('status', '=', 'Approved')
    .executeTakeFirst();
  if (member === undefined)
    throw new Refusal('MemberNotFound', 'The creator group has no approved member with this id.');
  const begun = sql`p.membership_id = ${member.membership_id}::uuid`;
  const found = await readProgress(
    db,
    publisherId,
    begun,
    sql`${byStart} limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  return {
    memberId,
    ...(member.player_id !== null && { playerId: member.player_id }),
    progress: found.map(({ record }) => record),
    totalCount: await countProgress(db, publisherId, begun),
  };
}
