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
  /** URL (possibly on this machine) that each event is forwarded to once; null not to forward events. */
  forward: string | null;
  /** Secret from an earlier session, so that the receiver can keep using it. Defaults to a new secret. */
  secret?: string | undefined;
  /**
   * Called once before the first event.
   * @param url the normalized `forward`
   * @param secret secret for this session
   */
  onStart(url: string | null, secret: string): void;
  /** @param body body of the forwarded request */
  onEvent(event: Envelope, body: string): void;
  onForwarded(attempt: Attempt): void;
}

const pollMs = 200;
const refreshEveryMs = 60_000;
/** URL stored for a listener that doesn't forward events. No requests are sent to it. */
const placeholderUrl = 'http://localhost/';

/**
 * Shows and forwards a publisher's events as they happen, until stopped. Adds an endpoint with its own secret, and
 * removes it at the end.
 * @throws TargetRefused when `forward` is not a URL
 * @throws Refusal NotFound when the publisher doesn't exist; Conflict when the publisher already has 1,000 endpoints
 */
export async function listenToEvents(
  { db, clock, sealer }: { db: Db; clock: Clock; sealer: Sealer },
  actor: Actor,
  { publisherId, eventKinds, forward, secret: given, onStart, onEvent, onForwarded }: Listening,
  stopping: AbortSignal,
): Promise<void> {
  const url = checkListenerTarget(forward ?? placeholderUrl);
  const startedAt = clock.now();
  const { endpointId, secret } = await changingEndpoints(db, publisherId, (tx) =>
    insertEndpoint(tx, sealer, actor, { publisherId, url, eventKinds, isListener: true, secret: given }),
  );
  const key = { publisherId, endpointId };
  const sender = createSender({ clock, allowPrivateTargets: true });
  try {
    onStart(forward === null ? null : url, secret);
    const readNew = newEvents(db, publisherId, eventKinds, startedAt);
    let refreshedAtMs = startedAt.getTime();
    while (!stopping.aborted) {
      const now = clock.now();
      if (now.getTime() - refreshedAtMs > refreshEveryMs) {
        await refreshListener(db, key);
        refreshedAtMs = now.getTime();
      }
      for (const event of await readNew(now)) {
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

/** Records that a listener is still running (remove-dead-listeners.ts). */
async function refreshListener(db: Db, { publisherId, endpointId }: EndpointKey): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ listener_seen_at: sql<Date>`now()` })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}
