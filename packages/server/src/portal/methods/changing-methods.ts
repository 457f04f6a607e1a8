import { sql } from 'kysely';
import { type Actor, actorOf, type RequestSource } from '../../audit/actor.ts';
import { lockMembers } from '../../members/lock-members.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { changingProgram, type ProgramTx } from '../../publishers/changing-program.ts';
import { lockForPosting } from '../../settlement/settlement-lock.ts';
import { nameOf } from '../connect-account.ts';
import { readOwnAccounts, readPublishersOf } from '../own-accounts.ts';

interface Person {
  publisherId: string;
  userId: string;
}

interface Changing {
  /** The person's accounts at the publisher. There is at least one. */
  accountIds: readonly AccountId[];
  /** Time of the change on the database's clock. */
  at: Date;
}

/**
 * Runs a change of the payout methods of a signed-in person. Takes the locks that the staff's operations take, so that a step of
 * a payout sees either the old or the new method, and reads the person's accounts again under them.
 * @throws Refusal NotFound if the person no longer has an account at the publisher
 */
export const changingMethods = <Result>(
  db: Db,
  person: Person,
  work: (tx: ProgramTx, changing: Changing) => Promise<Result>,
): Promise<Result> =>
  inTransaction(db, async (tx) => {
    await lockForPosting(tx, person.publisherId);
    return changingProgram(tx, person.publisherId, async (tx) => {
      const accountIds = await lockOwnAccounts(tx, person);
      await lockMembersOfAccounts(tx, person.publisherId, accountIds);
      return work(tx, { accountIds, at: await readMoment(tx) });
    });
  });

/** Locks a person's connections, so that an account is not disconnected or erased at the same time. */
async function lockOwnAccounts(tx: Tx, { publisherId, userId }: Person): Promise<AccountId[]> {
  await tx
    .selectFrom('portal_user_account')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('account_id')
    .forShare()
    .execute();
  const ids = (await readOwnAccounts(tx, userId)).map(({ accountId }) => accountId);
  const publishers = await readPublishersOf(tx, ids);
  const here = ids.filter((each) => publishers.get(each)?.some((found) => found.publisherId === publisherId));
  if (here.length === 0)
    throw new Refusal('NotFound', 'None of your creator accounts belongs to this publisher.');
  return here;
}

/** Locks the members of accounts, so that each step of a payout sees either the old or the new method. */
export const lockMembersOfAccounts = (
  tx: Tx,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`
      select membership_id
      from membership
      where publisher_id = ${publisherId} and account_id = any(${[...accountIds]}::text[])`,
  );

/** Returns the creator as the author of a change. */
export const creatorActor = async (tx: Tx, accountId: AccountId, source: RequestSource): Promise<Actor> =>
  actorOf({ kind: 'creator', accountId, name: await nameOf(tx, accountId) }, source);
