import type { RequestSource } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { checkConfirmation, createConfirmation, useUpConfirmation } from '../confirmations.ts';
import { recordForPerson } from '../record-for-person.ts';
import { endSessionsOf } from '../sessions.ts';
import type { ChangingSession } from './confirm-addition.ts';
import { requireSignInMethod, type SignInMethod } from './list-sign-in-methods.ts';

/** Creates the code that confirms the removal of a sign-in method. @throws Refusal NotFound for a method of another person */
export async function requestSignInRemoval(
  db: Db,
  session: ChangingSession,
  signInMethodId: string,
): Promise<SignInMethod & { code: string }> {
  const method = await requireSignInMethod(db, session.userId, signInMethodId);
  const code = await createConfirmation(db, { ...session, change: { removes: signInMethodId } });
  return { ...method, code };
}

/**
 * Removes a sign-in method, uses up the code, and ends the other sessions that the method started, in one commit.
 * @throws Refusal NotFound as in requestSignInRemoval; InvalidInput for the code
 */
export async function removeSignInMethod(
  db: Db,
  session: ChangingSession,
  { signInMethodId, code, source }: { signInMethodId: string; code: string; source: RequestSource },
): Promise<SignInMethod> {
  const { userId, sessionId, now } = session;
  await requireSignInMethod(db, userId, signInMethodId);
  const checked = await checkConfirmation(db, { ...session, code, change: { removes: signInMethodId } });
  return inTransaction(db, async (tx) => {
    await useUpConfirmation(tx, checked, now);
    const method = await requireSignInMethod(tx, userId, signInMethodId);
    const { kind } = method;
    // The row is deleted first: a sign-in at the same time holds its lock, and its session is then deleted as well.
    await tx
      .deleteFrom(kind === 'passkey' ? 'portal_passkey' : 'portal_provider_account')
      .where('user_id', '=', userId)
      .where('sign_in_method_id', '=', signInMethodId)
      .execute();
    await endSessionsOf(tx, { userId, startedWith: signInMethodId }, sessionId);
    await recordForPerson(tx, userId, source, { action: 'portal.remove-sign-in', before: { kind } });
    return method;
  });
}
