import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { EventKind } from '../event-kinds.ts';
import type { TargetUrl } from './check-target.ts';
import { type EndpointKey, endpointTarget, endpointVersion, noSuchEndpoint } from './endpoint-record.ts';

export interface PutEndpoint extends EndpointKey {
  /** Absent fields don't change. */
  url?: TargetUrl | undefined;
  eventKinds?: readonly EventKind[] | undefined;
  /** Version that the actor saw (`endpointVersion`). If absent, stale edits aren't detected. */
  version?: string | undefined;
}

/**
 * Sets an endpoint's URL and event kinds.
 * @param tx transaction from `changingEndpoints`
 * @returns whether the endpoint changed
 * @throws Refusal NotFound when the endpoint doesn't exist; Stale
 */
export async function putEndpoint(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, endpointId, url, eventKinds, version }: PutEndpoint,
): Promise<boolean> {
  const found = await tx
    .selectFrom('webhook_endpoint')
    .select(['url', 'event_kinds'])
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .where('listener_seen_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) throw noSuchEndpoint({ publisherId, endpointId });
  const current = endpointVersion({ url: found.url, eventKinds: found.event_kinds });
  refuseStaleEdit('The endpoint', version, current);
  const urlChanged = url !== undefined && url !== found.url;
  const kindsChanged = eventKinds !== undefined && !isSame(eventKinds, found.event_kinds);
  if (!urlChanged && !kindsChanged) return false;
  await tx
    .updateTable('webhook_endpoint')
    .set({ ...(urlChanged && { url }), ...(kindsChanged && { event_kinds: [...eventKinds] }) })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
  await recordChange(tx, actor, {
    publisherId,
    action: 'webhook-endpoint.change',
    target: endpointTarget({ endpointId }),
    before: {
      ...(urlChanged && { url: urlInAudit(found.url) }),
      ...(kindsChanged && { events: found.event_kinds }),
    },
    after: { ...(urlChanged && { url: urlInAudit(url) }), ...(kindsChanged && { events: eventKinds }) },
  });
  return true;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
