import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';
import { createEndpoint } from '../src/webhooks/endpoints/create-endpoint.ts';
import type { EventKind } from '../src/webhooks/event-kinds.ts';
import { testSealer } from './sealer.ts';
import { testActor } from './test-actor.ts';

/** Adds a webhook endpoint at any address, including private ones. */
export const addEndpoint = (db: Db, publisherId: string, url: string, eventKinds: readonly EventKind[]) =>
  createEndpoint({ db, sealer: testSealer, allowPrivateTargets: true }, testActor, {
    publisherId,
    url,
    eventKinds,
  });

/** Records a failed first attempt of the waiting deliveries to endpoints whose URL matches a pattern. */
export const failFirstAttempts = (db: Db, urlPattern: string): Promise<unknown> =>
  sql`
    with tried as (
      update webhook_delivery d
      set attempt_count = 1, try_count = 1
      from webhook_endpoint e
      where e.endpoint_id = d.endpoint_id and e.url like ${urlPattern}
      returning d.publisher_id, d.endpoint_id, d.event_id
    )
    insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, answer)
    select publisher_id, endpoint_id, event_id, 1, now(), 12, 500, 'no room left'::bytea from tried`.execute(
    db,
  );
