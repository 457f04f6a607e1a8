import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { mergedInto, standing } from '../standing.ts';
import { foldCode } from './resolve-codes.ts';

export type MemberFilter =
  | { by: 'playerId'; value: string }
  | { by: 'memberId'; value: string }
  | { by: 'providerId'; value: string }
  | { by: 'code'; value: string };

/**
 * Returns the memberships that hold the history of all members matching a filter. Includes memberships of any status,
 * and those that were merged into matching members' memberships. A player id that passed from a removed member to
 * another matches both. A claimed account's id matches the creator who claimed it. A provider id is compared across all
 * providers.
 */
export async function findMemberships(
  db: Db | Tx,
  publisherId: string,
  groupId: string,
  filter: MemberFilter,
): Promise<MembershipId[]> {
  const matches = matching(publisherId, groupId, filter);
  const { rows } = await sql<{ membership_id: MembershipId }>`
    with named as (
      select distinct ${standing('m')} as membership_id
      from membership m
      where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and ${matches}
    )
    select membership_id from named
    union all
    select merged.membership_id
    from named
    join membership merged on merged.publisher_id = ${publisherId} and ${mergedInto('merged')} = named.membership_id
    order by membership_id`.execute(db);
  return rows.map(({ membership_id }) => membership_id);
}

function matching(publisherId: string, groupId: string, { by, value }: MemberFilter) {
  switch (by) {
    case 'playerId':
      return sql`m.membership_id in (
        select linked.membership_id from membership linked
        where linked.publisher_id = ${publisherId} and linked.group_id = ${groupId} and linked.player_id = ${value}
        union all
        select f.membership_id from former_player f
        where f.publisher_id = ${publisherId} and f.group_id = ${groupId} and f.player_id = ${value})`;
    case 'memberId': // only the publisher that owned a claimed account may see who claimed it
      return sql`m.account_id in (
        ${value},
        (select a.claimed_by from creator_account a where a.account_id = ${value} and a.owner_publisher_id = ${publisherId}))`;
    case 'providerId':
      return sql`m.account_id in (select i.account_id from creator_identity i where i.provider_account_id = ${value})`;
    case 'code': {
      const folded = foldCode(value);
      return sql`m.membership_id = coalesce(
        (select g.membership_id from group_code g
         where g.publisher_id = ${publisherId} and g.group_id = ${groupId} and g.code_folded = ${folded}),
        (select holder.membership_id from global_code c
         join membership holder
           on holder.publisher_id = ${publisherId} and holder.group_id = ${groupId} and holder.account_id = c.account_id
         where c.code_folded = ${folded}))`;
    }
  }
}
