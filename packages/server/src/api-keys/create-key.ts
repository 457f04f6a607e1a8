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
  /** 1 … 255 characters; no other key of the publisher that is not revoked has it. */
  name: string;
  kind: KeyKind;
  /** Scopes the key to one group. */
  group: string | null;
  expiresAt: Date | null;
  /** A key of the caller's own, in the format of key-format.ts; made up when absent. */
  value?: string | undefined;
  /** As in changeKey; false when absent. */
  isStrict?: boolean;
}

export interface CreatedKey {
  keyId: KeyId;
  /** The key itself, which is not stored and cannot be shown again. */
  key: string;
}

/**
 * Issues a key.
 * @throws Refusal NotFound when the publisher or the group does not exist, Conflict when the name is in use, InvalidInput
 */
export const createKey = (db: Db, actor: Actor, asked: NewKey, now: Date): Promise<CreatedKey> =>
  inTransaction(db, async (tx) => {
    await requirePublisher(tx, asked.publisherId);
    if (asked.expiresAt !== null && asked.expiresAt <= now)
      throw new Refusal('InvalidInput', 'The moment at which the key expires is in the past.', {
        path: ['expiresAt'],
      });
    return addKey(tx, actor, asked);
  });

/** The same, in a transaction under way. */
export async function addKey(tx: Tx, actor: Actor, asked: NewKey): Promise<CreatedKey> {
  requireVisible(asked.name, ['name']);
  const created = await insertKey(tx, actor, asked);
  const { publisherId, name, kind, group, expiresAt } = asked;
  await recordChange(tx, actor, {
    publisherId,
    action: 'key.create',
    target: `key:${created.keyId}`,
    after: { name, kind, ...(group !== null && { group }), ...(expiresAt && { expiresAt }) },
  });
  return created;
}

/** The same for what is more than a new key, and leaves its own audit entry. */
export async function insertKey(tx: Tx, actor: Actor, asked: NewKey): Promise<CreatedKey> {
  const { publisherId, name, kind, group, expiresAt, value, isStrict = false } = asked;
  if (name.length < 1 || name.length > 255)
    throw new Refusal('InvalidInput', 'The name of a key must have 1 to 255 characters.', { path: ['name'] });
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
        ? `Publisher ${publisherId} has a key named ${name} already; choose another name, or revoke that one first.`
        : `The key ${name} cannot be used: its name or its value is taken.`,
    );
  }
  return { keyId, key };
}

/** @throws Refusal InvalidInput for a value that is no key of the kind */
export function requireValue(value: string, kind: KeyKind): void {
  const found = kindOfKey(value);
  if (found === kind) return;
  throw new Refusal(
    'InvalidInput',
    found === null
      ? 'value is no key: its last 6 characters must be the checksum of the rest'
      : `value is a ${found} key, and kind says ${kind}`,
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
