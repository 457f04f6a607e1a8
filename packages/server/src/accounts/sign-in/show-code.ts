import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Afterwards, askInCommit } from './ask-in-commit.ts';
import type { Caller, LibraryAnswer } from './ask-library.ts';
import type { SignIn } from './create-sign-in.ts';
import type { Auth } from './open-auth.ts';

/** How long an application shows a code, and of which shown codes one may still be (RFC 6238). */
const stepMs = 30_000;
const stepsBack = 2;

/**
 * Shows the library a code of a second factor. One that an application made is good once, and so is each before it: who
 * has looked over a shoulder comes too late.
 * @param typed six digits are of an application; what else is typed is one of the spare codes, which the library spends
 * @throws Refusal Unauthorized for a code that is wrong or was used, RateLimited
 */
export function showCode(
  signIn: SignIn,
  caller: Caller,
  typed: string,
  afterwards: Afterwards = async () => {},
): Promise<LibraryAnswer> {
  const code = typed.replace(/\s/g, '');
  const isMade = /^\d{6}$/.test(code);
  const path = isMade ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const asked = { method: 'POST', path, body: { code } } as const;
  return askInCommit<{ user: { id: string } }>(signIn, caller, asked, async (tx, answer, auth) => {
    if (isMade) await spend(tx, auth, { userId: answer.body.user.id, code, now: signIn.clock.now() });
    await afterwards(tx, answer, auth);
  });
}

interface ShownCode {
  userId: string;
  code: string;
  now: Date;
}

async function spend(tx: Tx, auth: Auth, { userId, code, now }: ShownCode): Promise<void> {
  const { secret } = await tx
    .selectFrom('staff_two_factor')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const step = stepOf(code, await auth.readSealed(secret), now);
  // Of two with the same code the second waits here for the first one's commit, and finds it spent.
  const { numUpdatedRows } = await tx
    .updateTable('staff_two_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where(sql<boolean>`coalesce(last_step, -1) < ${step}`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Refusal('Unauthorized', 'This code was used already: wait until another is shown.');
}

/** @returns in which thirty seconds since 1970 an application shows a code that the library has just accepted */
function stepOf(code: string, secret: string, now: Date): bigint {
  const current = BigInt(Math.floor(now.getTime() / stepMs));
  for (let step = current + 1n; step >= current - BigInt(stepsBack); step -= 1n)
    if (codeAt(secret, step) === code) return step;
  throw new Refusal('Unauthorized', 'The code is no longer good: take the one that is shown now.');
}

function codeAt(secret: string, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
