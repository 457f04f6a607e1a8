import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { KeyId } from '../platform/database/tables.generated.ts';

const flushEveryMs = 60_000;
/** Of a process, in a minute; what is past it is not noted. */
const maxKeys = 10_000;

/** Notes when keys are used, and writes it down once a minute, in one statement: a request costs one look at a map. */
export interface KeyUses {
  note(keyId: KeyId): void;
  /** Writes down what was noted. */
  flush(): Promise<void>;
  /** The same a last time. */
  stop(): Promise<void>;
}

/** @param onError is told when it could not be written; what was noted is forgotten then */
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

/** A key that another process is writing about is left to it: both would say the same. */
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
