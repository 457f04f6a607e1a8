import { type RawBuilder, sql } from 'kysely';
import { standing } from '../members/standing.ts';

/**
 * Joins a row of `attribution` with the membership it was recorded for, as `recorded`, and with the currently
 * credited membership, as `m`. `m` is either the same membership or the membership that it was merged into.
 * `offset 0` forces one lookup by key per row, even if the planner has no statistics.
 * @param row alias with a `membership_id`
 * @param column the only column of `m`
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
