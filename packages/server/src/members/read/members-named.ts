import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { foldCode } from './resolve-codes.ts';

/** What comes after every text with a prefix, in the order of bytes. */
const last = '\u{10ffff}';

/** Collected, and looked through, in some milliseconds. */
const maxCollected = 2_000;

/**
 * The condition, in terms of the membership `m` and its account `a`, that somebody means a member by what they typed: its
 * name or one of its codes begins with it, or it is its account or player id. Where few are meant, they are found by
 * indexes of what is typed; where many are, walking along the members in their order meets enough of them soon. Neither
 * does for both: collecting fifty thousand took 20 s, and meeting one among them as long.
 * @param typed 2 characters or more
 */
export async function membersNamed(db: Db, publisherId: string, typed: string): Promise<RawBuilder<boolean>> {
  const found = await findNamed(db, publisherId, typed, maxCollected + 1);
  if (found.length <= maxCollected) return sql`m.membership_id = any(${found}::uuid[])`;
  const folded = foldCode(typed);
  return sql`
    (${isNamed(typed)}
     or exists (
       select 1
       from group_code g
       where g.publisher_id = ${publisherId} and g.membership_id = m.membership_id
         and g.code_folded >= ${folded} and g.code_folded < ${folded + last})
     or exists (
       select 1
       from global_code c
       where c.account_id = m.account_id and c.code_folded >= ${folded} and c.code_folded < ${folded + last})
     or m.account_id = ${typed} or m.player_id = ${typed})`;
}

const isNamed = (typed: string): RawBuilder<boolean> => sql`
  (lower(a.name) collate "C" >= lower(${typed}::text) collate "C"
   and lower(a.name) collate "C" < lower(${typed}::text) collate "C" || ${last})`;

/**
 * Some members that somebody may mean by what they typed, in no order. Each part is a range of an index.
 * @param most of each kind: by name, by code of a group, by global code; an id is always among them
 */
export async function findNamed(
  db: Db,
  publisherId: string,
  typed: string,
  most: number,
): Promise<MembershipId[]> {
  const folded = foldCode(typed);
  const { rows } = await sql<{ membership_id: MembershipId }>`
    select membership_id
    from (
      (select own.membership_id
       from creator_group g
       join group_code own on own.publisher_id = ${publisherId} and own.group_id = g.group_id
         and own.code_folded >= ${folded} and own.code_folded < ${folded + last}
       where g.publisher_id = ${publisherId}
       limit ${most})
      union
      (select m.membership_id
       from global_code c
       join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
       where c.code_folded >= ${folded} and c.code_folded < ${folded + last}
       limit ${most})
      union
      (select m.membership_id
       from creator_account a
       join membership m on m.publisher_id = ${publisherId} and m.account_id = a.account_id
       where ${isNamed(typed)}
       limit ${most})
      union
      (select m.membership_id
       from membership m
       where m.publisher_id = ${publisherId} and m.account_id = ${typed})
      union
      (select m.membership_id
       from creator_group g
       join membership m on m.publisher_id = ${publisherId} and m.group_id = g.group_id and m.player_id = ${typed}
       where g.publisher_id = ${publisherId})
    ) named`.execute(db);
  return rows.map(({ membership_id }) => membership_id);
}
