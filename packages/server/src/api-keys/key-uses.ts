import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';

const flushEveryMs = 60_000;
/** Maximum number of keys that each process collects per minute. Uses of any others aren't recorded. */
const maxKeys = 10_000;

/** Keys that were used, saved once a minute in one statement. Each request costs one set lookup. */
export interface KeyUses {
  note(keyId: KeyId): void;
  flush(): Promise<void>;
  /** Saves the collected uses before shutdown. */
  stop(): Promise<void>;
}

/** @param onError called if the collected uses couldn't be saved and were dropped */
export function createKeyUses(db: Db, now: () => Date, onError: (error: unknown) => void): KeyUses {
  let used = new Set<KeyId>();
  let timer: NodeJS.Timeout | null = null;
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (used.size === 0) return;
    const keyIds = [...used];
    used = new Set();
    await saveUses(db, keyIds, now()).catch(onError);
  };
  return {
    note(keyId) {
      if (used.has(keyId) || used.size >= maxKeys) return;
      used.add(keyId);
      timer ??= setTimeout(() => void flush(), flushEveryMs).unref();
    },
    flush,
    stop: flush,
  };
}

/** Skips keys that another process is updating, because that process writes nearly the same timestamp. */
const saveUses = (db: Db, keyIds: readonly KeyId[], now: Date): Promise<unknown> =>
  sql`
    with used as materialized (
      select key_hash
      from api_key
      where key_id = any(${keyIds}::text[]) and coalesce(last_used_at < ${now}::timestamptz, true)
      for no key update skip locked
    )
    update api_key
    set last_used_at = ${now}::timestamptz
    from used
    where api_key.key_hash = used.key_hash`.execute(db);
