import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { EndpointId, EventId, WorkerId } from '../../../platform/database/tables.generated.ts';

/** A worker that has not said so for this long is dead, and others go on with what it had. */
const aliveForMs = 8_000;

/** What is kept of a dead one, for whoever wonders. */
const forgottenAfterMs = 3_600_000;

/** How often a worker with something in hand says that it lives, and looks for others that do not: together they stay below 15 s. */
export const heartbeatMs = 2_000;

/** Says that a worker lives. Time is the database's: the clocks of machines differ. */
export async function stayAlive(db: Db, workerId: WorkerId): Promise<void> {
  await sql`
    insert into webhook_worker (worker_id, alive_until)
    values (${workerId}, clock_timestamp() + make_interval(secs => ${aliveForMs / 1_000}))
    on conflict (worker_id) do update set alive_until = excluded.alive_until`.execute(db);
}

/** Says that a worker ends; what it still has is free at once. */
export async function resign(db: Db, workerId: WorkerId): Promise<void> {
  await sql`delete from webhook_worker where worker_id = ${workerId}::uuid`.execute(db);
  await releaseOrphans(db);
}

/** @param now by the database's clock */
const isOrphan = (now: RawBuilder<unknown> | Date): RawBuilder<unknown> => sql`(d.worker_id is not null
  and not exists (select 1 from webhook_worker w where w.worker_id = d.worker_id and w.alive_until > ${now}))`;

/**
 * Whether deliveries are in the hands of nobody, as a condition: of dead workers, or, as far as this worker knows, its own.
 * @param known how many it knows that it has
 */
export const areDeliveriesLost = (workerId: WorkerId, known: number): RawBuilder<unknown> => sql`(
  exists (select 1 from webhook_delivery d where ${isOrphan(sql`clock_timestamp()`)})
  or (select count(*) from webhook_delivery where worker_id = ${workerId}::uuid) > ${known}::int)`;

/**
 * Frees the deliveries of workers that are dead. They are due at once, whatever came of the attempt under way.
 * @returns how many
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
  await sql`delete from webhook_worker where alive_until < ${new Date(now.getTime() - forgottenAfterMs)}`.execute(
    db,
  );
  return released;
}

/** One delivery, by what names it. */
export interface DeliveryKey {
  publisherId: string;
  endpointId: EndpointId;
  eventId: EventId;
}

/** The same as one text. */
export const nameOf = ({ publisherId, endpointId, eventId }: DeliveryKey): string =>
  `${publisherId}/${endpointId}/${eventId}`;

/** Gives deliveries back that a worker took and did not send. */
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

/** All that a worker has, by the database: it may have more than it knows of, when an answer to it was lost. */
export async function takenBy(db: Db, workerId: WorkerId): Promise<DeliveryKey[]> {
  const { rows } = await sql<DeliveryKey>`
    select publisher_id as "publisherId", endpoint_id as "endpointId", event_id as "eventId"
    from webhook_delivery
    where worker_id = ${workerId}::uuid`.execute(db);
  return rows;
}
