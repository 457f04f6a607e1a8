import { sql } from 'kysely';
import { transactionNotFound } from '../../attributions/get-transaction.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId, EventId } from '../../platform/database/tables.generated.ts';
import { rowIdAt, timeOfRowId } from '../../platform/ids.ts';
import { deliveriesOf } from '../../webhooks/delivery/read/deliveries-of.ts';

export interface TransactionEvent {
  attributionId: AttributionId;
  eventId: EventId;
  kind: string;
  createdAt: Date;
  deliveries: { endpointId: string; status: string }[];
}

/** Longest time between an event about a row and the row's recording or reversal. */
const beforeMs = 2_000;
const afterMs = 5_000;
/** Maximum number of events read in each range. */
const maxEvents = 20_000;

/**
 * Finds the webhook events about a purchase's rows that are still within their retention period.
 * @throws Refusal NotFound for an unknown purchase
 */
export async function findTransactionEvents(
  db: Db,
  publisherId: string,
  transactionId: string,
): Promise<TransactionEvent[]> {
  const { rows: changes } = await sql<{ attribution_id: AttributionId; at: Date | null }>`
    select a.attribution_id, r.created_at as at
    from attribution a
    left join lateral (
      select created_at
      from refund_record
      where publisher_id = ${publisherId} and attribution_id = a.attribution_id
      union all
      select created_at
      from reinstatement
      where publisher_id = ${publisherId} and attribution_id = a.attribution_id
    ) r on true
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId}
    order by a.attribution_id
    limit 1000`.execute(db);
  const [first] = changes;
  if (first === undefined) throw transactionNotFound();
  const spans = mergedSpans([
    timeOfRowId(first.attribution_id).getTime(),
    ...changes.flatMap(({ at }) => (at === null ? [] : [at.getTime()])),
  ]);
  const { rows } = await sql<{
    attribution_id: AttributionId;
    event_id: EventId;
    kind: string;
    created_at: Date;
    deliveries: { endpointId: string; status: string }[];
  }>`
    select subject.row_id as attribution_id, e.event_id, e.kind, e.created_at,
           (select coalesce(jsonb_agg(jsonb_build_object('endpointId', d.endpoint_id, 'status', d.status) order by d.endpoint_id), '[]')
            from ${deliveriesOf(publisherId)} d
            where d.event_id = e.event_id) as deliveries
    from unnest(${spans.map(([fromMs]) => rowIdAt(new Date(fromMs)))}::uuid[],
                ${spans.map(([, toMs]) => rowIdAt(new Date(toMs)))}::uuid[]) as span (first_id, last_id)
    cross join lateral (
      select event_id, kind, created_at, event
      from webhook_event
      where publisher_id = ${publisherId} and event_id between span.first_id and span.last_id
      order by event_id
      limit ${maxEvents}
    ) e
    join unnest(${[...new Set(changes.map(({ attribution_id }) => attribution_id))]}::uuid[]) as subject (row_id)
      on e.kind like 'Attribution/%' and strpos(e.event, '"id":"' || subject.row_id || '"') > 0
    order by e.event_id`.execute(db);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    eventId: row.event_id,
    kind: row.kind,
    createdAt: row.created_at,
    deliveries: row.deliveries,
  }));
}

/**
 * Returns the time ranges around the given times, with overlapping ranges merged so that no event is found
 * twice.
 */
function mergedSpans(timesMs: readonly number[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const ms of [...timesMs].sort((one, other) => one - other)) {
    const last = spans.at(-1);
    if (last !== undefined && ms - beforeMs <= last[1]) last[1] = ms + afterMs;
    else spans.push([ms - beforeMs, ms + afterMs]);
  }
  return spans;
}
