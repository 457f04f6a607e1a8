import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { type EndpointKey, endpointTarget, noSuchEndpoint } from './endpoint-record.ts';

/**
 * Removes an endpoint. The endpoint's deliveries remain readable until they are purged.
 * @throws Refusal NotFound when the publisher or endpoint doesn't exist
 */
export function removeEndpoint(
  db: Db,
  actor: Actor,
  { publisherId, endpointId }: EndpointKey,
): Promise<void> {
  return changingEndpoints(db, publisherId, async (tx: ProgramTx) => {
    const removed = await tx
      .deleteFrom('webhook_endpoint')
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .returning(['endpoint_id', 'url', 'event_kinds'])
      .executeTakeFirst();
    if (removed === undefined) throw noSuchEndpoint({ publisherId, endpointId });
    await recordChange(tx, actor, removal(publisherId, removed));
  });
}

export const removal = (
  publisherId: string,
  removed: { endpoint_id: EndpointId; url: string; event_kinds: string[] },
) => ({
  publisherId,
  action: 'webhook-endpoint.remove',
  target: endpointTarget({ endpointId: removed.endpoint_id }),
  before: { url: urlInAudit(removed.url), events: removed.event_kinds },
});
