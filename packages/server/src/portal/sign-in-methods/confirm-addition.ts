import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { createAttempt } from '../attempts.ts';
import { checkConfirmation, createConfirmation, useUpConfirmation } from '../confirmations.ts';
import { listSignInMethods, maxSignInMethods } from './list-sign-in-methods.ts';

/** Session that changes its person's sign-in methods. */
export interface ChangingSession {
  userId: string;
  sessionId: string;
  /** Secret that hashes codes. */
  secret: Buffer;
  now: Date;
}

/** Creates the code that confirms the addition of a sign-in method. @throws Refusal Conflict if there are too many */
export async function requestAddition(db: Db, session: ChangingSession, adds: string): Promise<string> {
  if ((await listSignInMethods(db, session.userId)).length >= maxSignInMethods) throw tooMany();
  return createConfirmation(db, { ...session, change: { adds } });
}

/**
 * Uses up a code, and begins the visit or question that adds the sign-in method, in one commit.
 * @param attempt the secret that the provider or the passkey returns, and the browser's secret
 * @throws Refusal InvalidInput
 */
export async function confirmAddition(
  db: Db,
  session: ChangingSession,
  { adds, code }: { adds: string; code: string },
  attempt: { secret: string; browser: string },
): Promise<void> {
  const checked = await checkConfirmation(db, { ...session, code, change: { adds } });
  await inTransaction(db, async (tx) => {
    await useUpConfirmation(tx, checked, session.now);
    await createAttempt(tx, { ...attempt, method: adds }, session.sessionId, session.now);
  });
}

export const tooMany = (): Refusal =>
  new Refusal('Conflict', `You already have ${maxSignInMethods} sign-in methods. Remove one first.`);
