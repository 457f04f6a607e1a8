import type { Db } from '../platform/database/database.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import type { KeyKind } from './key-format.ts';

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
 * Every key of a publisher, revoked ones included, oldest first.
 * @throws Refusal NotFound when there is no such publisher
 */
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
