import { type RawBuilder, sql } from 'kysely';

/** A publisher's deliveries, those that are on their way and those that have ended, as a relation. */
export const deliveriesOf = (publisherId: string): RawBuilder<unknown> => sql`(
  select event_id, endpoint_id, 'Pending' as status, attempt_count, try_count, next_attempt_at, worker_id, created_at,
         null::timestamptz as finished_at
  from webhook_delivery
  where publisher_id = ${publisherId}
  union all
  select event_id, endpoint_id, status, attempt_count, try_count, null, null, created_at, finished_at
  from webhook_delivery_end
  where publisher_id = ${publisherId})`;
