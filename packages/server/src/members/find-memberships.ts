import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { foldCode } from './resolve-codes.ts';

/** One way to name a member of a group. */
export type MemberFilter =
  | { by: 'playerId'; value: string }
  | { by: 'memberId'; value: string }
  | { by: 'providerId'; value: string }
  | { by: 'code'; value: string };

/**
 * The memberships of a group that a filter names, of any status, so that history stays findable. A player
 * id that passed from a removed member to another names both; a provider id finds its account at every
 * provider.
 */
export async function findMemberships(
  db: Db,
  publisherId: string,
  groupId: string,
  filter: MemberFilter,
): Promise<string[]> {
  const named = membershipsNamed(publisherId, groupId, filter);
  const { rows } = await sql<{ membership_id: string }>`
    select m.membership_id
    from membership m
    where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${named}
    order by m.membership_id`.execute(db);
  return rows.map(({ membership_id }) => membership_id);
}

function membershipsNamed(publisherId: string, groupId: string, { by, value }: MemberFilter) {
  switch (by) {
    case 'playerId':
      return sql`m.player_id = ${value}`;
    case 'memberId':
      return sql`m.account_id = ${value}`;
    case 'providerId':
      return sql`m.account_id in (select i.account_id from creator_identity i where i.provider_account_id = ${value})`;
    case 'code': {
      const folded = foldCode(value);
      return sql`m.membership_id = coalesce(
        (select c.membership_id from group_code c
         where c.publisher_id = ${publisherId} and c.group_id = ${groupId} and c.code_folded = ${folded}),
        (select g.membership_id from global_code c
         join membership g on g.publisher_id = ${publisherId} and g.group_id = ${groupId} and g.account_id = c.account_id
         where c.code_folded = ${folded}))`;
    }
  }
}
