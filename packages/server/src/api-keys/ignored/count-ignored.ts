import type { KeyPrincipal } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { type IgnoredName, saveIgnored } from './save-ignored.ts';

const flushEveryMs = 60_000;
/** Maximum number of keys that a process counts per minute. Any others aren't counted. */
const maxKeys = 1_000;
/** Maximum number of names counted per key per minute. Any others aren't counted. */
const maxNames = 20;

/** Counters of each key's ignored properties and parameters, saved once a minute. */
export interface IgnoredCounts {
  note(key: KeyPrincipal, operation: string, names: readonly string[]): void;
  flush(): Promise<void>;
}

interface KeyCounts {
  publisherId: string;
  byName: Map<string, IgnoredName>;
}

/** @param onError called if the counts couldn't be saved and were dropped */
export function createIgnoredCounts(
  db: Db,
  now: () => Date,
  onError: (error: unknown) => void,
): IgnoredCounts {
  let counted = new Map<KeyId, KeyCounts>();
  let timer: NodeJS.Timeout | null = null;
  return {
    note({ keyId, publisherId }, operation, names) {
      let ofKey = counted.get(keyId);
      if (ofKey === undefined) {
        if (counted.size >= maxKeys) return;
        ofKey = { publisherId, byName: new Map() };
        counted.set(keyId, ofKey);
      }
      for (const name of names) {
        const id = `${operation} ${name}`;
        const known = ofKey.byName.get(id);
        if (known !== undefined) known.times += 1;
        else if (ofKey.byName.size < maxNames) ofKey.byName.set(id, { keyId, operation, name, times: 1 });
      }
      timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    },
    async flush() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const unsaved = counted;
      counted = new Map();
      for (const [publisherId, keys] of Map.groupBy(unsaved.values(), (each) => each.publisherId)) {
        const names = keys.flatMap(({ byName }) => [...byName.values()]);
        await saveIgnored(db, publisherId, names, now()).catch(onError);
      }
    },
  };
}
