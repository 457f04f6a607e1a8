import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { type CreatedKey, insertKey } from './create-key.ts';
import type { KeyKind } from './key-format.ts';

/** Maximum time that both keys work. For a longer overlap, create a second key instead. */
export const maxOverlapHours = 30 * 24;

export interface KeyToRotate {
  publisherId: string;
  keyId: KeyId;
  /** Period during which the old key still works; at least 0. */
  overlapMs: number;
}

export interface RotatedKey extends CreatedKey {
  name: string;
  /** Time from which the old key is rejected. */
  oldExpiresAt: Date;
}

/**
 * Creates a key that replaces another one. The new key has the same kind and group but doesn't expire. The old key
 * expires after the overlap, or at its own expiry if that is earlier.
 * @throws Refusal NotFound for an unknown key; Conflict for a revoked or expired key
 */
export const rotateKey = (
  db: Db,
  actor: Actor,
  { publisherId, keyId, overlapMs }: KeyToRotate,
  now: Date,
): Promise<RotatedKey> =>
  inTransaction(db, async (tx) => {
    const old = await tx
      .selectFrom('api_key')
      .select(['name', 'kind', 'group_id', 'expires_at', 'revoked_at', 'is_strict'])
      .where('publisher_id', '=', publisherId)
      .where('key_id', '=', keyId)
      .forUpdate()
      .executeTakeFirst();
    if (old === undefined) throw new Refusal('NotFound', `Publisher ${publisherId} has no key ${keyId}.`);
    if (old.revoked_at !== null || (old.expires_at !== null && old.expires_at <= now))
      throw new Refusal(
        'Conflict',
        `The key ${old.name} was revoked or has expired. Create a new key instead.`,
      );
    const end = new Date(now.getTime() + overlapMs);
    const oldExpiresAt = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
    const name = await freeName(tx, publisherId, old.name);
    const created = await insertKey(tx, actor, {
      publisherId,
      name,
      kind: old.kind as KeyKind,
      group: old.group_id,
      expiresAt: null,
      isStrict: old.is_strict,
    });
    await tx
      .updateTable('api_key')
      .set({ expires_at: oldExpiresAt })
      .where('publisher_id', '=', publisherId)
      .where('key_id', '=', keyId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'key.rotate',
      target: `key:${keyId}`,
      before: { expiresAt: old.expires_at },
      after: { expiresAt: oldExpiresAt, newKey: created.keyId, newName: name },
    });
    return { ...created, name, oldExpiresAt };
  });

/** Maximum number of names to try for the new key. */
const maxRotations = 1_000;

/** Returns the next free name: `backend 2` after `backend`, then `backend 3`. */
async function freeName(tx: Tx, publisherId: string, name: string): Promise<string> {
  const [, stem = name, number = '1'] = /^(.*?)(?: (\d{1,4}))?$/su.exec(name) ?? [];
  const candidates = Array.from(
    { length: maxRotations },
    (_each, index) => `${stem.slice(0, 249)} ${Number(number) + 1 + index}`,
  );
  const taken = await tx
    .selectFrom('api_key')
    .select('name')
    .where('publisher_id', '=', publisherId)
    .where('revoked_at', 'is', null)
    .where('name', 'in', candidates)
    .execute();
  const free = candidates.find((each) => !taken.some((one) => one.name === each));
  if (free === undefined)
    throw new Refusal('Conflict', `There are too many keys named ${name}. Revoke some of them first.`);
  return free;
}
