import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { type EndpointKey, endpointTarget } from './endpoint-record.ts';
import { lockSecrets } from './lock-secrets.ts';
import { newSecret, secretPlace } from './secrets.ts';

/**
 * Starts a rotation. Both secrets sign for 24 hours or until `finishRotation` is called. The contract's
 * header uses the old secret.
 * @returns the new secret, which can't be shown again
 * @throws Refusal NotFound when the endpoint doesn't exist; Conflict when a rotation is in progress
 */
export function rotateSecret(
  { db, sealer }: { db: Db; sealer: Sealer },
  actor: Actor,
  { publisherId, endpointId }: EndpointKey,
  now: Date,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const { next, startedAt } = await lockSecrets(tx, { publisherId, endpointId }, now);
    if (next !== null)
      throw new Refusal(
        'Conflict',
        `A rotation has been in progress since ${startedAt?.toISOString()}. Finish it first.`,
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
    await recordChange(tx, actor, {
      publisherId,
      action: 'webhook-endpoint.rotate-secret',
      target: endpointTarget({ endpointId }),
      after: { rotationStartedAt: now },
    });
    return secret;
  });
}
