import { type RawBuilder, sql } from 'kysely';

/** Columns of both tables, the same names and types. */
const onTheirWay = sql`
  event_id, endpoint_id, 'Pending' as status, attempt_count, try_count, next_attempt_at, worker_id, created_at,
  null::timestamptz as finished_at`;
const ended = sql`
  event_id, endpoint_id, status, attempt_count, try_count, null::timestamptz as next_attempt_at, null::uuid as worker_id,
  created_at, finished_at`;

/**
 * A publisher's deliveries, those that are on their way and those that have ended, as a relation. Only for a few, named
 * by their events: asked for the latest, the planner may read all of them and sort.
 */
export const deliveriesOf = (publisherId: string): RawBuilder<unknown> => sql`(
  select ${onTheirWay}
  from webhook_delivery
  where publisher_id = ${publisherId}
  union all
  select ${ended}
  from webhook_delivery_end
  where publisher_id = ${publisherId})`;

/** Newest first. */
const newestFirst = sql`order by event_id desc, endpoint_id desc`;

/**
 * The newest of a publisher's deliveries, as a relation: so many of those on their way and as many of those that have ended,
 * each read by their key, however many there are. Whoever asks sorts and cuts them.
 * @param where what is asked of a delivery, in its columns
 * @param status those alone
 */
export function latestDeliveries(
  publisherId: string,
  { where, status, size }: { where: RawBuilder<unknown>; status: DeliveryStatus | null; size: number },
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (status === null || status === 'Pending')
    parts.push(sql`(
      select ${onTheirWay}
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

/** Written out, with what the partial index of the undelivered asks for. */
const ofStatus = {
  Failed: sql`and status = 'Failed' and status <> 'Delivered'`,
  Delivered: sql`and status = 'Delivered'`,
};
