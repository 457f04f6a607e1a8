import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { Amount } from '../movement.ts';
import type { EventReason, EventStatus, ReadKind } from './event-record.ts';
import { readAmount } from './reading.ts';

export interface ConnectorEvent {
  eventId: string;
  connectorId: string;
  /** The provider's name for this kind of event. */
  type: string;
  kind: ReadKind;
  isTest: boolean;
  /** True if the service made the event itself, for a test of the connector. */
  isSample: boolean;
  orderId: string | null;
  transactionId: string | null;
  /** Amount that was read: what the buyer paid, got back or disputes; null if none was. */
  amount: Amount | null;
  status: EventStatus;
  reason: EventReason;
  message: string | null;
  /** Code that credited no creator; null unless that is the reason. */
  missingCode: string | null;
  attempts: number;
  /** Number of times that it arrived again. */
  repeats: number;
  receivedAt: Date;
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
}

export interface EventFilter {
  publisherId: string;
  connectorId: string;
  status?: EventStatus | undefined;
  reason?: string | undefined;
  orderId?: string | undefined;
}

/** Lists a connector's events, the newest first. */
export async function listEvents(
  db: Db,
  pages: Pages,
  { publisherId, connectorId, status, reason, orderId }: EventFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<ConnectorEvent>> {
  const listing = [
    'connector events',
    publisherId,
    connectorId,
    status ?? null,
    reason ?? null,
    orderId ?? null,
  ];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<EventRow>`
    select ${eventColumns}
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
      ${orderId === undefined ? sql`` : sql`and order_id = ${orderId}`}
      ${before === null ? sql`` : sql`and connector_event_id < ${before}::uuid`}
    order by connector_event_id desc
    limit ${size + 1}`.execute(db);
  return pages.cut(listing, rows.map(toEvent), size, ({ eventId }) => [eventId]);
}

/** The amount is text, because `readAmount` parses it. A sale has a total; refunds and disputes have an amount. */
export const eventColumns = sql`
  connector_event_id, connector_id, type, kind, is_test, is_sample, order_id, transaction_id,
  coalesce(reading::jsonb -> 'total', reading::jsonb -> 'amount')::text as amount, status, reason, result, missing_code,
  attempt_count, repeats, received_at, next_attempt_at, finished_at`;

export interface EventRow {
  connector_event_id: string;
  connector_id: string;
  type: string;
  kind: ReadKind;
  is_test: boolean;
  is_sample: boolean;
  order_id: string | null;
  transaction_id: string | null;
  amount: string | null;
  status: EventStatus;
  reason: EventReason;
  result: string | null;
  missing_code: string | null;
  attempt_count: number;
  repeats: number;
  received_at: Date;
  next_attempt_at: Date;
  finished_at: Date | null;
}

export const toEvent = (row: EventRow): ConnectorEvent => ({
  eventId: row.connector_event_id,
  connectorId: row.connector_id,
  type: row.type,
  kind: row.kind,
  isTest: row.is_test,
  isSample: row.is_sample,
  orderId: row.order_id,
  transactionId: row.transaction_id,
  amount: readAmount(row.amount),
  status: row.status,
  reason: row.reason,
  message: row.result === null ? null : (JSON.parse(row.result) as { message: string }).message,
  missingCode: row.missing_code,
  attempts: row.attempt_count,
  repeats: row.repeats,
  receivedAt: row.received_at,
  nextAttemptAt: row.status === 'Waiting' ? row.next_attempt_at : null,
  finishedAt: row.finished_at,
});
