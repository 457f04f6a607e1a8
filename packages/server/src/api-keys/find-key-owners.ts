import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';

interface KeyOwner {
  publisherId: string;
  keyId: KeyId;
}

/** Returns the keys' owners by hash (in hexadecimal), even for revoked and expired keys. */
export async function findKeyOwners(db: Db, hashes: readonly Buffer[]): Promise<Map<string, KeyOwner>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; publisher_id: string; key_id: KeyId }>`
    select encode(key_hash, 'hex') as hash, publisher_id, key_id
    from api_key
    where key_hash = any(${[...hashes]}::bytea[])`.execute(db);
  return new Map(
    rows.map(({ hash, publisher_id, key_id }) => [hash, { publisherId: publisher_id, keyId: key_id }]),
  );
}
