import { type RawBuilder, sql } from 'kysely';

/** Maximum length of a reference, which every provider's payment file has room for. */
export const maxReferenceLength = 15;

/**
 * Returns the reference of a payout's line as SQL: the payout's number, a dash, and the line's number with at
 * least five digits, such as `1042-00017`. A database constraint limits its length.
 */
export const referenceOf = (number: RawBuilder<unknown>, line: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${number} || '-' || case when ${line} > 99999 then (${line})::text else lpad((${line})::text, 5, '0') end`;
