import { type RawBuilder, sql } from 'kysely';
import type { MembershipId } from '../platform/database/tables.generated.ts';

/*
 * A member may have several memberships (docs/adr/0012-merged-memberships.md): one is standing, and the others were
 * merged directly into it. Rows keep the membership they were recorded with. Each function here takes the alias of a
 * membership in the SQL statement. Only this file depends on how the merge pointer is stored.
 */

/** Builds an expression for the id of the standing membership: the given one, or the one it was merged into. */
export const standing = (alias: string): RawBuilder<MembershipId> =>
  sql`coalesce(${mergedInto(alias)}, ${sql.ref(`${alias}.membership_id`)})`;

/**
 * Builds an expression for the id of the membership that was standing at a given time. If the pointer was moved on since then,
 * it is the membership whose merge moved it. Only the last move is stored: if several memberships were merged one into another
 * since then, it is the last of them.
 */
export const standingAt = (
  publisherId: string,
  alias: string,
  at: Date | RawBuilder<Date>,
): RawBuilder<MembershipId> => {
  const membership = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`
  case when ${stands(alias)} or ${membership('merged_at')} > ${at} then ${membership('membership_id')}
       when ${membership('pointed_on_at')} > ${at} then coalesce((
         select moved.membership_id
         from membership moved
         where moved.publisher_id = ${publisherId} and ${mergedInto('moved')} = ${mergedInto(alias)}
           and moved.merged_at = ${membership('pointed_on_at')}
         limit 1
       ), ${mergedInto(alias)})
       else ${mergedInto(alias)} end`;
};

export const stands = (alias: string): RawBuilder<boolean> => sql`${mergedInto(alias)} is null`;

/**
 * Builds an expression for the id of the membership that the given one was merged into; null for a standing membership.
 */
export const mergedInto = (alias: string): RawBuilder<MembershipId | null> =>
  sql`${sql.ref(`${alias}.merged_into`)}`;

/**
 * Builds a condition for a column with an account whose membership belongs to the same member as one of
 * `membershipIds`. Null means all members. The accounts are read once, before the rest of the statement.
 */
export function isAccountOf(
  column: string,
  publisherId: string,
  membershipIds: readonly MembershipId[] | null,
): RawBuilder<boolean> {
  if (membershipIds === null) return sql`true`;
  const accountsOf = (membership: RawBuilder<MembershipId | null>): RawBuilder<unknown> => sql`
    select each_of.account_id
    from membership i
    join membership each_of on each_of.publisher_id = ${publisherId} and ${membership} = ${standing('i')}
    where i.publisher_id = ${publisherId} and i.membership_id = any(${[...membershipIds]}::uuid[])`;
  return sql`${sql.ref(column)} = any(array(
    ${accountsOf(sql.ref('each_of.membership_id'))} union all ${accountsOf(mergedInto('each_of'))}))`;
}

/**
 * Builds the joins from a row to the membership it was recorded with (`recorded`) and to the standing membership (`m`).
 */
export const joinMember = (row: string): RawBuilder<unknown> => {
  const publisherId = sql.ref(`${row}.publisher_id`);
  return sql`
    join membership recorded
      on recorded.publisher_id = ${publisherId} and recorded.membership_id = ${sql.ref(`${row}.membership_id`)}
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('recorded')}`;
};
