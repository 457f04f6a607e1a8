import { sql } from 'kysely';
import { beforeEach, expect } from 'vitest';
import type { EndpointId, EventId } from '../src/platform/database/tables.generated.ts';
import { toBody } from '../src/webhooks/delivery/send/signature.ts';
import { removeEndpoint } from '../src/webhooks/endpoints/remove-endpoint.ts';
import { type EventKind, eventKinds } from '../src/webhooks/event-kinds.ts';
import { expectDocumentedWebhook } from './documented-response.ts';
import { addEndpoint } from './endpoints.ts';
import { type Money, useMoney } from './money.ts';
import { testActor } from './test-actor.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests inspect events of any shape
type Told = [kind: EventKind, event: any];

/**
 * Service with the fixtures and an endpoint of aurora that receives every kind of event. Recreated for each test.
 */
export interface ToldEvents extends Money {
  /** Returns all events since the last call, in order. */
  told(): Promise<Told[]>;
  /** Adds an endpoint. @returns its id */
  add(eventKinds: readonly EventKind[], publisherId?: string): Promise<EndpointId>;
  /** Returns aurora's endpoints. The first endpoint receives every kind of event. */
  endpoints(): EndpointId[];
}

export const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export function useToldEvents(): ToldEvents {
  const money = useMoney();
  const { db, query } = money;
  let endpoints: EndpointId[] = [];
  const add: ToldEvents['add'] = async (kinds, publisherId = 'aurora') => {
    const { endpointId } = await addEndpoint(db(), publisherId, 'http://127.0.0.1:1/', kinds);
    if (publisherId === 'aurora') endpoints.push(endpointId);
    return endpointId;
  };
  const clear = async (): Promise<void> => {
    for (const table of ['attempt', 'delivery', 'event'])
      await sql`delete from ${sql.table(`webhook_${table}`)}`.execute(db());
  };
  beforeEach(async () => {
    for (const endpointId of endpoints)
      await removeEndpoint(db(), testActor, { publisherId: 'aurora', endpointId });
    endpoints = [];
    await add(eventKinds);
    await clear();
  });
  return {
    ...money,
    add,
    endpoints: () => endpoints,
    async told() {
      const rows = await query<{
        publisher_id: string;
        kind: EventKind;
        event_id: EventId;
        created_at: Date;
        event: string;
        deliveries: number;
      }>(sql`
        select e.publisher_id, e.kind, e.event_id, e.created_at, e.event,
               (select count(*)::int from webhook_delivery d
                where d.publisher_id = e.publisher_id and d.event_id = e.event_id) as deliveries
        from webhook_event e
        order by e.event_id`);
      await clear();
      expect(
        rows.every(({ publisher_id, deliveries }) => publisher_id === 'aurora' && deliveries === 1),
      ).toBe(true);
      return rows.map(({ kind, ...row }) => {
        const event = JSON.parse(row.event);
        const envelope = { eventId: row.event_id, createdAt: row.created_at, kind, event: row.event };
        expectDocumentedWebhook(money.service().app, JSON.parse(toBody(envelope)));
        return [kind, event];
      });
    },
  };
}
