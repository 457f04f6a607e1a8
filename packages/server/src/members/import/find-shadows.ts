import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { stands } from '../standing.ts';

/** Where a code of one kind reads as somebody's code of the other: the group's own goes before the global one. */
export interface Shadow {
  codeFolded: string;
  /** In its holder's own spelling. */
  code: string;
  memberId: AccountId;
  name: string;
  /** Of the code of a group; of a global one, a group that its holder is a member of. */
  groupId: string;
  groupName: string;
}

/**
 * What codes of one kind read the same as, among the publisher's codes of the other kind.
 * @param codes that are to be good in their group alone (`group`), or in every group of their creator (`global`)
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

/** @returns those of the codes, folded, that the group has as its own already */
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
