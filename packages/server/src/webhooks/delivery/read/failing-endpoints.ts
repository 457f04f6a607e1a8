import { sql } from 'kysely';

/** How many endpoints are on and failed at their last attempt, of all publishers: a scalar in SQL. */
export const failingEndpoints = sql`(
  select count(*) from webhook_endpoint where is_enabled and failing_since is not null)`;
