import { sql, type Updateable } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { EndpointId, Tables } from '../../platform/database/tables.generated.ts';
import { randomBase62, toEndpointId } from '../../platform/ids.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { changingProgramme, programmeChanged } from '../../publishers/changing-programme.ts';
import { tellsRecorded } from '../../publishers/programmes.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import type { EventKind } from '../event-kinds.ts';
import { newSecret, rotationCutoff, secretPlace } from './secrets.ts';

export interface WebhookEndpoint {
  endpointId: EndpointId;
  url: string;
  eventKinds: EventKind[];
  isEnabled: boolean;
  isListener: boolean;
  /** Why it was switched off; null while it is on. */
  disabledReason: string | null;
  failingSince: Date | null;
  /** A rotation is under way since then: both secrets sign. */
  rotationStartedAt: Date | null;
  createdAt: Date;
}

/** An endpoint costs every event a look, so a publisher has not endlessly many. */
const maxEndpoints = 1_000;

/**
 * Adds an endpoint, which is told of what happens from now on.
 * @returns its id, and its secret, shown this once
 * @throws OperatorError when there is no such publisher, or it has 1,000 endpoints
 */
export function addEndpoint(
  db: Db,
  publisherId: string,
  {
    url,
    eventKinds,
    isListener = false,
  }: { url: string; eventKinds: readonly EventKind[]; isListener?: boolean },
  sealer: Sealer,
): Promise<{ endpointId: EndpointId; secret: string }> {
  return changingEndpoints(db, publisherId, async (tx) => {
    const { count } = await tx
      .selectFrom('webhook_endpoint')
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('publisher_id', '=', publisherId)
      .executeTakeFirstOrThrow();
    if (count >= maxEndpoints)
      throw new OperatorError(`Publisher ${publisherId} has ${maxEndpoints} endpoints; remove one first.`);
    const endpointId = toEndpointId(`we_${randomBase62(16)}`);
    const secret = newSecret();
    await tx
      .insertInto('webhook_endpoint')
      .values({
        publisher_id: publisherId,
        endpoint_id: endpointId,
        url,
        event_kinds: [...eventKinds],
        secret: sealer.seal(secret, secretPlace(publisherId, endpointId)),
        is_enabled: !isListener,
        listener_seen_at: isListener ? sql<Date>`now()` : null,
      })
      .execute();
    return { endpointId, secret };
  });
}

/** The publisher's endpoints, oldest first. @throws OperatorError when there is no such publisher */
export async function listEndpoints(db: Db, publisherId: string, now: Date): Promise<WebhookEndpoint[]> {
  await requirePublisher(db, publisherId);
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select([
      'endpoint_id',
      'url',
      'event_kinds',
      'is_enabled',
      'listener_seen_at',
      'disabled_reason',
      'failing_since',
      'rotation_started_at',
      'created_at',
    ])
    .where('publisher_id', '=', publisherId)
    .orderBy('created_at')
    .orderBy('endpoint_id')
    .execute();
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    url: row.url,
    eventKinds: row.event_kinds as EventKind[],
    isEnabled: row.is_enabled,
    isListener: row.listener_seen_at !== null,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    rotationStartedAt: isRotating(row.rotation_started_at, now) ? row.rotation_started_at : null,
    createdAt: row.created_at,
  }));
}

/** A rotation that is a day old has ended by itself. */
const isRotating = (startedAt: Date | null, now: Date): boolean =>
  startedAt !== null && startedAt > rotationCutoff(now);

/** Says that a listener is still there. */
export async function keepListening(db: Db, publisherId: string, endpointId: EndpointId): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ listener_seen_at: sql<Date>`now()` })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
}

