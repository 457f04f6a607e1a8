import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EventKind } from '../event-kinds.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { checkTarget } from './check-target.ts';
import type { EndpointKey } from './endpoint-record.ts';
import { putEndpoint } from './put-endpoint.ts';

export interface EndpointChanges extends EndpointKey {
  /** What is absent stays as it is. */
  url?: string | undefined;
  eventKinds?: readonly EventKind[] | undefined;
  version?: string | undefined;
}

/**
 * Changes an endpoint's address or what it is told of.
 * @returns whether anything is different now, and what whoever changed it should know
 * @throws TargetRefused for an address that events are not sent to
 * @throws Refusal NotFound when there is no such publisher or endpoint
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
