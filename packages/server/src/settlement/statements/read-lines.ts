import type { Db } from '../../platform/database/database.ts';
import type { Separately } from '../payouts/month/read-statements.ts';
import { readEarned } from './read-earned.ts';
import { readReversals } from './read-reversals.ts';
import type { Statement } from './statement.ts';
import type { StatementLine } from './statement-line.ts';

/**
 * Yields the lines of a statement, purchases and rewards first, in the order in which they were booked, a page at a time. They contain only what
 * never changes, so that the lines of a statement are always the same.
 */
export async function* readLines(
  db: Db,
  statement: Statement,
  separately: Separately,
): AsyncGenerator<StatementLine[]> {
  for (const membershipId of statement.membershipIds)
    yield* readEarned(db, { statement, membershipId, separately });
  for (const kind of ['reversed', 'clawedBack', 'reinstated'] as const)
    for (const membershipId of statement.membershipIds)
      yield* readReversals(db, { statement, membershipId, separately }, kind);
}
