import type { Db } from '../platform/database/database.ts';
import { sqlState } from '../platform/database/database-errors.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { randomBase62, toKeyId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { hashKey, type KeyKind, newKey } from './key-format.ts';

export interface NewKey {
  name: string;
  kind: KeyKind;
  /** Scopes the key to one group. */
  groupId: string | null;
  expiresAt: Date | null;
  /** A key of the caller's own, in the format of key-format.ts; made up when absent. */
  value?: string | undefined;
}

export interface ListedKey {
  keyId: KeyId;
  name: string;
  kind: KeyKind;
  groupId: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/**
 * Issues a key.
 * @returns the key itself, which is not stored and cannot be shown again, and its id
 * @throws Refusal when the publisher or the group does not exist, or the name is in use
 */
export async function createKey(
  db: Db | Tx,
  publisherId: string,
  { name, kind, groupId, expiresAt, value }: NewKey,
): Promise<{ keyId: KeyId; key: string }> {
  await requirePublisher(db, publisherId);
  if (groupId !== null) {
    const group = await db
      .selectFrom('creator_group')
      .select('group_id')
      .where('publisher_id', '=', publisherId)
      .where('group_id', '=', groupId)
      .executeTakeFirst();
    if (group === undefined)
      throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`);
  }
  const key = value ?? newKey(kind);
  const keyId = toKeyId(`key_${randomBase62(16)}`);
  try {
    await db
      .insertInto('api_key')
      .values({
        key_hash: hashKey(key),
        key_id: keyId,
        publisher_id: publisherId,
        name,
        kind,
        group_id: groupId,
        expires_at: expiresAt,
      })
      .execute();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    throw new Refusal(
      'Conflict',
      value === undefined
        ? `Publisher ${publisherId} has a key named ${name} already; choose another name, or revoke that one first.`
        : `The key ${name} cannot be used: its name or its value is taken.`,
    );
  }
  return { keyId, key };
}

/** Every key of a publisher, revoked ones included, oldest first. */
export async function listKeys(db: Db, publisherId: string): Promise<ListedKey[]> {
  await requirePublisher(db, publisherId);
  const rows = await db
    .selectFrom('api_key')
    .select(['key_id', 'name', 'kind', 'group_id', 'created_at', 'expires_at', 'revoked_at'])
    .where('publisher_id', '=', publisherId)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute();
  return rows.map((row) => ({
    keyId: row.key_id,
    name: row.name,
    kind: row.kind as KeyKind,
    groupId: row.group_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }));
}

/** Revokes a key at `now`; a key revoked before keeps its first time. It is dead everywhere in five seconds. */
export async function revokeKey(db: Db, publisherId: string, keyId: KeyId, now: Date): Promise<void> {
  await requirePublisher(db, publisherId);
  const { numUpdatedRows } = await db
    .updateTable('api_key')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('publisher_id', '=', publisherId)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Refusal('NotFound', `Publisher ${publisherId} has no key ${keyId}.`);
}
