import { type RawBuilder, sql } from 'kysely';
import type { KeyPrincipal } from '../audit/actor.ts';
import type { Clock } from '../platform/clock.ts';
import { ConfirmedCache } from '../platform/confirmed-cache.ts';
import type { Db } from '../platform/database/database.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';
import { joinCalls } from '../platform/work/join-calls.ts';
import type { Confirm } from '../platform/work/join-confirmations.ts';
import { hashKeyAsText, type KeyKind, kindOfKey } from './key-format.ts';

interface CachedKey {
  principal: KeyPrincipal;
  hash: Buffer;
  expiresAt: Date | null;
}

const keysAtOnce = 500;

/**
 * Verifier of API keys. A cached key is verified without a database query. A revoked key is rejected within
 * five seconds.
 */
export interface KeyVerifier {
  /** @returns the principal, null for an invalid key, or a promise of either if the key isn't cached */
  verify(key: string): KeyPrincipal | null | Promise<KeyPrincipal | null>;
  /** @returns the principal of a valid key that is cached; null for any other key */
  peek(key: string): KeyPrincipal | null;
  stop(): void;
}

/** @param onUse called for every use of a valid key, so it must be fast */
export function createKeyVerifier(
  db: Db,
  clock: Clock,
  confirm: Confirm,
  onUse: (keyId: KeyId) => void,
): KeyVerifier {
  // Keys are cached by hash, so that the keys themselves don't remain in memory.
  const cache = new ConfirmedCache<CachedKey>({
    // Even a flood of unknown keys causes only one query at a time.
    load: joinCalls((hashes) => loadKeys(db, hashes), keysAtOnce),
    confirm: (keys) => confirm(stillValid(keys, clock.now())),
    maxEntries: 10_000,
  }).start();
  const principalOf = (key: CachedKey | null): KeyPrincipal | null => {
    if (key === null || (key.expiresAt !== null && key.expiresAt <= clock.now())) return null;
    onUse(key.principal.keyId);
    return key.principal;
  };

  return {
    verify(key) {
      if (kindOfKey(key) === null) return null;
      const hash = hashKeyAsText(key);
      const cached = cache.peek(hash);
      return cached === undefined ? cache.get(hash).then(principalOf) : principalOf(cached);
    },
    peek: (key) => principalOf(cache.peek(hashKeyAsText(key)) ?? null),
    stop: () => cache.stop(),
  };
}

async function loadKeys(db: Db, hashes: readonly string[]): Promise<Map<string, CachedKey>> {
  const { rows } = await sql<{
    key_hash: Buffer;
    key_id: KeyId;
    name: string;
    publisher_id: string;
    kind: KeyKind;
    group_id: string | null;
    expires_at: Date | null;
    is_strict: boolean;
  }>`
    select key_hash, key_id, name, publisher_id, kind, group_id, expires_at, is_strict
    from api_key
    where key_hash = any(${hashes.map((hash) => Buffer.from(hash, 'base64'))}::bytea[]) and revoked_at is null`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.key_hash.toString('base64'),
      {
        principal: {
          kind: 'key',
          keyId: row.key_id,
          name: row.name,
          keyKind: row.kind,
          publisherId: row.publisher_id,
          groupId: row.group_id,
          isStrict: row.is_strict,
        },
        hash: row.key_hash,
        expiresAt: row.expires_at,
      },
    ]),
  );
}

/**
 * Returns a query for the cached keys that are still valid. A key whose strict mode has changed is reloaded
 * immediately. A key that was given an earlier expiry, for example by a rotation, is reloaded when it expires.
 */
function stillValid(keys: ReadonlyMap<string, CachedKey>, now: Date): RawBuilder<{ key: string }> {
  const hashes = [...keys.values()].map(({ hash }) => hash);
  const strict = [...keys.values()].flatMap(({ hash, principal }) => (principal.isStrict ? [hash] : []));
  return sql`
    select encode(key_hash, 'base64') as key
    from api_key
    where key_hash = any(${hashes}::bytea[]) and is_strict = (key_hash = any(${strict}::bytea[])) and revoked_at is null
      and (expires_at is null or expires_at > ${now}::timestamptz)`;
}
