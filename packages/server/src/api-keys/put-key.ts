import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { closed, inputGroupId, inputName } from '../platform/inputs.ts';
import { addKey, type CreatedKey } from './create-key.ts';
import type { KeyKind } from './key-format.ts';

export const keyInput = Type.Object(
  {
    name: inputName,
    kind: Type.Unsafe<KeyKind>(Type.String({ enum: ['secret', 'public'] })),
    group: Type.Optional(inputGroupId),
    value: Type.Optional(
      Type.String({
        pattern: '^svc_(sk|pk)_[0-9A-Za-z]{38}$',
        description:
          'your own key, for development: svc_sk_ or svc_pk_, 32 random characters and a 6-character checksum',
      }),
    ),
  },
  {
    ...closed,
    description: 'Created if the publisher has no key with this name. An existing key never changes.',
  },
);

export interface KeyInput extends Static<typeof keyInput> {
  publisherId: string;
}

/**
 * Creates a key if the publisher doesn't have one with this name. An existing key isn't changed, even if it has been
 * revoked.
 * @returns the new key; null if the name was already in use
 * @throws Refusal for the same reasons as `createKey`
 */
export async function putKey(tx: Tx, actor: Actor, input: KeyInput): Promise<CreatedKey | null> {
  const { publisherId, name, kind, group, value } = input;
  const existing = await tx
    .selectFrom('api_key')
    .select('key_id')
    .where('publisher_id', '=', publisherId)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  if (existing !== undefined) return null;
  return addKey(tx, actor, { publisherId, name, kind, group: group ?? null, expiresAt: null, value });
}
