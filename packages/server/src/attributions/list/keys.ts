import { type RawBuilder, sql } from 'kysely';
import type { PageKey } from '../../platform/page.ts';
import { asked, beyond, inGroups, isUnder, order, type Place, type TransactionListing } from './listing.ts';

/** Which of the rows that a place has are taken, from the first. */
export interface Taken {
  after: PageKey | null;
  /** A further condition on `transaction_date`. */
  from?: RawBuilder<unknown>;
  limit: RawBuilder<unknown>;
}

/** The first rows in order, straight from an index; of several memberships the first rows of each. */
export const rowsInOrder = (
  listing: TransactionListing,
  place: Exclude<Place, { by: 'code' }>,
  taken: Taken,
): RawBuilder<unknown> =>
  firstOf(listing, place, {
    columns: sql`attribution_id, transaction_date`,
    ordered: order(listing.direction),
    ...taken,
  });

/** The dates of the first rows in order, which an index of dates has by itself. */
export const datesInOrder = (
  listing: TransactionListing,
  place: Exclude<Place, { by: 'code' }>,
  taken: Omit<Taken, 'after'>,
): RawBuilder<unknown> =>
  firstOf(listing, place, {
    columns: sql`transaction_date`,
    ordered: listing.direction === 'asc' ? sql`transaction_date` : sql`transaction_date desc`,
    after: null,
    ...taken,
  });

/** What of rows is read, and by what it is in order. */
interface Reading extends Taken {
  columns: RawBuilder<unknown>;
  ordered: RawBuilder<unknown>;
}

function firstOf(
  listing: TransactionListing,
  place: Exclude<Place, { by: 'code' }>,
  reading: Reading,
): RawBuilder<unknown> {
  switch (place.by) {
    case 'group':
      return firstOfGroups(listing, sql`true`, reading);
    case 'origin':
      return firstOfGroups(listing, place.among, reading);
    case 'transactions':
      return firstRows(
        listing,
        sql`${inGroups(listing)} and ${place.among}`,
        reading,
        rowsOf(listing, place),
      );
    case 'members': {
      const [only, ...others] = place.memberships;
      if (others.length === 0) return firstRows(listing, sql`membership_id = ${only}::uuid`, reading);
      return sql`
        select ${reading.columns}
        from unnest(${place.memberships}::uuid[]) as one (id)
        cross join lateral (${firstRows(listing, sql`membership_id = one.id`, reading)}) first_rows
        order by ${reading.ordered}
        limit ${reading.limit}`;
    }
  }
}

/** The first rows of the groups together: of several the first of each, and of these the first. */
function firstOfGroups(
  listing: TransactionListing,
  among: RawBuilder<unknown>,
  reading: Reading,
): RawBuilder<unknown> {
  const { groupIds } = listing;
  if (groupIds === null) throw new Error('a listing by date names its groups');
  const [only, ...others] = groupIds;
  if (others.length === 0) return firstRows(listing, sql`group_id = ${only} and ${among}`, reading);
  return sql`
    select ${reading.columns}
    from unnest(${[...groupIds]}::text[]) as one (id)
    cross join lateral (${firstRows(listing, sql`group_id = one.id and ${among}`, reading)}) first_rows
    order by ${reading.ordered}
    limit ${reading.limit}`;
}

/** The rows of some purchases, found by their ids whatever the planner knows. */
const rowsOf = (
  { publisherId }: TransactionListing,
  { transactionIds }: Extract<Place, { by: 'transactions' }>,
): RawBuilder<unknown> => sql`
  (
    select *
    from attribution
    where publisher_id = ${publisherId} and transaction_id = any(${[...transactionIds]}::text[])
    offset 0
  ) attribution`;

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
    { columns: sql`attribution_id, transaction_date`, ordered: order(listing.direction), ...taken },
  )}) first_rows
  order by ${order(listing.direction)}`;

const firstRows = (
  listing: TransactionListing,
  range: RawBuilder<unknown>,
  { columns, ordered, after, from = sql``, limit }: Reading,
  rows: RawBuilder<unknown> = sql`attribution`,
): RawBuilder<unknown> => sql`
  select ${columns}
  from ${rows}
  where ${asked(listing)} and ${range} ${beyond(after, listing.direction)} ${from}
  order by ${ordered}
  limit ${limit}`;
