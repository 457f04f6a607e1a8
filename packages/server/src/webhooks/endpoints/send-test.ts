import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Clock } from '../../platform/clock.ts';
import { plainStatements } from '../../platform/database/connections/named-statements.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { EventId } from '../../platform/database/tables.generated.ts';
import { newDatedId } from '../../platform/dated-ids.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { startRepeating } from '../../platform/work/repeat.ts';
import { saveAttempts } from '../delivery/send/save-attempts.ts';
import type { Attempt, Sender } from '../delivery/send/send-request.ts';
import { signatureHeaders, toBody } from '../delivery/send/signature.ts';
import { heartbeatMs, WorkerLease } from '../delivery/take/worker-lease.ts';
import { type EventKind, storedTestKind, testEventKind } from '../event-kinds.ts';
import { type EventPayload, toEventText } from '../event-text.ts';
import { type EndpointKey, endpointTarget, noSuchEndpoint } from './endpoint-record.ts';
import { secretsInUse } from './secrets.ts';

/** Event that a test imitates. Its ids must not belong to anything real. */
export interface SampleEvent {
  kind: EventKind;
  event: EventPayload;
}

/**
 * Sends a test event to one endpoint, even if it is off, with a single attempt. The event appears in the list of
 * deliveries.
 * @param sample event to imitate; absent for an event that every receiver can ignore
 * @throws Refusal NotFound when the endpoint doesn't exist
 */
export async function sendTest(
  { db, sender, sealer, clock }: { db: Db; sender: Sender; sealer: Sealer; clock: Clock },
  actor: Actor,
  { publisherId, endpointId }: EndpointKey,
  sample?: SampleEvent,
): Promise<Attempt & { eventId: EventId; url: string }> {
  const endpoint = await db
    .selectFrom('webhook_endpoint')
    .select(['url', 'secret', 'next_secret', 'rotation_started_at'])
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
  if (endpoint === undefined) throw noSuchEndpoint({ publisherId, endpointId });
  const lease = new WorkerLease(db);
  const createdAt = clock.now();
  const secrets = secretsInUse({ ...endpoint, publisherId, endpointId }, sealer, createdAt);
  const envelope = {
    eventId: newDatedId<EventId>(),
    createdAt,
    ...storedEvent(endpointId, sample),
  };
  await lease.renew();
  // An attempt may take longer than the lease.
  const living = startRepeating(
    () => lease.renew().then(() => heartbeatMs),
    () => undefined,
  );
  try {
    await inTransaction(db, async (tx) => {
      await tx
        .insertInto('webhook_event')
        .values({
          publisher_id: publisherId,
          event_id: envelope.eventId,
          kind: envelope.kind,
          created_at: createdAt,
          event: envelope.event,
        })
        .execute();
      await tx
        .insertInto('webhook_delivery')
        .values({
          publisher_id: publisherId,
          endpoint_id: endpointId,
          event_id: envelope.eventId,
          next_attempt_at: createdAt,
          created_at: createdAt,
          worker_id: lease.workerId,
        })
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'webhook-endpoint.test',
        target: endpointTarget({ endpointId }),
        after: { eventId: envelope.eventId, ...(sample !== undefined && { kind: sample.kind }) },
      });
    });
    const body = toBody(envelope);
    const headers = signatureHeaders(envelope, body, secrets, createdAt);
    const attempt = await sender.send(endpoint.url, headers, body);
    await saveAttempts(plainStatements(db), lease.workerId, publisherId, [
      {
        delivery: { publisherId, endpointId, eventId: envelope.eventId },
        attempt,
        outcome: attempt.statusCode === 200 ? 'Delivered' : 'Failed',
        nextAttemptAt: null,
      },
    ]);
    return { ...attempt, eventId: envelope.eventId, url: endpoint.url };
  } finally {
    await living.stop();
    await lease.end();
  }
}

/** Every sample contains `isTest`, which the signatures cover, so that a receiver can tell it from a real event. */
const storedEvent = (endpointId: string, sample: SampleEvent | undefined): { kind: string; event: string } =>
  sample === undefined
    ? {
        kind: testEventKind,
        event: toEventText({
          endpointId,
          message: 'This is a test of this webhook endpoint. No real event occurred.',
        }),
      }
    : {
        kind: storedTestKind(sample.kind),
        event: toEventText({ ...sample.event, isTest: true }),
      };
