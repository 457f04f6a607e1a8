import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';
import { codesOf } from './member-record.ts';

export interface GroupMember {
  memberId: AccountId;
  name: string;
  playerId: string | null;
  status: MemberStatus;
  /** Codes, primary code first. */
  codes: string[];
  removalReason: string | null;
}

export interface GroupMemberFilter {
  publisherId: string;
  groupId: string;
  /** Status to list; all statuses if absent. */
  status?: MemberStatus | undefined;
}

/** Statuses in the order of the list: members waiting for approval first. */
const statuses: readonly MemberStatus[] = ['Pending', 'Approved', 'Removed'];

/**
 * Returns one page of a group's members, of any status. Members waiting for approval come first. Members with the same
 * status are listed in the order in which they joined.
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listGroupMembers(
  db: Db,
  pages: Pages,
  filter: GroupMemberFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<GroupMember>> {
  const { publisherId, groupId, status } = filter;
  const listing = ['members', publisherId, groupId, status ?? null];
  const after = pages.after(listing, cursor);
  const [from = null, membershipId = null] = after ?? [];
  if (after !== null && !isPosition(from, membershipId))
    throw new Refusal('InvalidCursor', 'The cursor is invalid. Start from the first page.');
  const rows: MemberRow[] = [];
  // Reads one status at a time, each from an index range.
  for (const each of statuses.slice(from === null ? 0 : statuses.indexOf(from as MemberStatus))) {
    if (rows.length > size) break;
    if (status !== undefined && each !== status) continue;
    const start = each === from ? membershipId : null;
    rows.push(
      ...(await readStatus(db, filter, { status: each, after: start, limit: size + 1 - rows.length })),
    );
  }
  const page = pages.cut(listing, rows, size, (row) => [row.status, row.membership_id]);
  return { rows: page.rows.map(toMember), nextCursor: page.nextCursor };
}

const isPosition = (status: string | null, membershipId: string | null): boolean =>
  statuses.some((each) => each === status) && membershipId !== null && isRowId(membershipId);

interface MemberRow {
  membership_id: MembershipId;
  account_id: AccountId;
  name: string;
  player_id: string | null;
  status: MemberStatus;
  codes: { code: string }[];
  removal_reason: string | null;
}

async function readStatus(
  db: Db,
  { publisherId, groupId }: GroupMemberFilter,
  { status, after, limit }: { status: MemberStatus; after: string | null; limit: number },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.membership_id, m.account_id, a.name, m.player_id, m.status, ${codesOf(publisherId)} as codes, m.removal_reason
    from membership m
    join creator_account a on a.account_id = m.account_id
    where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${stands('m')} and m.status = ${status}
      ${after === null ? sql`` : sql`and m.membership_id > ${after}::uuid`}
    order by m.membership_id
    limit ${limit}`.execute(db);
  return rows;
}

const toMember = (row: MemberRow): GroupMember => ({
  memberId: row.account_id,
  name: row.name,
  playerId: row.player_id,
  status: row.status,
  codes: row.codes.map(({ code }) => code),
  removalReason: row.removal_reason,
});
