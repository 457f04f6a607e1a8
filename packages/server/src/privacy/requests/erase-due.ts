import { serviceActor } from '../../audit/actor.ts';
import { appendLine } from '../../platform/append-line.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { erasePersonWithoutAccounts } from '../../portal/erase-person.ts';
import { type ErasureDeps, eraseCreator } from '../erase-creator.ts';
import { toLine } from '../parse-erasures.ts';
import { lockPerson, readErasureRequest, readOpenMoneyOf } from './erasure-requests.ts';

/** Maximum number of requests that one call works on. The rest waits for the next call. */
const requestsAtOnce = 100;

/**
 * Carries out the erasures that people requested in the portal and can no longer withdraw. A person to whom money is owed, or
 * who owes money, is left alone until the next call. An erasure that was killed is continued by the next call.
 * @param log path of the file of erasures
 * @returns the number of people who were erased
 */
export async function eraseDue(deps: ErasureDeps, log: string, stopping: AbortSignal): Promise<number> {
  const due = await deps.db
    .selectFrom('erasure_request')
    .select('user_id')
    .where('due_at', '<=', deps.clock.now())
    .orderBy('due_at')
    .limit(requestsAtOnce)
    .execute();
  let erased = 0;
  for (const { user_id } of due) {
    if (stopping.aborted) break;
    if (await eraseRequested(deps, log, user_id)) erased += 1;
  }
  return erased;
}

async function eraseRequested(deps: ErasureDeps, log: string, userId: string): Promise<boolean> {
  const { db, clock } = deps;
  if (!(await start(db, userId, clock.now()))) return false;
  try {
    for (const accountId of await readAccounts(db, userId)) {
      const erasure = { accountId, replacesCodes: false, givenUp: [] };
      const at = clock.now();
      await eraseCreator(deps, serviceActor, { ...erasure, reason: 'Requested in the portal' }, () =>
        appendLine(log, toLine({ kind: 'creator', at, ...erasure }), 'Nothing was erased'),
      );
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Money came in since the check. The person can withdraw the request again while the rest waits.
    await db.updateTable('erasure_request').set({ started_at: null }).where('user_id', '=', userId).execute();
    return false;
  }
  await inTransaction(db, (tx) => erasePersonWithoutAccounts(tx, userId));
  return true;
}

/** Returns the accounts of a person, including those that were closed by an erasure that was killed later. */
async function readAccounts(db: Db, userId: string): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('portal_user_account')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Starts an erasure if no money is open. From then on, it can't be withdrawn. @returns false if it has to wait */
const start = (db: Db, userId: string, now: Date): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await lockPerson(tx, userId);
    const request = await readErasureRequest(tx, userId);
    if (request === null || request.dueAt > now) return false; // withdrawn, or erased by another process
    if ((await readOpenMoneyOf(tx, userId)).length > 0) return false;
    await tx.updateTable('erasure_request').set({ started_at: now }).where('user_id', '=', userId).execute();
    return true;
  });
