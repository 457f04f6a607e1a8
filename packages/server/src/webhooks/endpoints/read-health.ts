import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId, EventId } from '../../platform/database/tables.generated.ts';
import { latestDeliveries } from '../delivery/read/deliveries-of.ts';

/** Results of an endpoint's latest deliveries. */
export interface EndpointHealth {
  /** Number of the latest 50 deliveries that were delivered. */
  delivered: number;
  /** Number of the latest 50 deliveries that failed permanently. */
  failed: number;
  /** Number of the latest 50 deliveries that are being retried. */
  retrying: number;
  lastDeliveredAt: Date | null;
  /** Newest event, of the latest 50, whose last attempt failed. */
  lastFailedEventId: EventId | null;
}

const latest = 50;

/** Reads the health of every endpoint with deliveries. */
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
