import { type Selectable, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { ApiKey, KeyId } from '../platform/database/tables.generated.ts';
import type { Page, Pages } from '../platform/page.ts';
import { requirePublisher } from '../publishers/require-publisher.ts';
import type { KeyKind } from './key-format.ts';

export interface ListedKey {
  keyId: KeyId;
  name: string;
  kind: KeyKind;
  groupId: string | null;
  createdAt: Date;
  /** Name of the actor who created the key; null for a key created before actors were recorded. */
  createdBy: string | null;
  /** Last four characters; null for a key created before they were stored. */
  hint: string | null;
  /** Accurate to the minute; null if no use has been recorded. */
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** True if unknown properties and parameters are rejected instead of ignored. */
  strict: boolean;
}

/**
 * Returns all of a publisher's keys, including revoked ones, oldest first.
 * @throws Refusal NotFound for an unknown publisher
 */
export async function listKeys(db: Db, publisherId: string): Promise<ListedKey[]> {
  await requirePublisher(db, publisherId);
  const rows = await db
    .selectFrom('api_key')
    .select(keyColumns)
    .where('publisher_id', '=', publisherId)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute();
  return rows.map(toListedKey);
}

/**
 * Returns one page of a publisher's keys, newest first.
 * @param size 1 to 250
 * @throws Refusal InvalidCursor
 */
export async function pageOfKeys(
  db: Db,
  pages: Pages,
  publisherId: string,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<ListedKey>> {
  const listing = ['keys', publisherId];
  const after = pages.after(listing, cursor);
  let query = db
    .selectFrom('api_key')
    .select(keyColumns)
    // Read as text to preserve the microseconds.
    .select(sql<string>`created_at::text`.as('created_at_text'))
    .where('publisher_id', '=', publisherId);
  if (after !== null)
    query = query.where(sql<boolean>`(created_at, key_id) < (${after[0]}::timestamptz, ${after[1]})`);
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('key_id', 'desc')
    .limit(size + 1)
    .execute();
  const page = pages.cut(listing, rows, size, ({ created_at_text, key_id }) => [created_at_text, key_id]);
  return { ...page, rows: page.rows.map(toListedKey) };
}

const keyColumns = [
  'key_id',
  'name',
  'kind',
  'group_id',
  'created_at',
  'created_by',
  'key_hint',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'is_strict',
] as const;

const toListedKey = (row: Pick<Selectable<ApiKey>, (typeof keyColumns)[number]>): ListedKey => ({
  keyId: row.key_id,
  name: row.name,
  kind: row.kind as KeyKind,
  groupId: row.group_id,
  createdAt: row.created_at,
  createdBy: row.created_by,
  hint: row.key_hint,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  strict: row.is_strict,
});

export async function namesOfKeys(
  db: Db,
  publisherId: string,
  keyIds: readonly KeyId[],
): Promise<Map<KeyId, string>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('api_key')
    .select(['key_id', 'name'])
    .where('publisher_id', '=', publisherId)
    .where('key_id', 'in', [...new Set(keyIds)])
    .execute();
  return new Map(rows.map(({ key_id, name }) => [key_id, name]));
}
