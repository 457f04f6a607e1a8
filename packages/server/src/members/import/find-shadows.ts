import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { stands } from '../standing.ts';

/**
 * Existing code with the same text but a different scope. A group code takes precedence over a global code.
 */
export interface Shadow {
  codeFolded: string;
  /** Code in its member's spelling. */
  code: string;
  memberId: AccountId;
  name: string;
  /** Code's group; for a global code, a group that its creator is a member of. */
  groupId: string;
  groupName: string;
}

/**
 * Finds the publisher's codes that have the same text as the given codes but a different scope.
 * @param scope the scope of `codes`
 */
export async function findShadows(
  db: Db,
  publisherId: string,
  scope: 'group' | 'global',
  codes: readonly string[],
): Promise<Shadow[]> {
  if (codes.length === 0) return [];
  const folded = codes.map(foldCode);
  const others =
    scope === 'group'
      ? sql`
          select c.code_folded, c.code, m.membership_id
          from global_code c
          join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
          where c.code_folded = any(${folded}::text[]) and ${stands('m')}`
      : sql`
          select own.code_folded, own.code, own.membership_id
          from creator_group g
          join group_code own on own.publisher_id = ${publisherId} and own.group_id = g.group_id
            and own.code_folded = any(${folded}::text[])
          where g.publisher_id = ${publisherId}`;
  const { rows } = await sql<{
    code_folded: string;
    code: string;
    account_id: AccountId;
    name: string;
    group_id: string;
    group_name: string;
  }>`
    select found.code_folded, found.code, m.account_id, a.name, m.group_id, g.name as group_name
    from (${others}) found
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = found.membership_id
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    order by found.code_folded, m.group_id`.execute(db);
  return rows.map((row) => ({
    codeFolded: row.code_folded,
    code: row.code,
    memberId: row.account_id,
    name: row.name,
    groupId: row.group_id,
    groupName: row.group_name,
  }));
}

/** Returns the folded codes that the group already has as group codes. */
export async function ownCodes(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const rows = await db
    .selectFrom('group_code')
    .select('code_folded')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('code_folded', 'in', codes.map(foldCode))
    .execute();
  return new Set(rows.map(({ code_folded }) => code_folded));
}
