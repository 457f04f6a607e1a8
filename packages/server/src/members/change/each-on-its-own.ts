import { sql } from 'kysely';
import { batchEntries } from '../../audit/record-change.ts';
import { beginStep } from '../../platform/database/connections/request-budget.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx } from '../../publishers/changing-program.ts';

export type Outcome<Result> = { done: Result } | { refused: Refusal };

interface Many<Entry> {
  publisherId: string;
  entries: readonly Entry[];
  /** True to make all changes and roll them back, to find out which would be rejected. */
  isRehearsal?: boolean;
}

/**
 * Number of changes per commit. PostgreSQL caches only 64 subtransactions per transaction, and looks up any others more
 * slowly. Small commits also let other changes to the program through sooner.
 */
const atOnce = 50;

/**
 * Makes many changes to a publisher's members in several commits and returns an outcome for each. A rejected change is
 * rolled back to a savepoint and doesn't affect the others. After a crash, the committed changes remain, and the caller
 * can safely retry all of them.
 */
export async function eachOnItsOwn<Entry, Result>(
  db: Db,
  { publisherId, entries, isRehearsal = false }: Many<Entry>,
  work: (tx: ProgramTx, entry: Entry) => Promise<Result>,
): Promise<Outcome<Result>[]> {
  const all: Outcome<Result>[] = [];
  for (let start = 0; start < entries.length; start += atOnce) {
    const batch = entries.slice(start, start + atOnce);
    let outcomes: Outcome<Result>[] = [];
    if (start > 0) beginStep();
    try {
      await inTransaction(db, (tx) =>
        batchEntries(tx, () =>
          changingProgram(tx, publisherId, async (tx) => {
            outcomes = [];
            for (const entry of batch) outcomes.push(await onItsOwn(tx, () => work(tx, entry)));
            if (isRehearsal) throw new Rehearsed();
          }),
        ),
      );
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error;
    }
    all.push(...outcomes);
  }
  return all;
}

/** Thrown to roll back a rehearsal's transaction. */
class Rehearsed extends Error {}

async function onItsOwn<Result>(tx: ProgramTx, work: () => Promise<Result>): Promise<Outcome<Result>> {
  await sql`savepoint one_of_many`.execute(tx);
  try {
    const done = await work();
    await sql`release savepoint one_of_many`.execute(tx);
    return { done };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'Unavailable') throw error;
    await sql`rollback to savepoint one_of_many`.execute(tx);
    return { refused: error };
  }
}
