import type { RequestSource } from '../audit/actor.ts';
import { renameCreator } from '../members/change/rename-creator.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { changingProgram } from '../publishers/changing-program.ts';

export interface ChosenName {
  publisherId: string;
  /** Accounts of the person at the publisher. */
  accountIds: readonly AccountId[];
  name: string;
  source: RequestSource;
}

/** Changes the name that a publisher and its players see. An unchanged name changes nothing. */
export const changeName = (db: Db, { publisherId, ...renaming }: ChosenName): Promise<void> =>
  inTransaction(db, (tx) => changingProgram(tx, publisherId, (tx) => renameCreator(tx, renaming)));
