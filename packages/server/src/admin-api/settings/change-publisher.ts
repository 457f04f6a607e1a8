import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseLostRace, versionOf } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { putPublisher } from '../../publishers/put-publisher.ts';
import { readPublisher } from './read-publisher.ts';

export interface PublisherChange {
  publisherId: string;
  /** What whoever edits has seen. */
  version: string;
  name: string;
  /** Absent: as it is; null: never. */
  forgetBuyersAfterDays?: number | null;
}

/**
 * Names a publisher anew, and says how long its buyers are known.
 * @throws Refusal Conflict when somebody was faster
 */
export const changePublisher = (
  db: Db,
  actor: Actor,
  { publisherId, version, ...said }: PublisherChange,
): Promise<boolean> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      refuseLostRace('The publisher', version, versionOf(await readPublisher(tx, publisherId)));
      return putPublisher(tx, actor, { id: publisherId, ...said });
    }),
  );
