import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import { randomBase62, toEndpointId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { EventKind } from '../event-kinds.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { type CheckedTarget, checkTarget, type TargetUrl } from './check-target.ts';
import { endpointTarget } from './endpoint-record.ts';
import { newSecret, secretPlace } from './secrets.ts';

/**
 * Maximum number of endpoints per publisher. Every event is matched against all of a publisher's endpoints.
 */
const maxEndpoints = 1_000;

export interface NewEndpoint {
  publisherId: string;
  url: string;
  eventKinds: readonly EventKind[];
}

export interface CreatedEndpoint extends CheckedTarget {
  endpointId: EndpointId;
  /** Signing secret, shown only once. */
  secret: string;
}

/**
 * Adds an endpoint, which will receive all new events of the chosen kinds.
 * @throws TargetRefused for a URL that webhooks must not be sent to
 * @throws Refusal NotFound when the publisher doesn't exist; Conflict when the publisher already has 1,000 endpoints
 */
export async function createEndpoint(
  { db, sealer, allowPrivateTargets }: { db: Db; sealer: Sealer; allowPrivateTargets: boolean },
  actor: Actor,
  { publisherId, url, eventKinds }: NewEndpoint,
): Promise<CreatedEndpoint> {
  const target = await checkTarget(url, allowPrivateTargets);
  const created = await changingEndpoints(db, publisherId, (tx) =>
    insertEndpoint(tx, sealer, actor, { publisherId, url: target.url, eventKinds, isListener: false }),
  );
  return { ...target, ...created };
}

interface Inserted {
  publisherId: string;
  url: TargetUrl;
  eventKinds: readonly EventKind[];
  /** True for a listener's endpoint. Workers don't send deliveries to it, and it is removed when the listener ends. */
  isListener: boolean;
  /** Defaults to a new secret. */
  secret?: string | undefined;
}

/**
 * Inserts an endpoint and its audit entry.
 * @returns the endpoint's id and its secret, which can't be shown again
 * @throws Refusal Conflict when the publisher already has 1,000 endpoints
 */
export async function insertEndpoint(
  tx: ProgramTx,
  sealer: Sealer,
  actor: Actor,
  { publisherId, url, eventKinds, isListener, secret = newSecret() }: Inserted,
): Promise<{ endpointId: EndpointId; secret: string }> {
  const { count } = await tx
    .selectFrom('webhook_endpoint')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  if (count >= maxEndpoints)
    throw new Refusal(
      'Conflict',
      `Publisher ${publisherId} already has ${maxEndpoints} endpoints. Remove one first.`,
    );
  const endpointId = toEndpointId(`we_${randomBase62(16)}`);
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
  await recordChange(tx, actor, {
    publisherId,
    action: 'webhook-endpoint.create',
    target: endpointTarget({ endpointId }),
    after: { url: urlInAudit(url), events: eventKinds, ...(isListener && { listener: true }) },
  });
  return { endpointId, secret };
}
