import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { EventKind } from '../event-kinds.ts';
import type { TargetUrl } from './check-target.ts';
import { type EndpointKey, endpointTarget, noSuchEndpoint, versionOf } from './endpoint-record.ts';

export interface PutEndpoint extends EndpointKey {
  /** What is absent stays as it is. */
  url?: TargetUrl | undefined;
  eventKinds?: readonly EventKind[] | undefined;
  /** Which version of it was seen (`versionOf`); whatever it is when absent. */
  version?: string | undefined;
}

/**
 * Makes an endpoint's address, and what it is told of, what is asked for.
 * @param tx of `changingEndpoints`
 * @returns whether anything is different now
 * @throws Refusal NotFound when there is no such endpoint; Conflict when it was changed since it was seen
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
  if (version !== undefined && version !== versionOf({ url: found.url, eventKinds: found.event_kinds }))
    throw new Refusal(
      'Conflict',
      'Somebody has changed this endpoint since you opened it; look at what it is now, then change it again.',
    );
  const isMoved = url !== undefined && url !== found.url;
  const tellsOthers = eventKinds !== undefined && !isSame(eventKinds, found.event_kinds);
  if (!isMoved && !tellsOthers) return false;
  await tx
    .updateTable('webhook_endpoint')
    .set({ ...(isMoved && { url }), ...(tellsOthers && { event_kinds: [...eventKinds] }) })
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', endpointId)
    .execute();
  await recordChange(tx, actor, {
    publisherId,
    action: 'webhook-endpoint.change',
    target: endpointTarget({ endpointId }),
    before: {
      ...(isMoved && { url: urlInAudit(found.url) }),
      ...(tellsOthers && { events: found.event_kinds }),
    },
    after: { ...(isMoved && { url: urlInAudit(url) }), ...(tellsOthers && { events: eventKinds }) },
  });
  return true;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
