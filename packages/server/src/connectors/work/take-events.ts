import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { EventReason } from '../events/event-record.ts';

/** Events that a turn takes. */
export const eventsAtOnce = 50;
const publishersAtOnce = 100;
/** Events that a turn chooses from, so that processes that choose at the same time find some each. */
const candidates = 200;

/** Time after which another process takes over an event whose process died. */
const leaseMs = 60_000;

/** Reasons for which an event doesn't keep later ones of its order waiting. */
const letsPass: readonly EventReason[] = ['NoPurchase', 'NoRefund', 'PaidOut'];

export interface TakenEvent {
  eventId: string;
  connectorId: string;
  type: string;
  isTest: boolean;
  orderId: string | null;
  subjectId: string | null;
  reading: string | null;
  receivedAt: Date;
  /** Number of this attempt, from 1. */
  attempt: number;
}

const isWorkedOn = sql`
  exists (select 1 from connector c where c.connector_id = e.connector_id and c.paused_at is null)`;

/** Condition that is true if an event is due. */
export const eventsWait = (now: Date): RawBuilder<unknown> => sql`(
  exists (
    select 1
    from connector_event e
    where e.status = 'Waiting' and e.next_attempt_at <= ${now} and ${isWorkedOn}
  ))`;

/** Scalar SQL expression for the time at which the oldest due event became due. */
export const eventDueSince = sql`(
  select min(e.next_attempt_at)
  from connector_event e
  where e.status = 'Waiting' and ${isWorkedOn})`;

export async function publishersWithEvents(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct e.publisher_id
    from connector_event e
    where e.status = 'Waiting' and e.next_attempt_at <= ${now} and ${isWorkedOn}
    order by e.publisher_id
    limit ${publishersAtOnce}`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Takes some of a publisher's due events, so that no other process works on them. Events of an order are worked on one at a time, in
 * the order of their arrival; only those that wait for another one are passed. A taken event is `New` until its next attempt. The
 * waiting events are compared in one pass: looked up one by one with the statistics of an empty table, 50 of 3,000 took ten seconds.
 * @param eventIds only these, even if they aren't due; null for all that are due
 */
export async function takeEvents(
  db: Db,
  publisherId: string,
  now: Date,
  eventIds: readonly string[] | null = null,
): Promise<TakenEvent[]> {
  const chosen =
    eventIds === null
      ? sql`e.next_attempt_at <= ${now} and ${isWorkedOn}`
      : sql`e.connector_event_id = any(${[...eventIds]}::uuid[])`;
  const isTaken = sql`(e.reason = 'New' and e.next_attempt_at > ${now})`;
  const { rows } = await sql<TakenRow>`
    with waiting as materialized (
      select e.connector_event_id, e.next_attempt_at, ${chosen} as is_chosen,
             e.order_id is not null and (
               count(*) filter (where ${isTaken}) over (partition by e.connector_id, e.order_id) > ${isTaken}::int
               or coalesce(
                 bool_or(e.reason <> all(${[...letsPass]}::text[]) or e.next_attempt_at <= ${now}) over (
                   partition by e.connector_id, e.order_id
                   order by e.connector_event_id
                   rows between unbounded preceding and 1 preceding
                 ),
                 false
               )
             ) as is_behind
      from connector_event e
      where e.publisher_id = ${publisherId} and e.status = 'Waiting'
    ),
    free as materialized (
      select connector_event_id
      from waiting
      where is_chosen and not is_behind
      order by next_attempt_at, connector_event_id
      limit ${candidates}
    )
    update connector_event
    set reason = 'New', next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempt_count = attempt_count + 1
    where publisher_id = ${publisherId} and connector_event_id = any(array(
      select e.connector_event_id
      from connector_event e
      where e.publisher_id = ${publisherId} and e.connector_event_id = any(array(select connector_event_id from free))
        and e.status = 'Waiting' and ${chosen}
      order by e.next_attempt_at, e.connector_event_id
      limit ${eventsAtOnce}
      for update of e skip locked
    ))
    returning connector_event_id, connector_id, type, is_test, order_id, subject_id, reading, received_at, attempt_count`.execute(
    db,
  );
  return rows.map((row) => ({
    eventId: row.connector_event_id,
    connectorId: row.connector_id,
    type: row.type,
    isTest: row.is_test,
    orderId: row.order_id,
    subjectId: row.subject_id,
    reading: row.reading,
    receivedAt: row.received_at,
    attempt: row.attempt_count,
  }));
}

interface TakenRow {
  connector_event_id: string;
  connector_id: string;
  type: string;
  is_test: boolean;
  order_id: string | null;
  subject_id: string | null;
  reading: string | null;
  received_at: Date;
  attempt_count: number;
}
