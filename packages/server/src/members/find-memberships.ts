import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';
import { foldCode } from './resolve-codes.ts';
import { mergedInto, standing } from './standing.ts';

/** One way to name a member of a group. */
export type MemberFilter =
  | { by: 'playerId'; value: string }
  | { by: 'memberId'; value: string }
  | { by: 'providerId'; value: string }
  | { by: 'code'; value: string };

/**
 * The memberships of a group that hold the history of who a filter names: of any status, so that history
 * stays findable, and with those that were merged into them. A player id that passed from a removed member to
 * another names both; an account that was claimed names who claimed it; a provider id finds its account at every
 * provider.
 */
export async function findMemberships(
  db: Db,
  publisherId: string,
  groupId: string,
  filter: MemberFilter,
): Promise<MembershipId[]> {
  const named = membershipsNamed(publisherId, groupId, filter);
  const { rows } = await sql<{ membership_id: MembershipId }>`
    with named as (
      select distinct ${standing('m')} as membership_id
      from membership m
      where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${named}
    )
    select membership_id from named
    union all
    select f.membership_id
    from named
    join membership f on f.publisher_id = ${publisherId} and ${mergedInto('f')} = named.membership_id
    order by membership_id`.execute(db);
  return rows.map(({ membership_id }) => membership_id);
}

function membershipsNamed(publisherId: string, groupId: string, { by, value }: MemberFilter) {
  switch (by) {
    case 'playerId':
      return sql`m.membership_id in (
        select k.membership_id from membership k
        where k.publisher_id = ${publisherId} and k.group_id = ${groupId} and k.player_id = ${value}
        union all
        select f.membership_id from former_player f
        where f.publisher_id = ${publisherId} and f.group_id = ${groupId} and f.player_id = ${value})`;
    case 'memberId': // only whose account it was is told who claimed it
      return sql`m.account_id in (
        ${value},
        (select a.claimed_by from creator_account a where a.account_id = ${value} and a.owner_publisher_id = ${publisherId}))`;
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
