import { type RawBuilder, sql } from 'kysely';
import { stands } from '../standing.ts';

/*
 * Codes that don't credit a member are rare, so finding them by scanning all codes or looking up each one would be
 * slow. Instead, if a publisher has few enough members, each query collects all of its candidates.
 */

/** Builds the condition that a group code `own` or its member isn't approved. */
export const ownMayBeRefused = (publisherId: string): RawBuilder<boolean> => sql`
  (not own.is_approved or own.membership_id in (
    select m.membership_id
    from membership m
    where m.publisher_id = ${publisherId} and m.status <> 'Approved'
    offset 0
  ))`;

/**
 * Selects rows of `global_code` that aren't approved, whose creators aren't approved, or that are shadowed by a group
 * code. The creators' accounts are passed as arrays, so that the index finds each element without a nested loop.
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
