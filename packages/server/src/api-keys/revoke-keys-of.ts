import type { Actor } from '../audit/actor.ts';
import { recordChanges } from '../audit/record-change.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/** Revokes all of a publisher's keys. Every process rejects them within five seconds. */
export async function revokeKeysOf(tx: Tx, actor: Actor, publisherId: string, now: Date): Promise<void> {
  const revoked = await tx
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('publisher_id', '=', publisherId)
    .where('revoked_at', 'is', null)
    .returning(['key_id', 'name', 'kind'])
    .execute();
  await recordChanges(
    tx,
    actor,
    revoked.map(({ key_id, name, kind }) => ({
      publisherId,
      action: 'key.revoke',
      target: `key:${key_id}`,
      before: { name, kind },
    })),
  );
}
