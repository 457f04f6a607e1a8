import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Asked, askLibrary, type Caller, type LibraryAnswer } from './ask-library.ts';
import type { SignIn } from './create-sign-in.ts';
import { type Auth, openAuth } from './open-auth.ts';

/** What is done in the library's commit, once it has agreed; what this throws undoes what the library did. */
export type Afterwards = (tx: Tx, answer: LibraryAnswer, auth: Auth) => Promise<void>;

/**
 * Asks the sign-in library, whose changes and ours are one commit: a library is opened on the transaction. Where it
 * refuses, what it counted is kept.
 * @throws Refusal as the library refuses, and as `afterwards` does
 */
export async function askInCommit(
  { db, readSecret }: Pick<SignIn, 'db' | 'readSecret'>,
  caller: Caller,
  asked: Asked,
  afterwards: Afterwards,
): Promise<LibraryAnswer> {
  const secret = await readSecret();
  const outcome = await inTransaction(db, async (tx) => {
    const auth = await openAuth({ db: tx, secret, origin: caller.origin, providers: [] });
    const answer = await askLibrary(auth, caller, asked).catch(asOutcome);
    if (!(answer instanceof Refusal)) await afterwards(tx, answer, auth);
    return answer;
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

function asOutcome(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
