import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { changingEndpoints } from './changing-endpoints.ts';
import { type EndpointKey, endpointTarget, noSuchEndpoint } from './endpoint-record.ts';

/** Stored reason of an endpoint that a person switched off. People read `shownReason` instead. */
export const switchedOffByHand = 'switched off by hand';

/** Returns the reason why an endpoint is off, in the words that people read. */
export const shownReason = (stored: string | null): string | null =>
  stored === switchedOffByHand ? 'turned off by your team' : stored;

/**
 * Switches an endpoint on or off. An endpoint that is off doesn't receive events: pending deliveries fail, and new
 * events are only stored. Both can be replayed. Switching an endpoint on clears its recorded failures.
 * @throws Refusal NotFound when the publisher or endpoint doesn't exist
 */
export function switchEndpoint(
  db: Db,
  actor: Actor,
  { publisherId, endpointId, isEnabled }: EndpointKey & { isEnabled: boolean },
): Promise<void> {
  return changingEndpoints(db, publisherId, async (tx) => {
    const found = await tx
      .selectFrom('webhook_endpoint')
      .select(['is_enabled', 'failing_since', 'disabled_reason'])
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .where('listener_seen_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (found === undefined) throw noSuchEndpoint({ publisherId, endpointId });
    const reason = isEnabled ? null : switchedOffByHand;
    const { is_enabled: wasEnabled, failing_since: failingSince, disabled_reason: oldReason } = found;
    if (wasEnabled === isEnabled && failingSince === null && oldReason === reason) return;
    await tx
      .updateTable('webhook_endpoint')
      .set({ is_enabled: isEnabled, failing_since: null, disabled_reason: reason })
      .where('publisher_id', '=', publisherId)
      .where('endpoint_id', '=', endpointId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: isEnabled ? 'webhook-endpoint.enable' : 'webhook-endpoint.disable',
      target: endpointTarget({ endpointId }),
      before: { enabled: wasEnabled, failingSince, disabledReason: shownReason(oldReason) },
      after: { enabled: isEnabled, failingSince: null, disabledReason: shownReason(reason) },
    });
  });
}
