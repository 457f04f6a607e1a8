import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { EventKind } from '../event-kinds.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { type CheckedTarget, checkTarget } from './check-target.ts';
import { insertEndpoint } from './insert-endpoint.ts';

export interface NewEndpoint {
  publisherId: string;
  url: string;
  eventKinds: readonly EventKind[];
}

export interface CreatedEndpoint extends CheckedTarget {
  endpointId: EndpointId;
  /** Shown this once. */
  secret: string;
}

/**
 * Adds an endpoint, which is told of what happens from now on.
 * @throws TargetRefused for an address that events are not sent to
 * @throws Refusal NotFound when there is no such publisher; Conflict when it has 1,000 endpoints
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
