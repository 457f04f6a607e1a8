import { type RawBuilder, sql } from 'kysely';
import type { PageKey } from '../../platform/page.ts';
import { asked, beyond, isUnder, order, type Place, type TransactionListing } from './listing.ts';

/** Which of the rows that a place has are taken, from the first. */
export interface Taken {
  after: PageKey | null;
  /** A further condition on `transaction_date`. */
  from?: RawBuilder<unknown>;
  limit: RawBuilder<unknown>;
}

/** The first rows in order, straight from an index; of several memberships the first rows of each. */
export function rowsInOrder(
  listing: TransactionListing,
  place: Exclude<Place, { by: 'code' }>,
  taken: Taken,
): RawBuilder<unknown> {
  switch (place.by) {
    case 'group':
      return firstRows(listing, sql`group_id = ${listing.groupId}`, taken);
    case 'origin':
      return firstRows(listing, sql`group_id = ${listing.groupId} and ${place.among}`, taken);
    case 'members': {
      const [only, ...others] = place.memberships;
      if (others.length === 0) return firstRows(listing, sql`membership_id = ${only}::uuid`, taken);
      return sql`
        select attribution_id, transaction_date
        from unnest(${place.memberships}::uuid[]) as one (id)
        cross join lateral (${firstRows(listing, sql`membership_id = one.id`, taken)}) first_rows
        order by ${order(listing.direction)}
        limit ${taken.limit}`;
    }
  }
}

/** The first rows under a code of each member's days that are in `chosen` (counts.ts), in order. */
export const rowsUnderCode = (
  listing: TransactionListing,
  folded: string,
  taken: Taken,
): RawBuilder<unknown> => sql`
  select attribution_id, transaction_date
  from chosen
  join day_of_member d on d.starts = chosen.starts
  cross join lateral (${firstRows(
    listing,
    sql`
      membership_id = d.membership_id and ${isUnder(folded)}
      and transaction_date >= d.starts and transaction_date < d.starts + interval '24 hours'`,
    taken,
  )}) first_rows
  order by ${order(listing.direction)}`;

const firstRows = (
  listing: TransactionListing,
  range: RawBuilder<unknown>,
  { after, from = sql``, limit }: Taken,
): RawBuilder<unknown> => sql`
  select attribution_id, transaction_date
  from attribution
  where ${asked(listing)} and ${range} ${beyond(after, listing.direction)} ${from}
  order by ${order(listing.direction)}
  limit ${limit}`;
