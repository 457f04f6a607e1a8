import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { EndpointId, EventId, WorkerId } from '../../../platform/database/tables.generated.ts';

/**
 * Duration of a worker's lease. When it ends, the worker counts as dead, and other workers continue its deliveries.
 */
const leaseMs = 8_000;

/** Time for which a dead worker's row is kept for investigation. */
const deletedAfterMs = 3_600_000;

/** Heartbeat interval. Together with the lease, it makes a dead worker's deliveries continue within 15 s. */
export const heartbeatMs = 2_000;

/** Renews a worker's lease, on the database's clock, because the clocks of machines differ. */
export async function renewLease(db: Db, workerId: WorkerId): Promise<void> {
  await sql`
    insert into webhook_worker (worker_id, alive_until)
    values (${workerId}, clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}))
    on conflict (worker_id) do update set alive_until = excluded.alive_until`.execute(db);
}

/** Ends a worker's lease and releases its remaining deliveries at once. */
export async function endLease(db: Db, workerId: WorkerId): Promise<void> {
  await sql`delete from webhook_worker where worker_id = ${workerId}::uuid`.execute(db);
  await releaseOrphans(db);
}

/**
 * Returns the condition that a delivery's worker is dead.
 * @param now time on the database's clock
 */
const isOrphan = (now: RawBuilder<unknown> | Date): RawBuilder<unknown> => sql`(d.worker_id is not null
  and not exists (select 1 from webhook_worker w where w.worker_id = d.worker_id and w.alive_until > ${now}))`;

/**
 * Returns the condition that deliveries are lost: assigned to dead workers, or to this worker without being held.
 * @param known number of deliveries that this worker holds
 */
export const areDeliveriesLost = (workerId: WorkerId, known: number): RawBuilder<unknown> => sql`(
  exists (select 1 from webhook_delivery d where ${isOrphan(sql`clock_timestamp()`)})
  or (select count(*) from webhook_delivery where worker_id = ${workerId}::uuid) > ${known}::int)`;

/**
 * Releases dead workers' deliveries. They are due immediately, regardless of the outcome of an attempt in progress.
 * @returns the number released
 */
export async function releaseOrphans(db: Db): Promise<number> {
  const now = await readMoment(db);
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct d.publisher_id from webhook_delivery d where ${isOrphan(now)}`.execute(db);
  let released = 0;
  for (const { publisher_id } of rows) {
    const { numAffectedRows } = await sql`
      update webhook_delivery d
      set worker_id = null
      where d.publisher_id = ${publisher_id} and ${isOrphan(now)}`.execute(db);
    released += Number(numAffectedRows ?? 0);
  }
  await sql`delete from webhook_worker where alive_until < ${new Date(now.getTime() - deletedAfterMs)}`.execute(
    db,
  );
  return released;
}

/** Key of a delivery. */
export interface DeliveryKey {
  publisherId: string;
  endpointId: EndpointId;
  eventId: EventId;
}

/** Returns a delivery's key as text. */
export const nameOf = ({ publisherId, endpointId, eventId }: DeliveryKey): string =>
  `${publisherId}/${endpointId}/${eventId}`;

/** Releases deliveries that a worker took but didn't send. */
export async function release(db: Db, workerId: WorkerId, deliveries: readonly DeliveryKey[]): Promise<void> {
  for (const [publisherId, own] of Map.groupBy(deliveries, (each) => each.publisherId)) {
    await sql`
      update webhook_delivery d
      set worker_id = null
      from unnest(${own.map((each) => each.endpointId)}::text[], ${own.map((each) => each.eventId)}::uuid[])
        as r (endpoint_id, event_id)
      where d.publisher_id = ${publisherId} and d.endpoint_id = r.endpoint_id and d.event_id = r.event_id
        and d.worker_id = ${workerId}::uuid`.execute(db);
  }
}

/** Reads the deliveries assigned to a worker. The worker may hold fewer, if the response to a take was lost. */
export async function takenBy(db: Db, workerId: WorkerId): Promise<DeliveryKey[]> {
  const { rows } = await sql<DeliveryKey>`
    select publisher_id as "publisherId", endpoint_id as "endpointId", event_id as "eventId"
    from webhook_delivery
    where worker_id = ${workerId}::uuid`.execute(db);
  return rows;
}