/** Removes the listeners that went without saying so: for each of them events would be kept that nobody wants. */
export async function removeDeadListeners(db: Db): Promise<void> {
  const dead = await db
    .selectFrom('webhook_endpoint')
    .select(['publisher_id', 'endpoint_id'])
    .where('listener_seen_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
  for (const { publisher_id, endpoint_id } of dead)
    await removeEndpoint(db, publisher_id, endpoint_id).catch((error) => {
      if (!(error instanceof OperatorError)) throw error; // another process was faster
    });
}

/** Changes an endpoint's address or what it is told of. @throws OperatorError when there is no such endpoint */
export function changeEndpoint(
  db: Db,
  publisherId: string,
  endpointId: EndpointId,
  { url, eventKinds }: { url?: string | undefined; eventKinds?: readonly EventKind[] | undefined },
): Promise<void> {
  return updateEndpoint(db, publisherId, endpointId, {
    ...(url !== undefined && { url }),
    ...(eventKinds !== undefined && { event_kinds: [...eventKinds] }),
  });
}

/**
 * Switches an endpoint on or off. Off, it is sent nothing: what happens meanwhile is kept, and what was on its
 * way fails; both can be replayed. On again, it starts with a clean record.
 * @throws OperatorError when there is no such endpoint
 */
export function switchEndpoint(
  db: Db,
  publisherId: string,
  endpointId: EndpointId,
  isEnabled: boolean,
): Promise<void> {
  return updateEndpoint(db, publisherId, endpointId, {
    is_enabled: isEnabled,
    failing_since: null,
    disabled_reason: isEnabled ? null : 'switched off by hand',
  });
}

/** Removes an endpoint; its deliveries stay to be read until they are purged. @throws OperatorError when there is none */
export function removeEndpoint(db: Db, publisherId: string, endpointId: EndpointId): Promise<void> {
  return changingEndpoints(db, publisherId, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('webhook_endpoint')
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw noSuchEndpoint(publisherId, endpointId);
  });
}

/**
 * Starts a rotation: from now on both secrets sign, and the contract's own header keeps the old one, until
 * `endRotation` or for 24 hours.
 * @returns the new secret, shown this once
 * @throws OperatorError when there is no such endpoint, or a rotation is under way
 */
export function startRotation(
  db: Db,
  publisherId: string,
  endpointId: EndpointId,
  now: Date,
  sealer: Sealer,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, publisherId, endpointId, now);
    if (endpoint.next_secret !== null)
      throw new OperatorError(
        `A rotation is under way since ${endpoint.rotation_started_at?.toISOString()}. End it with --finish first.`,
      );
    const secret = newSecret();
    await tx
      .updateTable('webhook_endpoint')
      .set({
        next_secret: sealer.seal(secret, secretPlace(publisherId, endpointId)),
        rotation_started_at: now,
      })
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .execute();
    return secret;
  });
}

/** Ends a rotation: the old secret signs no more. @throws OperatorError when there is nothing to end */
export function endRotation(db: Db, publisherId: string, endpointId: EndpointId, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { next_secret: next } = await lockEndpoint(tx, publisherId, endpointId, now);
    if (next === null)
      throw new OperatorError('No rotation is under way: the newest secret is the only one that signs.');
    await tx
      .updateTable('webhook_endpoint')
      .set({ secret: next, next_secret: null, rotation_started_at: null })
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .execute();
  });
}

/** Locks an endpoint; a rotation that is a day old has ended by itself. */
async function lockEndpoint(tx: Tx, publisherId: string, endpointId: EndpointId, now: Date) {
  const endpoint = await tx
    .selectFrom('webhook_endpoint')
    .select(['next_secret', 'rotation_started_at'])
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .forUpdate()
    .executeTakeFirst();
  if (endpoint === undefined) throw noSuchEndpoint(publisherId, endpointId);
  const { next_secret: next, rotation_started_at: startedAt } = endpoint;
  if (next === null || isRotating(startedAt, now)) return endpoint;
  await tx
    .updateTable('webhook_endpoint')
    .set({ secret: next, next_secret: null, rotation_started_at: null })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
  return { next_secret: null, rotation_started_at: null };
}

async function updateEndpoint(
  db: Db,
  publisherId: string,
  endpointId: EndpointId,
  changes: Updateable<Tables['webhook_endpoint']>,
): Promise<void> {
  await changingEndpoints(db, publisherId, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('webhook_endpoint')
      .set(changes)
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .where('listener_seen_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw noSuchEndpoint(publisherId, endpointId);
  });
}

/** Recording keeps in mind whether anybody wants its events; the endpoints themselves it reads each time. */
function changingEndpoints<Result>(
  db: Db,
  publisherId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await requirePublisher(tx, publisherId);
    return changingProgramme(tx, publisherId, async (tx) => {
      const before = await tellsRecorded(tx, publisherId);
      const result = await work(tx);
      if ((await tellsRecorded(tx, publisherId)) !== before) programmeChanged(tx, publisherId);
      return result;
    });
  });
}

export const noSuchEndpoint = (publisherId: string, endpointId: EndpointId): OperatorError =>
  new OperatorError(`Publisher ${publisherId} has no webhook endpoint ${endpointId}.`);
