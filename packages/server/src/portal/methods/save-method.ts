import type { RequestSource } from '../../audit/actor.ts';
import { tellOfMethod } from '../../notices/write-notices.ts';
import { checkDestination, type TypedDestination } from '../../payees/check-destination.ts';
import { type Destination, hintOf } from '../../payees/destination.ts';
import { hasMethod, type MethodSecrets, saveOwnMethod } from '../../payees/save-own-method.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkConfirmation, createConfirmation, useUpConfirmation } from '../confirmations.ts';
import { changingMethods, creatorActor } from './changing-methods.ts';

/** Person who changes a payout method, with the secrets that are needed for it. */
export interface ChangingPerson {
  publisherId: string;
  userId: string;
  sessionId: string;
  /** Secret that hashes codes. */
  secret: Buffer;
  methods: MethodSecrets;
  now: Date;
}

/**
 * Checks a payout method before it is saved, and creates the code that confirms it.
 * @returns the code, and the method's kind and hint for the email
 * @throws Refusal InvalidInput; Conflict if it already is the method of all of the person's accounts
 */
export async function requestSaving(
  db: Db,
  person: ChangingPerson,
  accountIds: readonly AccountId[],
  typed: TypedDestination,
): Promise<{ code: string; kind: Destination['kind']; hint: string }> {
  const destination = checkDestination(typed);
  const { publisherId } = person;
  await accountsWithout(db, person, accountIds, destination);
  const code = await createConfirmation(db, { ...person, change: { publisherId, destination } });
  return { code, kind: destination.kind, hint: hintOf(destination) };
}

/**
 * Saves a payout method for all of the person's accounts at the publisher, uses up the code, and writes the emails that tell of
 * it, in one commit.
 * @throws Refusal InvalidInput, also for the code; NotFound; Conflict if it already is the method
 */
export async function saveMethod(
  db: Db,
  person: ChangingPerson,
  { typed, code, source }: { typed: TypedDestination; code: string; source: RequestSource },
): Promise<void> {
  const destination = checkDestination(typed);
  const { publisherId, methods, now } = person;
  const checked = await checkConfirmation(db, { ...person, code, change: { publisherId, destination } });
  await changingMethods(db, person, async (tx, { accountIds, at }) => {
    await useUpConfirmation(tx, checked, now);
    for (const accountId of await accountsWithout(tx, person, accountIds, destination)) {
      const actor = await creatorActor(tx, accountId, source);
      const method = { publisherId, accountId, ownAccountIds: accountIds, destination, at };
      const methodId = await saveOwnMethod(tx, methods, actor, method);
      await tellOfMethod(tx, { publisherId, accountId, methodId, kind: 'method-entered', at, now });
    }
  });
}

/** Returns the accounts that don't have the method yet. @throws Refusal Conflict if there are none */
async function accountsWithout(
  db: Db | Tx,
  { publisherId, methods }: ChangingPerson,
  accountIds: readonly AccountId[],
  destination: Destination,
): Promise<AccountId[]> {
  const without: AccountId[] = [];
  for (const accountId of accountIds)
    if (!(await hasMethod(db, methods, { publisherId, accountId, destination }))) without.push(accountId);
  if (without.length === 0)
    throw new Refusal('Conflict', 'This is already your payout method. Nothing was changed.');
  return without;
}
