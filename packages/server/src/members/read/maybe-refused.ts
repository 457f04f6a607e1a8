import { type RawBuilder, sql } from 'kysely';
import { stands } from '../standing.ts';

/*
 * Codes that credit nobody are rare, so they are not met by walking along all codes, nor by a look-up for each: what may be
 * one is collected by reading sets. Each set is of one publisher, whose members are few enough to be gone through.
 */

/** Of a group's own codes `own`: that one is not approved, or its member is not. */
export const ownMayBeRefused = (publisherId: string): RawBuilder<boolean> => sql`
  (not own.is_approved or own.membership_id in (
    select m.membership_id
    from membership m
    where m.publisher_id = ${publisherId} and m.status <> 'Approved'
    offset 0
  ))`;

/**
 * Rows of `global_code`: those that are not approved, those of creators who are not, and those that a group has, too. What
 * is looked up by creators stands in arrays, each element of which is found by the index without a join in turns.
 */
export function globalThatMayBeRefused(
  publisherId: string,
  groupId: string | undefined,
): RawBuilder<unknown> {
  const inGroup = (alias: 'm' | 'own'): RawBuilder<unknown> =>
    groupId === undefined ? sql`` : sql`and ${sql.ref(`${alias}.group_id`)} = ${groupId}`;
  const accounts = (which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    array(
      select m.account_id
      from membership m
      where m.publisher_id = ${publisherId} and ${stands('m')} ${inGroup('m')} and ${which}
    )`;
  return sql`
    select c.*
    from global_code c
    where c.account_id = any(${accounts(sql`true`)}) and not c.is_approved
    union
    select c.*
    from global_code c
    where c.account_id = any(${accounts(sql`m.status <> 'Approved'`)})
    union
    select c.*
    from group_code own
    cross join lateral (select c.* from global_code c where c.code_folded = own.code_folded offset 0) c
    where own.publisher_id = ${publisherId} ${inGroup('own')} and own.is_approved`;
}
