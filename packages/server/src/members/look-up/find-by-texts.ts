import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, MembershipId } from '../../platform/database/tables.generated.ts';
import type { MemberStatus } from '../lock-members.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { stands } from '../standing.ts';

export interface FoundMember {
  memberId: AccountId;
  name: string;
  groupId: string;
  groupName: string;
  status: MemberStatus;
  /** Name of the tier; null for the group's share. */
  tier: string | null;
}

/** Maximum number of matches of each kind, such as matches by name. A list has at most a few thousand texts. */
const maxMatches = 10_000;

/**
 * Finds the members that texts refer to, in all of a publisher's groups. A text is a code, an account id, a player id
 * or a complete name; codes and names aren't case-sensitive.
 * @param texts at most a few thousand
 * @returns members by text, without texts that don't match a member
 */
export async function findByTexts(
  db: Db,
  publisherId: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, FoundMember[]>> {
  if (texts.length === 0) return new Map();
  const lowered = await lowerAll(db, texts);
  const matches = await readMatches(db, publisherId, { texts, lowered });
  const members = await readMembers(db, publisherId, [...new Set([...matches.values()].flat())]);
  const found = new Map<string, FoundMember[]>();
  for (const [index, text] of texts.entries()) {
    const ids = new Set(
      [`code ${foldCode(text)}`, `id ${text}`, `name ${lowered[index]}`].flatMap(
        (key) => matches.get(key) ?? [],
      ),
    );
    const named = [...ids].flatMap((id) => members.get(id) ?? []);
    if (named.length > 0) found.set(text, named);
  }
  return found;
}

/** Converts to lowercase in the same way as the index on names, which differs from JavaScript for some letters. */
async function lowerAll(db: Db, texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lowered: string }>`
    select lower(typed) as lowered
    from unnest(${texts}::text[]) with ordinality as t (typed, place)
    order by place`.execute(db);
  return rows.map(({ lowered }) => lowered);
}

/**
 * Reads each kind of match from its index. Comparing a column with an array reads the index once, whatever the planner
 * expects; joining the texts would read the tables once for each text.
 * @returns ids of members by kind and text
 */
async function readMatches(
  db: Db,
  publisherId: string,
  { texts, lowered }: { texts: readonly string[]; lowered: readonly string[] },
): Promise<ReadonlyMap<string, MembershipId[]>> {
  const folded = texts.map(foldCode);
  const { rows } = await sql<{ key: string; membership_id: MembershipId }>`
    (select 'code ' || own.code_folded as key, own.membership_id
     from creator_group g
     join group_code own on own.publisher_id = ${publisherId} and own.group_id = g.group_id
       and own.code_folded = any(${folded}::text[])
     where g.publisher_id = ${publisherId}
     limit ${maxMatches})
    union all
    (select 'code ' || c.code_folded, m.membership_id
     from global_code c
     join membership m on m.publisher_id = ${publisherId} and m.account_id = c.account_id
     where c.code_folded = any(${folded}::text[])
     limit ${maxMatches})
    union all
    (select 'id ' || m.account_id, m.membership_id
     from membership m
     where m.publisher_id = ${publisherId} and m.account_id = any(${texts}::text[])
     limit ${maxMatches})
    union all
    (select 'id ' || m.player_id, m.membership_id
     from creator_group g
     join membership m on m.publisher_id = ${publisherId} and m.group_id = g.group_id and m.player_id = any(${texts}::text[])
     where g.publisher_id = ${publisherId}
     limit ${maxMatches})
    union all
    (select 'name ' || lower(a.name), m.membership_id
     from creator_account a
     join membership m on m.publisher_id = ${publisherId} and m.account_id = a.account_id
     where lower(a.name) collate "C" = any(${lowered}::text[])
     limit ${maxMatches})`.execute(db);
  const matches = new Map<string, MembershipId[]>();
  for (const { key, membership_id } of rows) matches.set(key, [...(matches.get(key) ?? []), membership_id]);
  return matches;
}

async function readMembers(
  db: Db,
  publisherId: string,
  ids: readonly MembershipId[],
): Promise<ReadonlyMap<MembershipId, FoundMember>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{
    membership_id: MembershipId;
    account_id: AccountId;
    name: string;
    group_id: string;
    group_name: string;
    status: MemberStatus;
    tier_name: string | null;
  }>`
    select m.membership_id, m.account_id, a.name, m.group_id, g.name as group_name, m.status, t.name as tier_name
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    left join tier t on t.publisher_id = ${publisherId} and t.tier_id = m.tier_id
    where m.publisher_id = ${publisherId} and m.membership_id = any(${ids}::uuid[]) and ${stands('m')}`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.membership_id,
      {
        memberId: row.account_id,
        name: row.name,
        groupId: row.group_id,
        groupName: row.group_name,
        status: row.status,
        tier: row.tier_name,
      },
    ]),
  );
}
