import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { changingProgram, type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { sendsRecorded } from '../../publishers/programs.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';

/**
 * Runs work that adds, changes or removes endpoints, in one commit. Along with the program, recording caches whether
 * any endpoint receives the events for recorded purchases, so this changes the program's version if that value changes.
 * The endpoints themselves are read for every recording.
 * @throws Refusal NotFound when the publisher doesn't exist
 */
export function changingEndpoints<Result>(
  db: Db,
  publisherId: string,
  work: (tx: ProgramTx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await requirePublisher(tx, publisherId);
    return changingProgram(tx, publisherId, async (changing) => {
      const before = await sendsRecorded(changing, publisherId);
      const result = await work(changing);
      if ((await sendsRecorded(changing, publisherId)) !== before) programChanged(changing, publisherId);
      return result;
    });
  });
}
