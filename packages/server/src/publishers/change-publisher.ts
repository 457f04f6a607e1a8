import type { Actor } from '../audit/actor.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import { changingProgram } from './changing-program.ts';
import type { PayoutNeeds } from './payout-needs.ts';
import { putPublisher } from './put-publisher.ts';
import { readPublisher } from './read-publisher.ts';

export interface PublisherChange {
  publisherId: string;
  /** Version that the edit is based on. */
  version: string;
  name: string;
  /** Days after which buyers are forgotten. Null means never; absent means no change. */
  forgetBuyersAfterDays?: number | null;
  /** Absent means no change. */
  payoutsNeed?: PayoutNeeds;
}

/** @throws Refusal Stale */
export const changePublisher = (
  db: Db,
  actor: Actor,
  { publisherId, version, ...fields }: PublisherChange,
): Promise<boolean> =>
  inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const before = await readPublisher(tx, publisherId);
      refuseStaleEdit('The publisher', version, before.version);
      return putPublisher(tx, actor, { id: publisherId, ...fields });
    }),
  );
