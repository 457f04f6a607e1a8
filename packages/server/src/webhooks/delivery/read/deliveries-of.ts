import { type RawBuilder, sql } from 'kysely';

/** Columns of pending deliveries, with the same names and types as `ended`. */
const pending = sql`
  event_id, endpoint_id, 'Pending' as status, attempt_count, try_count, next_attempt_at, worker_id, created_at,
  null::timestamptz as finished_at`;
const ended = sql`
  event_id, endpoint_id, status, attempt_count, try_count, null::timestamptz as next_attempt_at, null::uuid as worker_id,
  created_at, finished_at`;

/**
 * Returns a relation with a publisher's pending and ended deliveries. Use it only for the deliveries of given events:
 * to find the latest deliveries, the planner may read and sort all of them.
 */
export const deliveriesOf = (publisherId: string): RawBuilder<unknown> => sql`(
  select ${pending}
  from webhook_delivery
  where publisher_id = ${publisherId}
  union all
  select ${ended}
  from webhook_delivery_end
  where publisher_id = ${publisherId})`;

const newestFirst = sql`order by event_id desc, endpoint_id desc`;

/**
 * Returns a relation with a publisher's newest deliveries: up to `size` pending and up to `size` ended deliveries. Both
 * are read by key, so the total number of deliveries doesn't affect the cost. The caller sorts and limits the result.
 * @param where condition on a delivery's columns
 * @param status only deliveries with this status; null for all
 */
export function latestDeliveries(
  publisherId: string,
  { where, status, size }: { where: RawBuilder<unknown>; status: DeliveryStatus | null; size: number },
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (status === null || status === 'Pending')
    parts.push(sql`(
      select ${pending}
      from webhook_delivery
      where publisher_id = ${publisherId} and ${where}
      ${newestFirst}
      limit ${size})`);
  if (status !== 'Pending')
    parts.push(sql`(
      select ${ended}
      from webhook_delivery_end
      where publisher_id = ${publisherId} and ${where} ${status === null ? sql`` : ofStatus[status]}
      ${newestFirst}
      limit ${size})`);
  return sql`(${sql.join(parts, sql` union all `)})`;
}

export type DeliveryStatus = 'Pending' | 'Delivered' | 'Failed';

/** Conditions as literals that include the predicate of the partial index on undelivered deliveries. */
const ofStatus = {
  Failed: sql`and status = 'Failed' and status <> 'Delivered'`,
  Delivered: sql`and status = 'Delivered'`,
};
