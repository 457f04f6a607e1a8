import { sql } from 'kysely';
import { isPosted } from '../../attributions/posted.ts';
import type { Db } from '../../platform/database/database.ts';
import { partsOf, type StaffListing } from './staff-listing.ts';

/**
 * Maximum number of rows that are added up, so that the request stays short, because each row is read by its key. On a
 * busy machine with a million rows, 20,000 took 170 to 290 ms with most filters, and 290 to 520 ms over all groups with the oldest first; 50,000 took
 * 0.5 to 3.4 s.
 */
const maxSummed = 20_000;

export interface SumsOfCurrency {
  currency: string;
  /** Number of rows, without tests. */
  rowCount: number;
  /** Sum of the subtotals, including those of rows that were reversed later. */
  grossMinor: bigint;
  /** Sum of the shares of posted rows, including those that were reversed later. */
  shareMinor: bigint;
  /** Part of `shareMinor` that was reversed. */
  reversedShareMinor: bigint;
}

export interface ListedSums {
  /** False if only the first rows were added up, because there are more than `maxRows`. */
  isExact: boolean;
  maxRows: number;
  currencies: SumsOfCurrency[];
}

/**
 * Adds up the rows of a listing by currency. Tests are left out. No stored sums exist by status, code and time, so rows are
 * read, and of a long listing only the first ones.
 * @throws Refusal InvalidGroup
 */
export async function sumForStaff(
  db: Db,
  staffListing: StaffListing,
  maxRows = maxSummed,
): Promise<ListedSums> {
  const { publisherId } = staffListing;
  const { keys } = await partsOf(db, { ...staffListing, pageSize: maxRows });
  const found = keys(null);
  if (found === null) return { isExact: true, maxRows, currencies: [] };
  const { rows } = await sql<{
    currency: string;
    is_test: boolean;
    n: bigint;
    gross: string;
    share: string;
    reversed: string;
  }>`
    select a.currency, a.is_test, count(*) as n, sum(a.subtotal_minor)::text as gross,
           sum(case when a.is_posted then a.share_minor else 0 end)::text as share,
           sum(case when not a.is_posted then 0
                    when a.status = 'Normal' then coalesce(p.reversed_minor, 0)
                    else a.share_minor end)::text as reversed
    from (${found}) k
    cross join lateral (
      select w.attribution_id, w.currency, w.is_test, w.status, w.subtotal_minor, w.share_minor,
             not w.is_test and ${isPosted(publisherId, 'w')} as is_posted
      from attribution w
      where w.publisher_id = ${publisherId} and w.attribution_id = k.attribution_id
      offset 0
    ) a
    left join lateral (
      select reversed_minor
      from payment
      where publisher_id = ${publisherId} and attribution_id = a.attribution_id
      offset 0
    ) p on true
    group by a.currency, a.is_test
    order by a.currency`.execute(db);
  return {
    isExact: rows.reduce((count, { n }) => count + Number(n), 0) <= maxRows,
    maxRows,
    currencies: rows
      .filter(({ is_test: isTest }) => !isTest)
      .map(({ currency, n, gross, share, reversed }) => ({
        currency,
        rowCount: Number(n),
        grossMinor: BigInt(gross),
        shareMinor: BigInt(share),
        reversedShareMinor: BigInt(reversed),
      })),
  };
}
