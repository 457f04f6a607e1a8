import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { hashAuthCode, newAuthCode } from '../linking/auth-code.ts';
import type { Destination } from '../payees/destination.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';

export const confirmationMinutes = 10;
/** Number of codes that a session may enter while a code can be used. */
const maxTries = 10;

/** Change, or other action, that a code confirms. */
export type ConfirmedChange =
  | { publisherId: string; destination: Destination }
  | { publisherId: string; removedMethodId: string }
  /** Download of everything that is stored about the person, or the erasure of it. */
  | { ownData: OwnDataAction }
  /** `proves` is the address that the code was sent to: the person's own, or the new one. */
  | { addedEmail: string; proves: 'own' | 'new' }
  | { removedEmail: string }
  | SignInChange;

/** Change of the sign-in methods. `adds` is a provider's id or `passkey`. */
export type SignInChange = { adds: string } | { removes: string };

export type OwnDataAction = 'download' | 'erase';

interface Confirming {
  sessionId: string;
  change: ConfirmedChange;
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
 * @param field property of the request that the error names
 * @throws Refusal InvalidInput
 */
export async function checkConfirmation(
  db: Db,
  { sessionId, change, secret, now, code, field = 'code' }: Confirming & { code: string; field?: string },
): Promise<CheckedCode> {
  const codeHash = hashAuthCode(secret, code);
  if (codeHash === null) throw wrongCode(field);
  const tried = await db
    .updateTable('portal_confirmation')
    .set({ tries: sql<number>`tries + 1` })
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['code_hash', 'change_hash', 'tries'])
    .execute();
  if (tried.length > 0 && tried.every(({ tries }) => tries > maxTries))
    throw refused('Too many wrong codes. Request a new code.', field);
  const found = tried.find(({ code_hash }) => code_hash.equals(codeHash));
  if (found === undefined || found.tries > maxTries) throw wrongCode(field);
  if (!found.change_hash.equals(hashChange(secret, change)))
    throw refused(
      'This code was sent for another change. Enter the code from the latest email, or request a new code.',
      field,
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
  if (numUpdatedRows === 0n) throw wrongCode('code');
}

/** Returns the end of the time in which the session may act on its latest used code for a change; null if it may not. */
export async function readConfirmedUntil(
  db: Db,
  { sessionId, change, secret, now }: Confirming,
): Promise<Date | null> {
  const row = await db
    .selectFrom('portal_confirmation')
    .select((eb) => eb.fn.max('used_at').as('used_at'))
    .where('session_id', '=', sessionId)
    .where('change_hash', '=', hashChange(secret, change))
    .executeTakeFirst();
  if (row?.used_at == null) return null;
  const until = new Date(row.used_at.getTime() + confirmationMinutes * 60_000);
  return until > now ? until : null;
}

const hashChange = (secret: Buffer, change: ConfirmedChange): Buffer =>
  createHmac('sha256', secret)
    .update(`confirmation\n${JSON.stringify(partsOf(change))}`)
    .digest();

function partsOf(change: ConfirmedChange): unknown[] {
  if ('destination' in change) return [change.publisherId, 'enter', change.destination];
  if ('removedMethodId' in change) return [change.publisherId, 'remove', change.removedMethodId];
  if ('ownData' in change) return [null, 'own-data', change.ownData];
  if ('addedEmail' in change) return [null, 'add-email', change.proves, change.addedEmail];
  if ('removedEmail' in change) return [null, 'remove-email', change.removedEmail];
  return 'adds' in change ? [null, 'add-sign-in', change.adds] : [null, 'remove-sign-in', change.removes];
}

const refused = (message: string, field: string): Refusal =>
  new Refusal('InvalidInput', message, { path: [field] });

const wrongCode = (field: string): Refusal =>
  refused(
    'The code is wrong, was already used, has expired, or was requested in another browser. Check it, or request a new code.',
    field,
  );
