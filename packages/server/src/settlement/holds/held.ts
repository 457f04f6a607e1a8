import { type RawBuilder, sql } from 'kysely';
import { isAccountOf, mergedInto, standingAt } from '../../members/standing.ts';
import type { HoldId, MembershipId } from '../../platform/database/tables.generated.ts';

/*
 * Conditions for holds at a payout's cutoff. Placing and releasing a hold have times on the service's clock, and
 * commit entirely before or after a cutoff. The end of a hold is on the publisher's clock. Comparing all of them
 * with the cutoff gives a preview with an earlier cutoff the holds of that time.
 */

export interface HoldScope {
  publisherId: string;
  /** Cutoff on the service's clock. */
  asOf: Date;
  /** Cutoff on the publisher's clock. */
  clockAt: Date;
}

/** Returns the join from a hold `h` to its release `r`. */
export const joinRelease = (publisherId: string): RawBuilder<unknown> => sql`
  left join payment_hold_release r on r.publisher_id = ${publisherId} and r.hold_id = h.hold_id`;

/** Returns a condition for a hold `h` with the release `r` that was in effect at the cutoff. */
const isInEffect = ({ asOf, clockAt }: HoldScope): RawBuilder<boolean> => sql<boolean>`
  (h.placed_at <= ${asOf} and (h.ends_at is null or h.ends_at > ${clockAt})
   and (r.released_at is null or r.released_at > ${asOf}))`;

/** Returns a condition for a hold that was placed after the cutoff and was not released. */
const isPlacedSince = ({ asOf }: HoldScope): RawBuilder<boolean> => sql<boolean>`
  (h.placed_at > ${asOf} and r.hold_id is null)`;

const ofRow = ({ publisherId }: HoldScope, row: string): RawBuilder<unknown> => sql`
  from payment_hold h
  ${joinRelease(publisherId)}
  where p.has_holds and h.publisher_id = ${publisherId} and h.attribution_id = ${sql.ref(row)}`;

/**
 * Returns the id of the hold that kept a row out of payouts at the cutoff; null if there was none. Looks for holds only
 * if the row's payment `p` has ever had one.
 * @param row the column with the row's id
 */
export const holdOfRow = (scope: HoldScope, row: string): RawBuilder<HoldId | null> => sql`
  case when p.has_holds then (select h.hold_id ${ofRow(scope, row)} and ${isInEffect(scope)} limit 1) end`;

/** Returns a condition for a row on which a hold was placed after the cutoff. */
export const isRowHeldSince = (scope: HoldScope, row: string): RawBuilder<boolean> => sql<boolean>`
  (p.has_holds is true and exists (select 1 ${ofRow(scope, row)} and ${isPlacedSince(scope)}))`;

/** Returns a condition for a row that no hold keeps out of a payout, neither at the cutoff nor since. */
export const isRowUnheld = (scope: HoldScope, row: string): RawBuilder<boolean> => sql<boolean>`
  (p.has_holds is not true or not exists (
    select 1 ${ofRow(scope, row)} and (${isInEffect(scope)} or ${isPlacedSince(scope)})))`;

/** Returns a condition for a row that was on hold at the cutoff, and whose hold was released later. */
export const isRowReleasedSince = (scope: HoldScope, row: string): RawBuilder<boolean> => sql<boolean>`
  (p.has_holds is true and exists (
    select 1 ${ofRow(scope, row)} and ${isInEffect(scope)} and r.hold_id is not null))`;

/**
 * Returns the holds of a group's members, one row for each membership that was standing at the cutoff: `hold_ids`, the
 * holds in effect at the cutoff; `is_held_since`, true if another hold was placed later; and `is_released_since`, true
 * if all holds in effect at the cutoff were released later. A hold on any of the merged memberships holds the member.
 * @param membershipIds memberships of the only members to read; null for all members of the group
 */
export const holdsOfMembers = (
  scope: HoldScope,
  groupId: string,
  membershipIds: readonly MembershipId[] | null = null,
): RawBuilder<unknown> => sql`
  select ${standingAt(scope.publisherId, 'held', scope.asOf)} as membership_id,
         array_agg(h.hold_id order by h.hold_id) filter (where ${isInEffect(scope)}) as hold_ids,
         bool_or(${isPlacedSince(scope)}) as is_held_since,
         bool_and(r.hold_id is not null) filter (where ${isInEffect(scope)}) as is_released_since
  from payment_hold h
  ${joinRelease(scope.publisherId)}
  join membership own
    on own.publisher_id = ${scope.publisherId} and own.account_id = h.account_id and own.group_id = ${groupId}
   and (h.group_id is null or h.group_id = own.group_id)
  cross join lateral (
    select own.*
    union all
    -- Memberships that were separate at the cutoff, and that a later hold of their member holds, too.
    select merged.*
    from membership merged
    where merged.publisher_id = ${scope.publisherId} and ${mergedInto('merged')} = own.membership_id
      and ${isPlacedSince(scope)}
  ) held
  where h.publisher_id = ${scope.publisherId} and h.account_id is not null
    and ${isAccountOf('h.account_id', scope.publisherId, membershipIds)}
    and (${isInEffect(scope)} or ${isPlacedSince(scope)})
  group by 1`;

/** Returns a condition for a hold `h` with the release `r` that is open at a time on the publisher's clock. */
export const isOpenAt = (clockAt: Date): RawBuilder<boolean> => sql<boolean>`
  (r.hold_id is null and (h.ends_at is null or h.ends_at > ${clockAt}))`;
