import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';

/** Delay above which a delivery is overdue. An attempt normally starts within a second of its time. */
const lateMs = 60_000;

/**
 * Reads when the oldest overdue delivery of each endpoint should have been attempted. Endpoints that are off, listeners
 * and endpoints without an overdue delivery are left out. Reads one index entry for each endpoint.
 */
export async function readOverdue(db: Db, publisherId: string, now: Date): Promise<Map<EndpointId, Date>> {
  const lateSince = new Date(now.getTime() - lateMs);
  const { rows } = await sql<{ endpoint_id: EndpointId; next_attempt_at: Date }>`
    select p.endpoint_id, late.next_attempt_at
    from webhook_endpoint p
    cross join lateral (
      select d.next_attempt_at
      from webhook_delivery d
      where d.publisher_id = ${publisherId} and d.endpoint_id = p.endpoint_id and d.worker_id is null
        and d.next_attempt_at < ${lateSince}
      order by d.next_attempt_at, d.event_id
      limit 1
    ) late
    where p.publisher_id = ${publisherId} and p.is_enabled and p.listener_seen_at is null`.execute(db);
  return new Map(rows.map(({ endpoint_id, next_attempt_at }) => [endpoint_id, next_attempt_at]));
}
