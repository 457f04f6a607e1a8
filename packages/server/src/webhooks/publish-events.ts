import { CompiledQuery } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { EventId } from '../platform/database/tables.generated.ts';
import { newDatedId } from '../platform/dated-ids.ts';
import type { EventKind } from './event-kinds.ts';
import { type EventPayload, toEventText } from './event-text.ts';
import { asTraced, traceEvents } from './trace-events.ts';

export interface NewEvent {
  kind: EventKind;
  event: EventPayload;
}

/**
 * Returns the CTEs that insert events and their deliveries. Events that none of the publisher's endpoints receive
 * aren't inserted. Events for an endpoint that is off are inserted without a delivery, so that they can be replayed.
 * @param said name of a relation in the same statement, with the columns event_id uuid, kind text and event text
 * @param publisher parameter that contains the publisher's id, such as `$1`
 */
export const publishing = (said: string, publisher: string): string => `
  endpoint as materialized (
    select endpoint_id, event_kinds, is_enabled from webhook_endpoint where publisher_id = ${publisher}
  ),
  published as (
    insert into webhook_event (publisher_id, event_id, kind, created_at, event)
    select ${publisher}, event_id, kind, date_trunc('milliseconds', now()), event
    from ${said} s
    where exists (select 1 from endpoint e where s.kind = any(e.event_kinds))
    returning event_id, kind, created_at
  ),
  to_deliver as (
    insert into webhook_delivery (publisher_id, endpoint_id, event_id, next_attempt_at, created_at)
    select ${publisher}, e.endpoint_id, p.event_id, p.created_at, p.created_at
    from published p
    join endpoint e on e.is_enabled and p.kind = any(e.event_kinds)
  )`;

const statement = `
  with said as (
    select * from unnest($2::uuid[], $3::text[], $4::text[]) as s (event_id, kind, event)
  ), ${publishing('said', '$1')}
  select`;

/**
 * Inserts events in the same commit as the change that causes them (D40).
 * @param tx transaction of the change
 */
export async function publishEvents(
  tx: Tx | Db,
  publisherId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const startedMs = performance.now();
  const published = events.map(({ kind }) => ({ id: asTraced(newDatedId<EventId>()), kind }));
  await tx.executeQuery(
    CompiledQuery.raw(statement, [
      publisherId,
      published.map(({ id }) => id),
      events.map(({ kind }) => kind),
      events.map(({ event }) => toEventText(event)),
    ]),
  );
  traceEvents(published, startedMs);
}
