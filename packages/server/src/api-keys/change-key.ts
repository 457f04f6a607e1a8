import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';

export interface KeyChange {
  publisherId: string;
  keyId: KeyId;
  /** True if unknown properties and parameters are rejected instead of ignored. */
  isStrict: boolean;
}

/**
 * Turns a key's strict mode on or off. Every process applies the change within five seconds.
 * @throws Refusal NotFound for an unknown key
 */
export const changeKey = (db: Db, actor: Actor, { publisherId, keyId, isStrict }: KeyChange): Promise<void> =>
  inTransaction(db, async (tx) => {
    const key = await tx
      .selectFrom('api_key')
      .select(['name', 'is_strict'])
      .where('publisher_id', '=', publisherId)
      .where('key_id', '=', keyId)
      .forUpdate()
      .executeTakeFirst();
    if (key === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no key ${keyId}.`);
    if (key.is_strict === isStrict) return;
    await tx
      .updateTable('api_key')
      .set({ is_strict: isStrict })
      .where('publisher_id', '=', publisherId)
      .where('key_id', '=', keyId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'key.change',
      target: `key:${keyId}`,
      before: { name: key.name, strict: key.is_strict },
      after: { name: key.name, strict: isStrict },
    });
  });
