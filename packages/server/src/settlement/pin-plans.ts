import { type RawBuilder, sql } from 'kysely';

/**
 * For the rest of a transaction rows are found by indexes: what a planner knows of a table may be from when it was empty,
 * or had one member. No row is looked up twice, so that what was found need not be kept.
 */
export const pinPlans = sql`
  set_config('enable_seqscan', 'off', true), set_config('enable_memoize', 'off', true), set_config('jit', 'off', true)`;

/** The same, and what is joined is looked up by key, one by one: never by reading all that a publisher has of a table. */
export const pinLookUps = sql`
  ${pinPlans}, set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/**
 * Always true of columns that are not null, and taken for a rarity by the planner, which knows no statistics of
 * expressions: the more columns, the fewer rows it expects. So what is joined to them is looked up by key, row by row, even
 * where a publisher's rows of the other table are taken for fewer still, as of a table that was empty when it was looked at
 * last.
 */
export const takenForRare = (...columns: [string, ...string[]]): RawBuilder<boolean> =>
  sql.join(
    columns.map((column) => sql`(${sql.ref(column)}::text || '') = ('' || ${sql.ref(column)}::text)`),
    sql` and `,
  );
