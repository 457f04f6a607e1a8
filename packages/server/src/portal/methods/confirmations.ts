import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { hashAuthCode, newAuthCode } from '../../linking/auth-code.ts';
import type { Destination } from '../../payees/destination.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';

export const confirmationMinutes = 10;
/** Number of codes that a session may enter while a code can be used. */
const maxTries = 10;

/** Change of a payout method that a code confirms. */
export type MethodChange = { publisherId: string } & (
  | { destination: Destination }
  | { removedMethodId: string }
);

interface Confirming {
  sessionId: string;
  change: MethodChange;
  secret: Buffer;
  now: Date;
}

/** Creates a code in the form `XXXX-XXXX`, which confirms one change in one session. Earlier codes stay valid. */
export async function createConfirmation(
  db: Db,
  { sessionId, change, secret, now }: Confirming,
): Promise<string> {
  const code = newAuthCode();
  const codeHash = hashAuthCode(secret, code);
  if (codeHash === null) throw new Error('a new code has another form than codes have');
  await db
    .insertInto('portal_confirmation')
    .values({
      session_id: sessionId,
      code_hash: codeHash,
      change_hash: hashChange(secret, change),
      created_at: now,
      expires_at: new Date(now.getTime() + confirmationMinutes * 60_000),
    })
    .execute();
  return code;
}

/** Code that was checked, and that the commit of the change uses up. */
export interface CheckedCode {
  sessionId: string;
  codeHash: Buffer;
}

/**
 * Checks a typed code without using it up. Each call counts as a try of the session's codes, and the count is committed even
 * if the code is wrong.
 * @throws Refusal InvalidInput
 */
export async function checkConfirmation(
  db: Db,
  { sessionId, change, secret, now, code }: Confirming & { code: string },
): Promise<CheckedCode> {
  const codeHash = hashAuthCode(secret, code);
  if (codeHash === null) throw wrongCode();
  const tried = await db
    .updateTable('portal_confirmation')
    .set({ tries: sql<number>`tries + 1` })
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['code_hash', 'change_hash', 'tries'])
    .execute();
  if (tried.length > 0 && tried.every(({ tries }) => tries > maxTries))
    throw refused('Too many wrong codes. Request a new code.');
  const found = tried.find(({ code_hash }) => code_hash.equals(codeHash));
  if (found === undefined || found.tries > maxTries) throw wrongCode();
  if (!found.change_hash.equals(hashChange(secret, change)))
    throw refused(
      'This code was sent for another change. Enter the code from the latest email, or request a new code.',
    );
  return { sessionId, codeHash };
}

/** Uses up a checked code in the commit of its change. @throws Refusal InvalidInput if another request was faster */
export async function useUpConfirmation(
  tx: Tx,
  { sessionId, codeHash }: CheckedCode,
  now: Date,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('portal_confirmation')
    .set({ used_at: now })
    .where('session_id', '=', sessionId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw wrongCode();
}

function hashChange(secret: Buffer, change: MethodChange): Buffer {
  const { publisherId } = change;
  const what = 'destination' in change ? ['enter', change.destination] : ['remove', change.removedMethodId];
  return createHmac('sha256', secret)
    .update(`confirmation\n${JSON.stringify([publisherId, ...what])}`)
    .digest();
}

const refused = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['code'] });

const wrongCode = (): Refusal =>
  refused(
    'The code is wrong, was already used, has expired, or was requested in another browser. Check it, or request a new code.',
  );
