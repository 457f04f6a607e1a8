import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Asked, askLibrary, type Caller, type LibraryAnswer } from './ask-library.ts';
import type { SignIn } from './create-sign-in.ts';
import { type Auth, openAuth } from './open-auth.ts';

/** What is done in the library's commit, once it has agreed; what this throws undoes what the library did. */
export type Afterwards<Body = unknown> = (tx: Tx, answer: LibraryAnswer<Body>, auth: Auth) => Promise<void>;

/**
 * Asks the sign-in library, whose changes and ours are one commit: a library is opened on the transaction. Where it
 * refuses, what it counted is kept.
 * @throws Refusal as the library refuses, and as `afterwards` does
 */
export async function askInCommit<Body = unknown>(
  { db, readSecret, clock }: Pick<SignIn, 'db' | 'readSecret' | 'clock'>,
  caller: Caller,
  asked: Asked,
  afterwards: Afterwards<Body>,
): Promise<LibraryAnswer<Body>> {
  const secret = await readSecret();
  const outcome = await inTransaction(db, async (tx) => {
    const auth = await openAuth({ db: tx, secret, origin: caller.origin, providers: [], clock });
    const answer = await askLibrary<Body>(auth, caller, asked).catch(asOutcome);
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
