import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { rowIdFloor } from '../platform/ids.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { createSender } from '../webhooks/delivery/send-request.ts';
import { type Envelope, signatureHeaders, toBody } from '../webhooks/delivery/signature.ts';
import { readTarget } from '../webhooks/endpoints/address-guard.ts';
import { addEndpoint, keepListening, removeEndpoint } from '../webhooks/endpoints/manage-endpoints.ts';
import { readEventKinds } from './webhooks.ts';

export interface ListenOptions {
  publisher: string;
  forward?: string;
  events?: string;
  json?: boolean;
}

const pollMs = 200;
const keepEveryMs = 60_000;
/**
 * Events become visible when they are committed, which may be after later ones: so each look goes back a while
 * before the one before it, however long forwarding took.
 */
const lookBackMs = 60_000;
const eventsAtOnce = 500;

/**
 * Prints a publisher's events as they happen, and forwards each once to an address on this machine, until it is
 * stopped. It is an endpoint of its own with a secret of its own, and is gone afterwards.
 */
export async function listenCommand(
  db: Db,
  clock: Clock,
  options: ListenOptions,
  stopping: AbortSignal,
  print: (line: string) => void,
  sealer: Sealer,
): Promise<void> {
  const { publisher, forward, json } = options;
  const url = forward === undefined ? null : readTarget(forward, true).href;
  const eventKinds = readEventKinds(options.events ?? 'all');
  const startedAt = clock.now();
  const { endpointId, secret } = await addEndpoint(
    db,
    publisher,
    { url: url ?? 'http://localhost/', eventKinds, isListener: true },
    sealer,
  );
  const sender = createSender({ clock, allowPrivateTargets: true });
  try {
    if (!json) {
      print(`Listening to ${publisher}${url === null ? '' : `, forwarding to ${url}`}. Ctrl-C ends it.`);
      print(`The secret for this session: ${secret}\n`);
    } else print(JSON.stringify({ listening: publisher, secret }));
    const seen = new Map<string, number>();
    let lookedAt = clock.now();
    let keptAtMs = lookedAt.getTime();
    while (!stopping.aborted) {
      const from = new Date(Math.max(startedAt.getTime(), lookedAt.getTime() - lookBackMs));
      lookedAt = clock.now();
      if (lookedAt.getTime() - keptAtMs > keepEveryMs) {
        await keepListening(db, publisher, endpointId);
        keptAtMs = lookedAt.getTime();
      }
      for (const envelope of await newEvents(db, publisher, eventKinds, from, seen)) {
        const body = toBody(envelope);
        if (json) print(body);
        else
          print(
            `${envelope.createdAt.toISOString()}  ${envelope.kind}  ${envelope.eventId}\n${envelope.event}`,
          );
        if (url === null) continue;
        if (stopping.aborted) break;
        const headers = signatureHeaders(
          envelope,
          body,
          { contract: secret, standard: [secret] },
          clock.now(),
        );
        const { statusCode, error, durationMs } = await sender.send(url, headers, body, stopping);
        if (!json) print(`  → ${statusCode ?? error}, ${durationMs} ms\n`);
      }
      await sleep(pollMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  } finally {
    await sender.close();
    await removeEndpoint(db, publisher, endpointId);
  }
}

async function newEvents(
  db: Db,
  publisherId: string,
  kinds: readonly string[],
  from: Date,
  seen: Map<string, number>,
): Promise<Envelope[]> {
  for (const [eventId, atMs] of seen) if (atMs < from.getTime()) seen.delete(eventId);
  const { rows } = await sql<Envelope>`
    select event_id as "eventId", created_at as "createdAt", kind, event
    from webhook_event
    where publisher_id = ${publisherId} and event_id >= ${rowIdFloor(from)}::uuid
      and created_at >= ${from} and kind = any(${kinds}::text[])
      and not exists (select from unnest(${[...seen.keys()]}::uuid[]) as s (id) where s.id = event_id)
    order by event_id
    limit ${eventsAtOnce}`.execute(db);
  for (const { eventId, createdAt } of rows) seen.set(eventId, createdAt.getTime());
  return rows;
}
