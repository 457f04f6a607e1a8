import { type RawBuilder, sql } from 'kysely';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { foldCode } from './resolve-codes.ts';

/** What comes after every text with a prefix, in the order of bytes. */
const last = '\u{10ffff}';

/**
 * A query of the memberships of a publisher that somebody may mean by what they typed: whose name or one of whose codes
 * begins with it, or whose account or player id it is. Each part is a range of an index.
 * @param typed 2 characters or more
 */
export function membersNamed(publisherId: string, typed: string): RawBuilder<MembershipId> {
  const folded = foldCode(typed);
  return sql`
    select own.membership_id
    from creator_group g
    join group_code own on own.publisher_id = ${publisherId} and own.group_id = g.group_id
      and own.code_folded >= ${folded} and own.code_folded < ${folded + last}
    where g.publisher_id = ${publisherId}
    union all
    select m.membership_id
    from global_code c
    join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
    where c.code_folded >= ${folded} and c.code_folded < ${folded + last}
    union all
    select m.membership_id
    from creator_account a
    join membership m on m.publisher_id = ${publisherId} and m.account_id = a.account_id
    where lower(a.name) collate "C" >= lower(${typed}::text) collate "C"
      and lower(a.name) collate "C" < lower(${typed}::text) collate "C" || ${last}
    union all
    select m.membership_id
    from membership m
    where m.publisher_id = ${publisherId} and m.account_id = ${typed}
    union all
    select m.membership_id
    from creator_group g
    join membership m on m.publisher_id = ${publisherId} and m.group_id = g.group_id and m.player_id = ${typed}
    where g.publisher_id = ${publisherId}`;
}
