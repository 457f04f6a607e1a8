import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { type CreatedKey, insertKey } from './create-key.ts';
import type { KeyKind } from './key-format.ts';

/** Of two keys: who needs longer makes a new one instead. */
export const longestOverlapHours = 30 * 24;

export interface KeyToRotate {
  publisherId: string;
  keyId: KeyId;
  /** For how long the old key works beside the new one; 0 and more. */
  overlapMs: number;
}

export interface RotatedKey extends CreatedKey {
  name: string;
  /** From when the old key is refused. */
  oldExpiresAt: Date;
}

/**
 * Makes a key beside another one, of its kind and group and without an end, and gives the old one an end unless it has an
 * earlier one: until then both work.
 * @throws Refusal NotFound when the publisher has no such key, Conflict when it works no more
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
      throw new Refusal('Conflict', `The key ${old.name} works no more; make a new one instead.`);
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

/** Nobody rotates a key more often. */
const maxRotations = 1_000;

/** `backend` is followed by `backend 2`, and that by `backend 3`. */
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
  if (free === undefined) throw new Refusal('Conflict', `There are too many keys named ${name}.`);
  return free;
}
