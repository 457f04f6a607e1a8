import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { changingProgram, type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { sendsRecorded } from '../../publishers/programs.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';

/**
 * Runs what adds, changes or removes endpoints, in one commit. Recording keeps in mind whether anybody wants its events, so
 * the version moves when that is different now; the endpoints themselves it reads each time.
 * @throws Refusal NotFound when there is no such publisher
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
