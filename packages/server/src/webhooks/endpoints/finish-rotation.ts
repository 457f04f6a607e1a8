import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type EndpointKey, endpointTarget } from './endpoint-record.ts';
import { lockSecrets, promoteNextSecret } from './lock-secrets.ts';

/**
 * Ends a rotation, after which only the new secret signs.
 * @throws Refusal NotFound when the endpoint doesn't exist; Conflict when no rotation is in progress
 */
export function finishRotation(db: Db, actor: Actor, key: EndpointKey, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { next, startedAt } = await lockSecrets(tx, key, now);
    if (next === null)
      throw new Refusal('Conflict', 'No rotation is in progress. Only the newest secret signs.');
    await promoteNextSecret(tx, key, next);
    await recordChange(tx, actor, {
      publisherId: key.publisherId,
      action: 'webhook-endpoint.finish-rotation',
      target: endpointTarget(key),
      before: { rotationStartedAt: startedAt },
    });
  });
}
