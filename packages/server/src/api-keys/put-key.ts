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
          'a key of your own: svc_sk_ or svc_pk_, 32 random characters and 6 of checksum; for development',
      }),
    ),
  },
  { ...closed, description: 'Made when the publisher has no key of this name; never changed.' },
);

export interface KeyInput extends Static<typeof keyInput> {
  publisherId: string;
}

/**
 * Issues a key when the publisher has none of its name; one that was made before, revoked or not, is left alone.
 * @returns the new key; null when there was one
 * @throws Refusal as `createKey`
 */
export async function putKey(tx: Tx, actor: Actor, input: KeyInput): Promise<CreatedKey | null> {
  const { publisherId, name, kind, group, value } = input;
  const known = await tx
    .selectFrom('api_key')
    .select('key_id')
    .where('publisher_id', '=', publisherId)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
  if (known !== undefined) return null;
  return addKey(tx, actor, { publisherId, name, kind, group: group ?? null, expiresAt: null, value });
}
