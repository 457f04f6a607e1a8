import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EventKind } from '../event-kinds.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { checkTarget } from './check-target.ts';
import type { EndpointKey } from './endpoint-record.ts';
import { putEndpoint } from './put-endpoint.ts';

export interface EndpointChanges extends EndpointKey {
  /** Absent fields don't change. */
  url?: string | undefined;
  eventKinds?: readonly EventKind[] | undefined;
  version?: string | undefined;
}

/**
 * Changes an endpoint's URL or event kinds.
 * @returns whether the endpoint changed, and a warning for the actor
 * @throws TargetRefused for a URL that webhooks must not be sent to
 * @throws Refusal NotFound when the publisher or endpoint doesn't exist; Stale
 */
export async function changeEndpoint(
  { db, allowPrivateTargets }: { db: Db; allowPrivateTargets: boolean },
  actor: Actor,
  { url, ...rest }: EndpointChanges,
): Promise<{ isChanged: boolean; warning: string | null }> {
  const target = url === undefined ? null : await checkTarget(url, allowPrivateTargets);
  const isChanged = await changingEndpoints(db, rest.publisherId, (tx) =>
    putEndpoint(tx, actor, { ...rest, url: target?.url }),
  );
  return { isChanged, warning: target?.warning ?? null };
}
