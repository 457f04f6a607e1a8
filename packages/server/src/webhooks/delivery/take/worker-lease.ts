import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { EndpointId, EventId, WorkerId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';

/**
 * Duration of a worker's lease. When it ends, the worker counts as dead, and other workers take over its deliveries.
 */
const leaseMs = 8_000;

/** Retention period for a dead worker's row, which may be needed for an investigation. */
const deletedAfterMs = 3_600_000;

/**
 * Heartbeat interval. With the duration of the lease, it ensures that a dead worker's deliveries are resumed within 15
 * s.
 */
export const heartbeatMs = 2_000;

const checkEveryMs = 4_000;

export interface DeliveryKey {
  publisherId: string;
  endpointId: EndpointId;
  eventId: EventId;
}

/** Lease of this process's worker. While it lasts, other workers don't take the deliveries with this worker's id. */
export class WorkerLease {
  readonly workerId = newRowId<WorkerId>();
  readonly #db: Db;
  // Time on the clock of `performance.now()`.
  #renewedMs = Number.NEGATIVE_INFINITY;
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Renews the lease. Uses the database's clock, because machines' clocks differ.
   * @param maxAgeMs maximum age at which the lease is left unchanged
   */
  async renew(maxAgeMs = 0): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#renewedMs < maxAgeMs) return;
    await sql`
      insert into webhook_worker (worker_id, alive_until)
      values (${this.workerId}, clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}))
      on conflict (worker_id) do update set alive_until = excluded.alive_until`.execute(this.#db);
    this.#renewedMs = nowMs;
  }

  async beat(): Promise<void> {
    await this.renew(heartbeatMs / 2);
    await releaseOrphans(this.#db);
  }

  /**
   * Releases dead workers' deliveries every few seconds. Also releases deliveries that are assigned to this worker in
   * the database but not held by it, for example because the response to a take was lost. Must be called before a take,
   * during which deliveries are assigned but not held yet.
   */
  async releaseLost(held: ReadonlySet<DeliveryKey>): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < checkEveryMs) return;
    this.#checkedMs = nowMs;
    if (held.size === 0) await releaseOrphans(this.#db); // otherwise the heartbeat does this
    const { rows: assigned } = await sql<DeliveryKey>`
      select publisher_id as "publisherId", endpoint_id as "endpointId", event_id as "eventId"
      from webhook_delivery
      where worker_id = ${this.workerId}::uuid`.execute(this.#db);
    const known = new Set([...held].map(nameOf));
    await this.release(assigned.filter((each) => !known.has(nameOf(each))));
  }

  async release(deliveries: readonly DeliveryKey[]): Promise<void> {
    for (const [publisherId, own] of Map.groupBy(deliveries, (each) => each.publisherId)) {
      await sql`
        update webhook_delivery d
        set worker_id = null
        from unnest(${own.map((each) => each.endpointId)}::text[], ${own.map((each) => each.eventId)}::uuid[])
          as r (endpoint_id, event_id)
        where d.publisher_id = ${publisherId} and d.endpoint_id = r.endpoint_id and d.event_id = r.event_id
          and d.worker_id = ${this.workerId}::uuid`.execute(this.#db);
    }
  }

  /**
   * Returns a condition that is true if any deliveries are lost, which means that they are assigned to a dead worker,
   * or to this worker without being held by it.
   * @param heldCount number of deliveries that this worker holds
   */
  areDeliveriesLost(heldCount: number): RawBuilder<unknown> {
    return sql`(
      exists (select 1 from webhook_delivery d where ${isOrphan(sql`clock_timestamp()`)})
      or (select count(*) from webhook_delivery where worker_id = ${this.workerId}::uuid) > ${heldCount}::int)`;
  }

  async end(): Promise<void> {
    await sql`delete from webhook_worker where worker_id = ${this.workerId}::uuid`.execute(this.#db);
    await releaseOrphans(this.#db);
  }
}

const nameOf = ({ publisherId, endpointId, eventId }: DeliveryKey): string =>
  `${publisherId}/${endpointId}/${eventId}`;

/**
 * Returns a condition that is true for deliveries whose worker is dead.
 * @param now time on the database's clock
 */
const isOrphan = (now: RawBuilder<unknown> | Date): RawBuilder<unknown> => sql`(d.worker_id is not null
  and not exists (select 1 from webhook_worker w where w.worker_id = d.worker_id and w.alive_until > ${now}))`;

/**
 * Releases dead workers' deliveries, which are then due immediately, whatever the outcome of an attempt in progress.
 * @returns the number of deliveries released
 */
async function releaseOrphans(db: Db): Promise<number> {
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
