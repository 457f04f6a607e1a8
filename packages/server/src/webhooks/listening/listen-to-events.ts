import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { type Attempt, createSender } from '../delivery/send/send-request.ts';
import { type Envelope, signatureHeaders, toBody } from '../delivery/send/signature.ts';
import { changingEndpoints } from '../endpoints/changing-endpoints.ts';
import { checkListenerTarget } from '../endpoints/check-target.ts';
import { insertEndpoint } from '../endpoints/create-endpoint.ts';
import type { EndpointKey } from '../endpoints/endpoint-record.ts';
import { removeEndpoint } from '../endpoints/remove-endpoint.ts';
import type { EventKind } from '../event-kinds.ts';
import { newEvents } from './read-new-events.ts';

export interface Listening {
  publisherId: string;
  eventKinds: readonly EventKind[];
  /** Where each event is forwarded, once; null for nowhere. It may be on this machine. */
  forward: string | null;
  /** Secret of an earlier session, so that a receiver need not change it; a new one when absent. */
  secret?: string | undefined;
  /** @param url where events go, in its one spelling; @param secret of this session */
  onStart(url: string | null, secret: string): void;
  /** @param body as it is forwarded */
  onEvent(event: Envelope, body: string): void;
  onForwarded(attempt: Attempt): void;
}

const pollMs = 200;
const keepEveryMs = 60_000;
/** What a listener's row has for an address when nothing is forwarded; nobody sends to it. */
const nowhere = 'http://localhost/';

/**
 * Shows a publisher's events as they happen until it is stopped, and forwards them. It is an endpoint of its own with a
 * secret of its own, and is gone afterwards.
 * @throws TargetRefused when `forward` is no URL
 * @throws Refusal NotFound when there is no such publisher; Conflict when it has 1,000 endpoints
 */
export async function listenToEvents(
  { db, clock, sealer }: { db: Db; clock: Clock; sealer: Sealer },
  actor: Actor,
  { publisherId, eventKinds, forward, secret: given, onStart, onEvent, onForwarded }: Listening,
  stopping: AbortSignal,
): Promise<void> {
  const url = checkListenerTarget(forward ?? nowhere);
  const startedAt = clock.now();
  const { endpointId, secret } = await changingEndpoints(db, publisherId, (tx) =>
    insertEndpoint(tx, sealer, actor, { publisherId, url, eventKinds, isListener: true, secret: given }),
  );
  const key = { publisherId, endpointId };
  const sender = createSender({ clock, allowPrivateTargets: true });
  try {
    onStart(forward === null ? null : url, secret);
    const look = newEvents(db, publisherId, eventKinds, startedAt);
    let keptAtMs = startedAt.getTime();
    while (!stopping.aborted) {
      const now = clock.now();
      if (now.getTime() - keptAtMs > keepEveryMs) {
        await keepListening(db, key);
        keptAtMs = now.getTime();
      }
      for (const event of await look(now)) {
        const body = toBody(event);
        onEvent(event, body);
        if (forward === null) continue;
        if (stopping.aborted) break;
        const secrets = { contract: secret, standard: [secret] };
        const headers = signatureHeaders(event, body, secrets, clock.now());
        onForwarded(await sender.send(url, headers, body, stopping));
      }
      await sleep(pollMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  } finally {
    await sender.close();
    await removeEndpoint(db, actor, key);
  }
}

/** Says that a listener is still there (remove-dead-listeners.ts). */
async function keepListening(db: Db, { publisherId, endpointId }: EndpointKey): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ listener_seen_at: sql<Date>`now()` })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}
