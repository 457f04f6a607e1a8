import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** Query that returns the keys of cached values that are still current, in a column `key` of type text. */
type CurrentKeys = RawBuilder<{ key: string }>;

/** Runs a `CurrentKeys` query. @returns the keys */
export type Confirm = (currentKeys: CurrentKeys) => Promise<ReadonlySet<string>>;

/** Period in which queries from several caches are combined into one statement. */
const joinForMs = 20;

/** Combines confirmations requested by several caches at about the same time into one statement. */
export function joinConfirmations(db: Db): Confirm {
  let waiting: { currentKeys: CurrentKeys; answer: PromiseWithResolvers<ReadonlySet<string>> }[] = [];
  const confirmAll = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    try {
      const queries = batch.map(
        ({ currentKeys }, index) => sql`select ${index}::int as index, key from (${currentKeys}) q`,
      );
      const { rows } = await sql<{
        index: number;
        key: string;
      }>`${sql.join(queries, sql` union all `)}`.execute(db);
      const keys = Map.groupBy(rows, ({ index }) => index);
      for (const [index, { answer }] of batch.entries())
        answer.resolve(new Set(keys.get(index)?.map(({ key }) => key)));
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  };
  return (currentKeys) => {
    const answer = Promise.withResolvers<ReadonlySet<string>>();
    if (waiting.length === 0) setTimeout(() => void confirmAll(), joinForMs);
    waiting.push({ currentKeys, answer });
    return answer.promise;
  };
}
