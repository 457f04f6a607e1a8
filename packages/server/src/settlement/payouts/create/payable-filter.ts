import { type RawBuilder, sql } from 'kysely';
import type { MembershipId } from '../../../platform/database/tables.generated.ts';

/** Part of a group's amounts due to read. */
export interface PayableFilter {
  /** Null for all currencies. */
  currency: string | null;
  /** Memberships of the only member to read; absent for all members of the group. */
  membershipIds?: readonly MembershipId[] | null;
  /** End of the days whose sums are used instead of their rows; absent to read all rows. */
  sumsUntil?: Date | null;
}

/** Returns a condition that selects the memberships to read from a relation with the column `membership_id`. */
export const isMember = ({ membershipIds = null }: PayableFilter, of: string): RawBuilder<unknown> =>
  membershipIds === null
    ? sql`true`
    : sql`${sql.ref(`${of}.membership_id`)} = any(${[...membershipIds]}::uuid[])`;

/** Returns a condition that selects the amounts to read from a relation with `membership_id` and `currency`. */
export const isWanted = (filter: PayableFilter, of: string): RawBuilder<unknown> =>
  filter.currency === null
    ? isMember(filter, of)
    : sql`(${sql.ref(`${of}.currency`)} = ${filter.currency} and ${isMember(filter, of)})`;
