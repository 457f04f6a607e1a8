import { type RawBuilder, sql } from 'kysely';
import { isAccountOf, mergedInto, standingAt, stands } from '../../members/standing.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import type { PayoutNeeds } from '../../publishers/payout-needs.ts';
import type { HoldScope } from '../holds/held.ts';

/*
 * Conditions for gates at a payout's cutoff. As with holds, setting and ending a gate have times on the service's clock,
 * and commit entirely before or after a cutoff. The period of a gate is on the publisher's clock. All of
 * them are compared with the cutoff, so that a preview with an earlier cutoff uses the gates of that time.
 */

/** Kinds of gates. `tax`: a clearance, which payouts may need. `review`: keeps a creator out of payouts. */
export const gateKinds = ['tax', 'review'] as const;
export type GateKind = (typeof gateKinds)[number];

/** Scope of a payout, with what its payments require. */
export interface GateScope extends HoldScope {
  needs: PayoutNeeds;
}

/** Returns the join from a gate `g` to its end `e`. */
export const joinEnd = (publisherId: string): RawBuilder<unknown> => sql`
  left join payee_gate_end e on e.publisher_id = ${publisherId} and e.gate_id = g.gate_id`;

/** Returns a condition for a gate `g` whose period contains a time on the publisher's clock. */
const isWithin = (clockAt: Date): RawBuilder<boolean> => sql<boolean>`
  (g.from_at <= ${clockAt} and (g.until_at is null or g.until_at > ${clockAt}))`;

/** Returns a condition for a gate `g` with the end `e` that was in effect at the cutoff. */
const isInEffect = ({ asOf, clockAt }: HoldScope): RawBuilder<boolean> => sql<boolean>`
  (g.set_at <= ${asOf} and ${isWithin(clockAt)} and (e.ended_at is null or e.ended_at > ${asOf}))`;

/** Returns a condition for a gate `g` with the end `e` that was set after the cutoff, but still affects the payout. */
const isSetSince = ({ asOf, clockAt }: HoldScope): RawBuilder<boolean> => sql<boolean>`
  (g.set_at > ${asOf} and e.gate_id is null and (g.until_at is null or g.until_at > ${clockAt}))`;

/**
 * Returns the gates of a group's members, one row for each membership that was standing at the cutoff and has gates:
 * `is_cleared`, true if a tax clearance was valid at the cutoff; `review_ids`, the reviews in effect at the cutoff;
 * `is_review_since` and `is_uncleared_since`, true if a review began, or all clearances were ended, after the cutoff. A
 * review of any of the merged memberships' accounts applies; the clearance must be the member's own.
 * @param membershipIds memberships of the only members to read; null for all members of the group
 */
export const gatesOfMembers = (
  scope: HoldScope,
  groupId: string,
  membershipIds: readonly MembershipId[] | null = null,
): RawBuilder<unknown> => sql`
  select membership_id,
         coalesce(bool_or(is_own and kind = 'tax' and is_in_effect), false) as is_cleared,
         array_agg(gate_id order by gate_id) filter (where kind = 'review' and is_in_effect) as review_ids,
         coalesce(bool_or(kind = 'review' and is_set_since), false) as is_review_since,
         coalesce(bool_or(is_own and kind = 'tax' and is_in_effect)
                  and not bool_or(is_own and kind = 'tax' and is_open), false) as is_uncleared_since
  from (
    select ${standingAt(scope.publisherId, 'gated', scope.asOf)} as membership_id, g.gate_id, g.kind,
           (${stands('gated')} or gated.merged_at > ${scope.asOf}) as is_own,
           ${isInEffect(scope)} as is_in_effect, ${isSetSince(scope)} as is_set_since,
           e.gate_id is null and ${isWithin(scope.clockAt)} as is_open
    from payee_gate g
    ${joinEnd(scope.publisherId)}
    join membership own
      on own.publisher_id = ${scope.publisherId} and own.account_id = g.account_id and own.group_id = ${groupId}
    cross join lateral (
      select own.*
      union all
      -- Memberships that were separate at the cutoff, and that a later review of their member concerns, too.
      select merged.*
      from membership merged
      where merged.publisher_id = ${scope.publisherId} and ${mergedInto('merged')} = own.membership_id
        and g.kind = 'review' and ${isSetSince(scope)}
    ) gated
    where g.publisher_id = ${scope.publisherId} and ${isAccountOf('g.account_id', scope.publisherId, membershipIds)}
  ) gate
  group by 1`;

/**
 * Returns a condition for a member that gates keep out of a payout.
 * @param gated relation `gatesOfMembers`, left joined
 */
export const isGated = ({ needs }: GateScope, gated: string): RawBuilder<boolean> => {
  const column = (name: string): RawBuilder<unknown> => sql`${sql.ref(`${gated}.${name}`)}`;
  return sql<boolean>`(${column('review_ids')} is not null or (${needs.taxCleared} and ${column('is_cleared')} is not true))`;
};

/** Returns a condition for a gate `g` with the end `e` that is open at a time on the publisher's clock, now or later. */
export const isGateOpenAt = (clockAt: Date): RawBuilder<boolean> => sql<boolean>`
  (e.gate_id is null and (g.until_at is null or g.until_at > ${clockAt}))`;
