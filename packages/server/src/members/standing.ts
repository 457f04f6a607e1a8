import { type RawBuilder, sql } from 'kysely';
import type { MembershipId } from '../platform/database/tables.generated.ts';

/*
 * A member may be several memberships (docs/adr/0012-merged-memberships.md): one stands, and others were merged into it,
 * each in one step. Rows keep the membership that they were made with. What follows is said in terms of a membership's
 * alias in the statement that it is for, and is the only place that knows how the pointer is stored.
 */

/** The membership that stands where this one was: itself, or the one that it was merged into. */
export const standing = (alias: string): RawBuilder<MembershipId> =>
  sql`coalesce(${mergedInto(alias)}, ${sql.ref(`${alias}.membership_id`)})`;

/** The same as it was at a moment. */
export const standingAt = (alias: string, at: Date | RawBuilder<Date>): RawBuilder<MembershipId> => sql`
  case when ${stands(alias)} or ${sql.ref(`${alias}.merged_at`)} > ${at} then ${sql.ref(`${alias}.membership_id`)}
       else ${mergedInto(alias)} end`;

/** Whether a membership stands. */
export const stands = (alias: string): RawBuilder<boolean> => sql`${mergedInto(alias)} is null`;

/** What a membership was merged into; null while it stands. */
export const mergedInto = (alias: string): RawBuilder<MembershipId | null> =>
  sql`${sql.ref(`${alias}.merged_into`)}`;

/** Joins the membership `recorded` that a row was made with, and `m`, the one that stands for it. */
export const joinMember = (row: string): RawBuilder<unknown> => {
  const publisherId = sql.ref(`${row}.publisher_id`);
  return sql`
    join membership recorded
      on recorded.publisher_id = ${publisherId} and recorded.membership_id = ${sql.ref(`${row}.membership_id`)}
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('recorded')}`;
};
