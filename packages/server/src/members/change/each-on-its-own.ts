import { sql } from 'kysely';
import { batchEntries } from '../../audit/record-change.ts';
import { beginStep } from '../../platform/database/connections/request-budget.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx } from '../../publishers/changing-program.ts';

/** What became of one of many changes. */
export type Outcome<Result> = { done: Result } | { refused: Refusal };

interface Many<Entry> {
  publisherId: string;
  entries: readonly Entry[];
  /** Everything is done and taken back, so that what would be refused is known, and nothing is changed. */
  isRehearsal?: boolean;
}

/**
 * PostgreSQL keeps 64 savepoints of a transaction at hand and looks the others up; and nobody else's change of the
 * program, nor a dashboard's, waits for long while one commit of these is made.
 */
const atOnce = 50;

/**
 * Makes many changes of a publisher's members, some in a commit, each with an outcome of its own: one that is refused leaves
 * nothing of itself, and the others as they are. Broken off, what was committed stays; done again, it is as it was.
 */
export async function eachOnItsOwn<Entry, Result>(
  db: Db,
  { publisherId, entries, isRehearsal = false }: Many<Entry>,
  work: (tx: ProgramTx, entry: Entry) => Promise<Result>,
): Promise<Outcome<Result>[]> {
  const all: Outcome<Result>[] = [];
  for (let start = 0; start < entries.length; start += atOnce) {
    const some = entries.slice(start, start + atOnce);
    let outcomes: Outcome<Result>[] = [];
    if (start > 0) beginStep();
    try {
      await inTransaction(db, (tx) =>
        batchEntries(tx, () =>
          changingProgram(tx, publisherId, async (tx) => {
            outcomes = [];
            for (const entry of some) outcomes.push(await onItsOwn(tx, () => work(tx, entry)));
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

/** Ends the transaction of a rehearsal. */
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
