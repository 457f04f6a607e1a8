import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import type { CreatorGroup } from '../../publishers/programs.ts';
import { type PlainMemberRecord, readMembers } from './member-record.ts';

/** Page of a group's members in the order in which they joined, with the total number of members. */
export interface MemberPage {
  members: PlainMemberRecord[];
  totalCount: number;
}

interface ListedMembers {
  publisherId: string;
  group: CreatorGroup;
  which: { visible: true } | { tierId: TierId };
  /** Page number, starting at 1. */
  page: number;
  pageSize: number;
}

/** Returns one page of the Approved members: all visible members, or a tier's members. */
export async function listMembers(
  db: Db,
  { publisherId, group, which, page, pageSize }: ListedMembers,
): Promise<MemberPage> {
  const condition = sql`m.status = 'Approved' and ${
    'visible' in which ? sql`m.is_visible` : sql`m.tier_id = ${which.tierId}::uuid`
  }`;
  const members = await readMembers(db, {
    publisherId,
    group,
    condition,
    rest: sql`order by m.membership_id limit ${pageSize} offset ${(page - 1) * pageSize}`,
  });
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total
    from membership m
    where m.publisher_id = ${publisherId} and m.group_id = ${group.groupId} and ${condition}`.execute(db);
  return { members, totalCount: Number(rows[0]?.total ?? 0) };
}
