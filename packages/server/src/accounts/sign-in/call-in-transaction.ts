import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Caller, callLibrary, type LibraryCall, type LibraryResponse } from './call-library.ts';
import type { SignIn } from './create-sign-in.ts';
import { type Auth, openAuth } from './open-auth.ts';

/**
 * Work to do in the same transaction after the library call succeeds. If it throws, the library's changes are
 * rolled back too.
 */
export type AfterCall<Body = unknown> = (
  tx: Tx,
  response: LibraryResponse<Body>,
  auth: Auth,
) => Promise<void>;

/**
 * Calls the sign-in library in our own transaction, by opening a library instance on that transaction. If the
 * library rejects the call, its writes, such as counted attempts, are still committed. If the library itself
 * fails, its writes are rolled back, so that a code can be used again.
 * @throws Refusal from the library or from `afterCall`
 */
export async function callInTransaction<Body = unknown>(
  { db, readSecret, clock }: Pick<SignIn, 'db' | 'readSecret' | 'clock'>,
  caller: Caller,
  call: LibraryCall,
  afterCall: AfterCall<Body>,
): Promise<LibraryResponse<Body>> {
  const secret = await readSecret();
  const outcome = await inTransaction(db, async (tx) => {
    const auth = await openAuth({ db: tx, secret, origin: caller.origin, providers: [], clock });
    const response = await callLibrary<Body>(auth, caller, call).catch(asOutcome);
    if (!(response instanceof Refusal)) await afterCall(tx, response, auth);
    return response;
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

function asOutcome(error: unknown): Refusal {
  if (error instanceof Refusal && error.code !== 'Unavailable') return error;
  throw error;
}
