import type { Actor } from '../audit/actor.ts';
import { recordChange, storedActorName } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { sqlState } from '../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { randomBase62, toKeyId } from '../platform/ids.ts';
import { requireVisible } from '../platform/inputs.ts';
import { Refusal } from '../platform/refusal.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import { hashKey, type KeyKind, kindOfKey, newKey } from './key-format.ts';

export interface NewKey {
  publisherId: string;
  /** 1 to 255 characters, unique among the publisher's keys that haven't been revoked. */
  name: string;
  kind: KeyKind;
  /** Group that the key is scoped to; null for the whole publisher. */
  group: string | null;
  expiresAt: Date | null;
  /** Key value chosen by the caller, in the format of key-format.ts. Random if absent. */
  value?: string | undefined;
  /** True if unknown properties and parameters are rejected instead of ignored. Defaults to false. */
  isStrict?: boolean;
}

export interface CreatedKey {
  keyId: KeyId;
  /** Key in plain text. It isn't stored and can't be shown again. */
  key: string;
}

/** @throws Refusal NotFound for an unknown publisher or group; Conflict if the name is in use; InvalidInput */
export const createKey = (db: Db, actor: Actor, input: NewKey, now: Date): Promise<CreatedKey> =>
  inTransaction(db, async (tx) => {
    await requirePublisher(tx, input.publisherId);
    if (input.expiresAt !== null && input.expiresAt <= now)
      throw new Refusal('InvalidInput', 'The expiry time is in the past. Choose a later time.', {
        path: ['expiresAt'],
      });
    return addKey(tx, actor, input);
  });

/** Creates a key and its audit entry in the caller's transaction. */
export async function addKey(tx: Tx, actor: Actor, input: NewKey): Promise<CreatedKey> {
  requireVisible(input.name, ['name']);
  const created = await insertKey(tx, actor, input);
  const { publisherId, name, kind, group, expiresAt } = input;
  await recordChange(tx, actor, {
    publisherId,
    action: 'key.create',
    target: `key:${created.keyId}`,
    after: { name, kind, ...(group !== null && { group }), ...(expiresAt && { expiresAt }) },
  });
  return created;
}

/** Inserts a key without an audit entry. For operations that write their own entries. */
export async function insertKey(tx: Tx, actor: Actor, input: NewKey): Promise<CreatedKey> {
  const { publisherId, name, kind, group, expiresAt, value, isStrict = false } = input;
  if (name.length < 1 || name.length > 255)
    throw new Refusal('InvalidInput', 'The key name must be 1 to 255 characters long.', {
      path: ['name'],
    });
  if (value !== undefined) requireValue(value, kind);
  if (group !== null) await requireGroup(tx, publisherId, group);
  const key = value ?? newKey(kind);
  const keyId = toKeyId(`key_${randomBase62(16)}`);
  try {
    await tx
      .insertInto('api_key')
      .values({
        key_hash: hashKey(key),
        key_id: keyId,
        publisher_id: publisherId,
        name,
        kind,
        group_id: group,
        expires_at: expiresAt,
        is_strict: isStrict,
        key_hint: key.slice(-4),
        created_by: storedActorName(actor.name),
      })
      .execute();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    throw new Refusal(
      'Conflict',
      value === undefined
        ? `Publisher ${publisherId} already has a key named ${name}. Choose another name, or revoke that key first.`
        : `Couldn't create the key ${name}, because its name or value is already in use. Choose another one.`,
    );
  }
  return { keyId, key };
}

/**
 * Checks a key value chosen by the caller. @throws Refusal InvalidInput if the value isn't a key of this kind
 */
export function requireValue(value: string, kind: KeyKind): void {
  const found = kindOfKey(value);
  if (found === kind) return;
  throw new Refusal(
    'InvalidInput',
    found === null
      ? "value isn't a valid key: its last 6 characters must be the checksum of the rest"
      : `value is a ${found} key, but kind is ${kind}`,
    { path: ['value'] },
  );
}

async function requireGroup(tx: Tx, publisherId: string, groupId: string): Promise<void> {
  const group = await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .executeTakeFirst();
  if (group === undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no group ${groupId}.`, { path: ['group'] });
}
