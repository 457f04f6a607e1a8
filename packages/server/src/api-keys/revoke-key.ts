import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';

interface KeyToRevoke {
  publisherId: string;
  keyId: KeyId;
}

/**
 * Revokes a key. Every process rejects it within five seconds. Revoking it again doesn't change the time of revocation.
 * @throws Refusal NotFound for an unknown key
 */
export const revokeKey = (
  db: Db,
  actor: Actor,
  { publisherId, keyId }: KeyToRevoke,
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await requirePublisher(tx, publisherId);
    const key = await tx
      .selectFrom('api_key')
      .select(['name', 'kind', 'revoked_at'])
      .where('publisher_id', '=', publisherId)
      .where('key_id', '=', keyId)
      .forUpdate()
      .executeTakeFirst();
    if (key === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no key ${keyId}.`);
    if (key.revoked_at !== null) return;
    await tx
      .updateTable('api_key')
      .set({ revoked_at: now })
      .where('publisher_id', '=', publisherId)
      .where('key_id', '=', keyId)
      .execute();
    const { name, kind } = key;
    await recordChange(tx, actor, {
      publisherId,
      action: 'key.revoke',
      target: `key:${keyId}`,
      before: { name, kind },
    });
  });
