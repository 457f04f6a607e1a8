import type { KeyPrincipal } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { type IgnoredName, saveIgnored } from './save-ignored.ts';

const flushEveryMs = 60_000;
/** Of a process, in a minute; keys past it are not counted. */
const maxKeys = 1_000;
/** Of a key, in a minute; names past it are not counted. */
const maxNames = 20;

/** Counts by key what requests sent and nothing read, and saves it once a minute. */
export interface IgnoredCounts {
  note(key: KeyPrincipal, operation: string, names: readonly string[]): void;
  /** Saves what was counted. */
  flush(): Promise<void>;
}

interface Counted {
  publisherId: string;
  byName: Map<string, IgnoredName>;
}

/** @param onError is told when counts could not be saved; they are dropped then */
export function createIgnoredCounts(
  db: Db,
  now: () => Date,
  onError: (error: unknown) => void,
): IgnoredCounts {
  let counted = new Map<KeyId, Counted>();
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
        const place = `${operation} ${name}`;
        const known = ofKey.byName.get(place);
        if (known !== undefined) known.times += 1;
        else if (ofKey.byName.size < maxNames) ofKey.byName.set(place, { keyId, operation, name, times: 1 });
      }
      timer ??= setTimeout(() => void this.flush(), flushEveryMs).unref();
    },
    async flush() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const saved = counted;
      counted = new Map();
      for (const [publisherId, keys] of Map.groupBy(saved.values(), (each) => each.publisherId)) {
        const names = keys.flatMap(({ byName }) => [...byName.values()]);
        await saveIgnored(db, publisherId, names, now()).catch(onError);
      }
    },
  };
}
