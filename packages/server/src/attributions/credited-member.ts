import { type RawBuilder, sql } from 'kysely';
import { standing } from '../members/standing.ts';

/**
 * Joins a row of `attribution` with two memberships: `recorded`, the membership that the row was recorded
 * for, and `m`, the membership that is credited now. `m` is the same membership unless `recorded` was merged
 * into another one. `offset 0` forces one lookup by key per row, even if the planner has no statistics.
 * @param row alias with a `membership_id`
 * @param column the only column that is read from `m`
 */
export const joinCreditedMember = (
  publisherId: string,
  row: string,
  column: 'account_id' | 'player_id',
): RawBuilder<unknown> => sql`
  cross join lateral (
    select *
    from membership
    where publisher_id = ${publisherId} and membership_id = ${sql.ref(`${row}.membership_id`)}
    offset 0
  ) recorded
  cross join lateral (
    select ${sql.ref(column)}
    from membership
    where publisher_id = ${publisherId} and membership_id = ${standing('recorded')}
    offset 0
  ) m`;
