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
 * The part of a statement that writes events and their deliveries, as common table expressions. What no
 * endpoint of the publisher wants is not written; for an endpoint that is off the event is kept, to be replayed.
 * @param said a relation of event_id uuid, kind text, event text, named in the same statement
 * @param publisher the parameter that holds the publisher's id, such as `$1`
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
 * Writes events in the commit of what caused them (D40).
 * @param tx the transaction of the cause
 */
export async function publishEvents(
  tx: Tx | Db,
  publisherId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const startedMs = performance.now();
  const told = events.map(({ kind }) => ({ id: asTraced(newDatedId<EventId>()), kind }));
  await tx.executeQuery(
    CompiledQuery.raw(statement, [
      publisherId,
      told.map(({ id }) => id),
      events.map(({ kind }) => kind),
      events.map(({ event }) => toEventText(event)),
    ]),
  );
  traceEvents(told, startedMs);
}
