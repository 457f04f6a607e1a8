import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import {
  changingProgramme,
  type ProgrammeTx,
  programmeChanged,
} from '../../publishers/changing-programme.ts';
import { tellsRecorded } from '../../publishers/programmes.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';

/**
 * Runs what adds, changes or removes endpoints, in one commit. Recording keeps in mind whether anybody wants its events, so
 * the version moves when that is different now; the endpoints themselves it reads each time.
 * @throws Refusal NotFound when there is no such publisher
 */
export function changingEndpoints<Result>(
  db: Db,
  publisherId: string,
  work: (tx: ProgrammeTx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await requirePublisher(tx, publisherId);
    return changingProgramme(tx, publisherId, async (changing) => {
      const before = await tellsRecorded(changing, publisherId);
      const result = await work(changing);
      if ((await tellsRecorded(changing, publisherId)) !== before) programmeChanged(changing, publisherId);
      return result;
    });
  });
}
