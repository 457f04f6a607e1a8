import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest';
import type { Clock } from '../src/platform/clock.ts';
import { namedStatements } from '../src/platform/database/connections/named-statements.ts';
import type { Db } from '../src/platform/database/database.ts';
import type { EndpointId, EventId, WorkerId } from '../src/platform/database/tables.generated.ts';
import type { Worker } from '../src/platform/work/repeat.ts';
import type { DeliveryOptions } from '../src/webhooks/delivery/delivery-options.ts';
import { startDelivery } from '../src/webhooks/delivery/delivery-worker.ts';
import { createSender, type SenderOptions } from '../src/webhooks/delivery/send/send-request.ts';
import { type EventKind, eventKinds } from '../src/webhooks/event-kinds.ts';
import type { EventPayload } from '../src/webhooks/event-text.ts';
import { publishEvents } from '../src/webhooks/publish-events.ts';
import { applyProgram } from './apply-program.ts';
import { until } from './attribution-process.ts';
import { addEndpoint } from './endpoints.ts';
import type { Received } from './receiver.ts';
import { testSealer } from './sealer.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { woken } from './woken.ts';

/** All publishers' deliveries, open or ended. */
export const everyDelivery = sql`(
  select publisher_id, event_id, endpoint_id, 'Pending' as status, attempt_count, try_count, next_attempt_at, worker_id, created_at,
         null::timestamptz as finished_at
  from webhook_delivery
  union all
  select publisher_id, event_id, endpoint_id, status, attempt_count, try_count, null, null, created_at, finished_at
  from webhook_delivery_end)`;

/** Ends all open deliveries as if they had been sent. */
export const waitingEnd = (status: 'Delivered' | 'Failed') => sql`
  with gone as (delete from webhook_delivery returning *)
  insert into webhook_delivery_end (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, created_at, finished_at)
  select publisher_id, endpoint_id, event_id, ${status}, attempt_count, try_count, created_at, now() from gone`;

/** Clock that shows the real time, shifted by the amount that the test sets. */
export interface MovedClock extends Clock {
  move(ms: number): void;
}

export function movedClock(): MovedClock {
  let movedMs = 0;
  return {
    now: () => new Date(Date.now() + movedMs),
    move(ms) {
      movedMs += ms;
    },
  };
}

/** Delivery with its endpoint's health, as in the database. */
export interface StoredDelivery {
  endpoint_id: EndpointId;
  event_id: EventId;
  status: string;
  attempt_count: number;
  try_count: number;
  next_attempt_at: Date;
  worker_id: WorkerId | null;
}

export interface StoredAttempt {
  endpoint_id: EndpointId;
  event_id: EventId;
  attempt_number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  answer: Buffer | null;
}

/** Database with the publishers aurora and rival, and workers that deliver the events published there. */
export interface Webhooks {
  testDatabase(): TestDatabase;
  db(): Db;
  query<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** Adds an endpoint for aurora or another publisher, by default for every kind of event. */
  endpoint(
    url: string,
    eventKinds?: readonly EventKind[],
    publisherId?: string,
  ): Promise<{ endpointId: EndpointId; secret: string }>;
  /** Publishes events in one commit. @returns their ids, in order */
  publish(count?: number, event?: EventPayload, publisherId?: string): Promise<EventId[]>;
  deliver(clock?: Clock, options?: Partial<DeliveryOptions>, sender?: Partial<SenderOptions>): Worker;
  deliveries(endpointId?: string): Promise<StoredDelivery[]>;
  attempts(endpointId?: string): Promise<StoredAttempt[]>;
  /** Waits until no delivery is open, then returns all deliveries. */
  settled(endpointId?: string): Promise<StoredDelivery[]>;
}

