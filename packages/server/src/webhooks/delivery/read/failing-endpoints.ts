import { sql } from 'kysely';

/** Scalar subquery for the number of enabled endpoints, across all publishers, whose last attempt failed. */
export const failingEndpoints = sql`(
  select count(*) from webhook_endpoint where is_enabled and failing_since is not null)`;
