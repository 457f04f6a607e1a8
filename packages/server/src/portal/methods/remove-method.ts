import type { RequestSource } from '../../audit/actor.ts';
import { tellOfMethod } from '../../notices/write-notices.ts';
import { type PayeeMethod, requireMethod } from '../../payees/read-methods.ts';
import { removeOwnMethod } from '../../payees/remove-own-method.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { checkConfirmation, createConfirmation, useUpConfirmation } from '../confirmations.ts';
import { changingMethods, creatorActor } from './changing-methods.ts';
import type { ChangingPerson } from './save-method.ts';

/**
 * Creates the code that confirms the removal of a payout method.
 * @throws Refusal NotFound for a method of another person; Conflict if it has already ended
 */
export async function requestRemoval(
  db: Db,
  person: ChangingPerson,
  accountIds: readonly AccountId[],
  methodId: string,
): Promise<Pick<PayeeMethod, 'kind' | 'hint'> & { code: string }> {
  const { publisherId } = person;
  const method = await requireOwn(db, { publisherId, accountIds, methodId });
  const change = { publisherId, removedMethodId: method.methodId };
  const code = await createConfirmation(db, { ...person, change });
  return { code, kind: method.kind, hint: method.hint };
}

/**
 * Removes a payout method, uses up the code, and writes the emails that tell of it, in one commit. Lines of existing payouts keep
 * the method.
 * @throws Refusal InvalidInput for the code; NotFound, Conflict as in requestRemoval
 */
export async function removeMethod(
  db: Db,
  person: ChangingPerson,
  accountIds: readonly AccountId[],
  { methodId: id, code, source }: { methodId: string; code: string; source: RequestSource },
): Promise<void> {
  const { publisherId, now } = person;
  const { methodId, memberId: accountId } = await requireOwn(db, { publisherId, accountIds, methodId: id });
  const change = { publisherId, removedMethodId: methodId };
  const checked = await checkConfirmation(db, { ...person, code, change });
  await changingMethods(db, person, async (tx, { accountIds: own, at }) => {
    if (!own.includes(accountId)) throw notYours();
    await useUpConfirmation(tx, checked, now);
    const actor = await creatorActor(tx, accountId, source);
    await removeOwnMethod(tx, actor, { publisherId, accountId, methodId, at });
    await tellOfMethod(tx, { publisherId, accountId, methodId, kind: 'method-removed', at, now });
  });
}

async function requireOwn(
  db: Db,
  {
    publisherId,
    accountIds,
    methodId,
  }: { publisherId: string; accountIds: readonly AccountId[]; methodId: string },
): Promise<PayeeMethod> {
  const method = await requireMethod(db, publisherId, methodId).catch(unlessNotFound);
  if (method === null || !accountIds.includes(method.memberId)) throw notYours();
  if (method.state === 'Ended')
    throw new Refusal('Conflict', 'This payout method has already ended. Nothing was changed.');
  return method;
}

const notYours = (): Refusal =>
  new Refusal('NotFound', 'You have no such payout method. Reload the page to see your payout methods.');

/** Replaces the message for the staff. */
function unlessNotFound(error: unknown): null {
  if (error instanceof Refusal && error.code === 'NotFound') return null;
  throw error;
}
