import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** The keys, as `key text`, of the kept values that are still true. */
type StillTrue = RawBuilder<{ key: string }>;

/** Asks which kept values are still true. @returns their keys */
export type Confirm = (stillTrue: StillTrue) => Promise<ReadonlySet<string>>;

/** Caches that confirm within this time do so with one statement. */
const joinForMs = 20;

/**
 * Asks the database which kept values are still true, with one statement for all caches that ask at the same time.
 */
export function joinConfirmations(db: Db): Confirm {
  let waiting: { stillTrue: StillTrue; answer: PromiseWithResolvers<ReadonlySet<string>> }[] = [];
  const ask = async (): Promise<void> => {
    const asked = waiting;
    waiting = [];
    try {
      const questions = asked.map(
        ({ stillTrue }, asker) => sql`select ${asker}::int as asker, key from (${stillTrue}) q`,
      );
      const { rows } = await sql<{
        asker: number;
        key: string;
      }>`${sql.join(questions, sql` union all `)}`.execute(db);
      const keys = Map.groupBy(rows, ({ asker }) => asker);
      for (const [asker, { answer }] of asked.entries())
        answer.resolve(new Set(keys.get(asker)?.map(({ key }) => key)));
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  };
  return (stillTrue) => {
    const answer = Promise.withResolvers<ReadonlySet<string>>();
    if (waiting.length === 0) setTimeout(() => void ask(), joinForMs);
    waiting.push({ stillTrue, answer });
    return answer.promise;
  };
}
