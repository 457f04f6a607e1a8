import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../platform/database/tables.generated.ts';
import { latestDeliveries } from '../delivery/read/deliveries-of.ts';

export interface EndpointHealth {
  /** Number of successful deliveries among the latest 50. */
  delivered: number;
  /** Number of permanently failed deliveries among the latest 50. */
  failed: number;
  /** Number of deliveries being retried among the latest 50. */
  retrying: number;
  lastDeliveredAt: Date | null;
  /** Newest event whose last attempt failed, among the latest 50 deliveries; null if there is none. */
  lastFailedEventId: EventId | null;
}

const latest = 50;

export async function readHealth(db: Db, publisherId: string): Promise<Map<EndpointId, EndpointHealth>> {
  const { rows } = await sql<EndpointHealth & { endpoint_id: EndpointId }>`
    select p.endpoint_id, l.delivered, l.failed, l.retrying, l."lastDeliveredAt", l."lastFailedEventId"
    from webhook_endpoint p
    cross join lateral (
      select count(*) filter (where d.status = 'Delivered')::int as delivered,
             count(*) filter (where d.status = 'Failed')::int as failed,
             count(*) filter (where d.status = 'Pending' and d.try_count > 0)::int as retrying,
             max(d.finished_at) filter (where d.status = 'Delivered') as "lastDeliveredAt",
             max(d.event_id::text) filter (where d.status <> 'Delivered' and d.try_count > 0) as "lastFailedEventId",
             count(*) as n
      from (
        select event_id, status, try_count, finished_at
        from ${latestDeliveries(publisherId, { where: sql`endpoint_id = p.endpoint_id`, status: null, size: latest })} each
        order by event_id desc
        limit ${latest}
      ) d
    ) l
    where p.publisher_id = ${publisherId} and l.n > 0`.execute(db);
  return new Map(rows.map(({ endpoint_id, ...health }) => [endpoint_id, health]));
}
