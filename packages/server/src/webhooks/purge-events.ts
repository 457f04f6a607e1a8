import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { rowIdFloor } from '../platform/ids.ts';

const eventsAtOnce = 1_000;

/**
 * Deletes events with their deliveries and attempts once they are old; one that is still on its way stays.
 * A set a commit, publisher by publisher.
 * @returns how many events were deleted
 */
export async function purgeEvents(db: Db, before: Date, stopping: AbortSignal): Promise<number> {
  const { rows: publishers } = await sql<{ publisher_id: string }>`
    select publisher_id from publisher order by publisher_id`.execute(db);
  let purged = 0;
  for (const { publisher_id } of publishers) {
    for (let deleted = eventsAtOnce; deleted === eventsAtOnce && !stopping.aborted; purged += deleted)
      deleted = await purgeSet(db, publisher_id, before);
  }
  return purged;
}

async function purgeSet(db: Db, publisherId: string, before: Date): Promise<number> {
  const { rows } = await sql<{ deleted: bigint }>`
    with old as materialized (
      select e.event_id
      from (
        select event_id, created_at
        from webhook_event
        where publisher_id = ${publisherId} and event_id < ${rowIdFloor(before, 'later')}::uuid
        order by event_id
      ) e
      where e.created_at < ${before}
        and not exists (
          select 1 from webhook_delivery d
          where d.publisher_id = ${publisherId} and d.event_id = e.event_id and d.status = 'Pending'
        )
      limit ${eventsAtOnce}
    ),
    attempt as (
      delete from webhook_attempt a
      using old
      where a.publisher_id = ${publisherId} and a.event_id = old.event_id
    ),
    delivery as (
      delete from webhook_delivery d
      using old
      where d.publisher_id = ${publisherId} and d.event_id = old.event_id
    ),
    event as (
      delete from webhook_event e
      using old
      where e.publisher_id = ${publisherId} and e.event_id = old.event_id
      returning e.event_id
    )
    select count(*) as deleted from event`.execute(db);
  return Number(rows[0]?.deleted ?? 0);
}