export function useWebhooks(): Webhooks {
  let testDatabase: TestDatabase | undefined;
  const workers = new Set<Worker>();
  const errors: unknown[] = [];
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    for (const id of ['aurora', 'rival'])
      await applyProgram(
        testDatabase.database.db,
        `{ publisher: { id: ${id} }, groups: [ { id: main, revShare: 10 } ] }`,
        'test.yaml',
      );
  });
  afterEach(async () => {
    await Promise.all([...workers].map((worker) => worker.stop()));
    expect(errors.splice(0), 'errors of the workers').toEqual([]);
    for (const table of ['attempt', 'delivery', 'delivery_end', 'event', 'endpoint', 'worker'])
      await sql`delete from ${sql.table(`webhook_${table}`)}`.execute(db());
  });
  afterAll(() => testDatabase?.drop());
  const database = (): TestDatabase => {
    if (testDatabase === undefined) throw new Error('there is no database yet');
    return testDatabase;
  };
  const db = (): Db => database().database.db;
  const query = async <Row>(text: RawBuilder<Row>): Promise<Row[]> => (await text.execute(db())).rows;
  const webhooks: Webhooks = {
    testDatabase: database,
    db,
    query,
    endpoint: (url, kinds = eventKinds, publisherId = 'aurora') => addEndpoint(db(), publisherId, url, kinds),
    async publish(count = 1, event = { memberId: 'acc_a', name: 'Ann' }, publisherId = 'aurora') {
      const kind = 'GroupManagement/NewMember';
      const { last } = (
        await query<{ last: string | null }>(sql`select max(event_id::text) as last from webhook_event`)
      )[0] ?? { last: null };
      await publishEvents(
        db(),
        publisherId,
        Array.from({ length: count }, () => ({ kind, event })),
      );
      const rows = await query<{ event_id: EventId }>(sql`
        select event_id from webhook_event
        where publisher_id = ${publisherId} and (${last}::uuid is null or event_id > ${last}::uuid)
        order by event_id`);
      expect(rows, 'what was published').toHaveLength(count);
      return rows.map(({ event_id }) => event_id);
    },
    deliver(clock = movedClock(), options = {}, senderOptions = {}) {
      const sender = createSender({ clock, allowPrivateTargets: true, ...senderOptions });
      const onError = options.onError ?? ((error: unknown) => void errors.push(error));
      const started = startDelivery({
        db: db(),
        statements: namedStatements(database().database.backgroundPool, true),
        sender,
        sealer: testSealer,
        clock,
        isSpread: false,
        intervalMs: 10,
        maxTaken: 2_000,
        patienceAtStopMs: 200,
        onAttempt: () => undefined,
        onSwitchedOff: () => undefined,
        onError,
        ...options,
      });
      const delivery = woken(db(), started, onError);
      const worker: Worker = {
        async stop() {
          workers.delete(worker);
          await delivery.stop();
          await sender.close();
        },
      };
      workers.add(worker);
      return worker;
    },
    deliveries: (endpointId) =>
      query<StoredDelivery>(sql`
        select * from ${everyDelivery} d
        where ${endpointId ?? null}::text is null or endpoint_id = ${endpointId ?? null}
        order by endpoint_id, event_id`),
    attempts: (endpointId) =>
      query<StoredAttempt>(sql`
        select * from webhook_attempt
        where ${endpointId ?? null}::text is null or endpoint_id = ${endpointId ?? null}
        order by endpoint_id, event_id, attempt_number`),
    settled: (endpointId) =>
      until('all deliveries to end', async () => {
        const found = await webhooks.deliveries(endpointId);
        return found.every(({ status }) => status !== 'Pending') && found;
      }),
  };
  return webhooks;
}

export function closing<Closed extends { close(): Promise<void> }>(closed: Closed): Closed {
  onTestFinished(() => closed.close());
  return closed;
}

/**
 * Verifies the signature defined in the contract, the way a receiver would. Written from the contract's text
 * ("Receiver contract"), without using our code.
 * @returns whether the signature is valid
 */
export function isSigned(received: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const { eventId, createdAt, event } = JSON.parse(received.body);
  const iso = new Date(`${createdAt.replace(' ', 'T')}Z`).toISOString();
  const expected = `sha256=${createHmac('sha256', secret)
    .update(eventId + iso + JSON.stringify(event))
    .digest('hex')}`;
  return isEqual(received.headers['x-webhook-signature-256'] ?? '', expected);
}

/** Verifies as specified by Standard Webhooks. @returns the number of signatures made with this secret */
export function standardSignatures(
  { headers, body }: Pick<Received, 'headers' | 'body'>,
  secret: string,
): number {
  const [, key = ''] = secret.split('_');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').filter((each) => isEqual(each, expected)).length;
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
