import { type RawBuilder, sql } from 'kysely';

/**
 * Makes the planner use indexes for the rest of the transaction, because its statistics may be from a time when a table
 * was empty or had rows for only one member. Memoize is off because no row is looked up twice.
 */
export const pinPlans = sql`
  set_config('enable_seqscan', 'off', true), set_config('enable_memoize', 'off', true), set_config('jit', 'off', true)`;

/**
 * Variant of `pinPlans` for joins that must look up rows one by one by key and never read all of a publisher's rows in
 * a table.
 */
export const pinLookUps = sql`
  ${pinPlans}, set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/**
 * Returns a condition that is always true for non-null columns but that the planner expects to match few rows, because
 * it has no statistics on expressions. Each additional column lowers the estimate. The planner then looks up the joined
 * rows one by one by key, even if it expects even fewer rows from the other table (for example, because that table was
 * empty when it was last analyzed).
 */
export const looksRareToPlanner = (...columns: [string, ...string[]]): RawBuilder<boolean> =>
  sql.join(
    columns.map((column) => sql`(${sql.ref(column)}::text || '') = ('' || ${sql.ref(column)}::text)`),
    sql` and `,
  );
