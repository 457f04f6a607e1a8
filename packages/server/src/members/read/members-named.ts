import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { endOfPrefix } from '../../platform/database/prefix.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { foldCode } from './resolve-codes.ts';

/** Maximum number of matches that are collected, which takes a few milliseconds. */
const maxCollected = 2_000;

/**
 * Number of members, newest first, whose names are searched for text that is not at the start. Reading 5,000 names takes
 * 15 ms, however many accounts there are. No index contains parts of names.
 */
const maxNamesRead = 5_000;

/**
 * Builds the condition, on the membership `m` and its account `a`, that typed text matches a member: the name contains it,
 * a code starts with it, or it is the account id or player id. A few matches are collected from indexes on the text. If there
 * are many matches, a scan of the members in order soon finds enough of them. Neither method works in both cases:
 * collecting 50,000 matches took 20 s, and so did scanning for a single match.
 * @param typed at least 2 characters
 */
export async function membersNamed(db: Db, publisherId: string, typed: string): Promise<RawBuilder<boolean>> {
  const found = await findNamed(db, publisherId, typed, maxCollected + 1);
  if (found.length <= maxCollected) return sql`m.membership_id = any(${found}::uuid[])`;
  const folded = foldCode(typed);
  return sql`
    (${hasInName(typed)}
     or exists (
       select 1
       from group_code g
       where g.publisher_id = ${publisherId} and g.membership_id = m.membership_id
         and g.code_folded >= ${folded} and g.code_folded < ${endOfPrefix(folded)})
     or exists (
       select 1
       from global_code c
       where c.account_id = m.account_id and c.code_folded >= ${folded} and c.code_folded < ${endOfPrefix(folded)})
     or m.account_id = ${typed} or m.player_id = ${typed})`;
}

const isNamed = (typed: string): RawBuilder<boolean> => sql`
  (lower(a.name) collate "C" >= lower(${typed}::text) collate "C"
   and lower(a.name) collate "C" < lower(${typed}::text) collate "C" || ${endOfPrefix('')})`;

const hasInName = (typed: string): RawBuilder<boolean> =>
  sql`position(lower(${typed}::text) in lower(a.name)) > 0`;

/**
 * Finds some members that match typed text, in no particular order. Each part reads an index range, except that text
 * inside names is found by reading the names of the newest members.
 * @param maxPerKind limit for each kind of match by name or code; matches by id are always included
 */
export async function findNamed(
  db: Db,
  publisherId: string,
  typed: string,
  maxPerKind: number,
): Promise<MembershipId[]> {
  const folded = foldCode(typed);
  const { rows } = await sql<{ membership_id: MembershipId }>`
    select membership_id
    from (
      (select own.membership_id
       from creator_group g
       join group_code own on own.publisher_id = ${publisherId} and own.group_id = g.group_id
         and own.code_folded >= ${folded} and own.code_folded < ${endOfPrefix(folded)}
       where g.publisher_id = ${publisherId}
       limit ${maxPerKind})
      union
      (select m.membership_id
       from global_code c
       join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
       where c.code_folded >= ${folded} and c.code_folded < ${endOfPrefix(folded)}
       limit ${maxPerKind})
      union
      (select m.membership_id
       from creator_account a
       join membership m on m.publisher_id = ${publisherId} and m.account_id = a.account_id
       where ${isNamed(typed)}
       limit ${maxPerKind})
      union
      (select m.membership_id
       from (
         select newest.membership_id, newest.account_id
         from membership newest
         where newest.publisher_id = ${publisherId}
         order by newest.membership_id desc
         limit ${maxNamesRead}) m
       -- With a plain join, the planner may scan the accounts of all publishers.
       cross join lateral (select named.name from creator_account named where named.account_id = m.account_id limit 1) a
       where ${hasInName(typed)}
       limit ${maxPerKind})
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
