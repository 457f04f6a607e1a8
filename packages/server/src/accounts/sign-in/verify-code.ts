import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type AfterCall, callInTransaction } from './call-in-transaction.ts';
import type { Caller, LibraryResponse } from './call-library.ts';
import type { SignIn } from './create-sign-in.ts';
import type { Auth } from './open-auth.ts';

/** Time step of authenticator codes (RFC 6238). */
const stepMs = 30_000;
/** Number of earlier time steps whose codes are still accepted. */
const maxStepsBack = 2;

/**
 * Verifies a second-factor code. An app's code works only once and also invalidates earlier codes, so that a
 * code seen over a person's shoulder can't be reused.
 * @param typed six digits for an app's code; any other text is a recovery code, which the library uses up
 * @throws Refusal Unauthorized for a wrong or used code, RateLimited
 */
export function verifyCode(
  signIn: SignIn,
  caller: Caller,
  typed: string,
  afterCall: AfterCall = async () => {},
): Promise<LibraryResponse> {
  const code = typed.replace(/\s/g, '');
  const isTotp = /^\d{6}$/.test(code);
  const path = isTotp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const call = { method: 'POST', path, body: { code } } as const;
  return callInTransaction<{ user: { id: string } }>(signIn, caller, call, async (tx, response, auth) => {
    if (isTotp) await useUp(tx, auth, { userId: response.body.user.id, code, now: signIn.clock.now() });
    await afterCall(tx, response, auth);
  });
}

interface TotpCode {
  userId: string;
  code: string;
  now: Date;
}

async function useUp(tx: Tx, auth: Auth, { userId, code, now }: TotpCode): Promise<void> {
  const { secret } = await tx
    .selectFrom('staff_two_factor')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const step = stepOf(code, await auth.readSealed(secret), now);
  // A concurrent request with the same code waits here until the first request commits, and then updates no
  // rows.
  const { numUpdatedRows } = await tx
    .updateTable('staff_two_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where(sql<boolean>`coalesce(last_step, -1) < ${step}`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Refusal('Unauthorized', 'This code was already used. Wait for the next one.');
}

/** @returns the time step since 1970 of a code that the library has just accepted */
function stepOf(code: string, secret: string, now: Date): bigint {
  const current = BigInt(Math.floor(now.getTime() / stepMs));
  for (let step = current + 1n; step >= current - BigInt(maxStepsBack); step -= 1n)
    if (codeAt(secret, step) === code) return step;
  throw new Refusal('Unauthorized', 'The code has expired. Enter the code that your app shows now.');
}

function codeAt(secret: string, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
