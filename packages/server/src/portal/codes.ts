import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { hashLinkToken, newLinkToken } from '../accounts/people/links.ts';
import { hashAuthCode, newAuthCode } from '../linking/auth-code.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { newRowId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { findUserByEmail, lockEmail } from './emails/own-emails.ts';
import { type SigningBrowser, startSession } from './sessions.ts';

export const codeMinutes = 15;
/** Number of codes that a browser may enter while a code can be used. */
const maxTries = 10;

/** Code and link of an email. Both are shown once, and only their hashes are stored. */
export interface MailedCode {
  /** In the form `XXXX-XXXX`. */
  code: string;
  linkToken: string;
}

interface CodeRequest {
  /** Normalized email address. */
  email: string;
  /** Secret of the browser that requests the code. */
  browser: string;
  secret: Buffer;
  now: Date;
}

/** Creates a code and a link for an address, whether or not a person has signed in with it. Earlier codes stay valid. */
export async function createCode(db: Db, { email, browser, secret, now }: CodeRequest): Promise<MailedCode> {
  const code = newAuthCode();
  const linkToken = newLinkToken();
  await db
    .insertInto('portal_code')
    .values({
      link_hash: hashLinkToken(linkToken),
      code_hash: requireHash(secret, code),
      browser_hash: hashBrowser(browser),
      email,
      created_at: now,
      expires_at: new Date(now.getTime() + codeMinutes * 60_000),
    })
    .execute();
  return { code, linkToken };
}

/** Person who has just signed in. */
export interface SignedIn {
  userId: string;
  email: string;
  /** Token of the new session. */
  token: string;
}

interface TypedCode {
  code: string;
  /** Secret of the browser; null if the browser has requested no code. */
  browser: string | null;
  secret: Buffer;
}

/**
 * Signs in with a typed code, which works only in the browser that requested it. Each call counts as a try of this
 * browser's codes, and the count is committed even if the code is wrong. Codes of other browsers are not affected.
 * @throws Refusal Unauthorized
 */
export async function enterCode(
  db: Db,
  { code, browser, secret }: TypedCode,
  from: SigningBrowser,
  now: Date,
): Promise<SignedIn> {
  const codeHash = hashAuthCode(secret, code);
  if (browser === null || codeHash === null) throw wrongCode();
  const outcome = await inTransaction(db, async (tx): Promise<SignedIn | Refusal> => {
    const tried = await tx
      .updateTable('portal_code')
      .set({ tries: sql<number>`tries + 1` })
      .where('browser_hash', '=', hashBrowser(browser))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['link_hash', 'code_hash', 'tries'])
      .execute();
    const found = tried.find(({ code_hash }) => code_hash.equals(codeHash));
    if (tried.length > 0 && tried.every(({ tries }) => tries > maxTries)) return tooManyTries();
    if (found === undefined || found.tries > maxTries) return wrongCode();
    return useUp(tx, found.link_hash, from, now);
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/** Signs in with a link, which works in any browser. @throws Refusal Unauthorized */
export async function enterLink(
  db: Db,
  linkToken: string,
  from: SigningBrowser,
  now: Date,
): Promise<SignedIn> {
  const outcome = await inTransaction(db, (tx) => useUp(tx, hashLinkToken(linkToken), from, now));
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/** Uses up a code and starts a session in the same commit. If several requests use the same code, one succeeds. */
async function useUp(tx: Tx, linkHash: Buffer, from: SigningBrowser, now: Date): Promise<SignedIn | Refusal> {
  const used = await tx
    .updateTable('portal_code')
    .set({ used_at: now })
    .where('link_hash', '=', linkHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst();
  if (used === undefined) return endedLink();
  const userId = await findOrCreateUser(tx, used.email, now);
  return {
    userId,
    email: used.email,
    token: await startSession(tx, { userId, startedWith: null }, from, now),
  };
}

/** Returns the person with an address that has just been proven, which may be one of the person's further addresses. */
export async function findOrCreateUser(tx: Tx, email: string, now: Date): Promise<string> {
  await lockEmail(tx, email);
  const found = await findUserByEmail(tx, email);
  if (found !== null) return found;
  const userId = newRowId();
  await tx.insertInto('portal_user').values({ user_id: userId, email, created_at: now }).execute();
  return userId;
}

const hashBrowser = (browser: string): Buffer => hash('sha256', browser, 'buffer');

function requireHash(secret: Buffer, code: string): Buffer {
  const hashed = hashAuthCode(secret, code);
  if (hashed === null) throw new Error('a new code has another form than codes have');
  return hashed;
}

const wrongCode = (): Refusal =>
  new Refusal(
    'Unauthorized',
    'The code is wrong, has expired, or was requested in another browser. Check it, open the link in the email, or request a new code.',
  );

const tooManyTries = (): Refusal =>
  new Refusal('Unauthorized', 'Too many wrong codes. Request a new code, or open the link in the email.');

const endedLink = (): Refusal =>
  new Refusal('Unauthorized', 'This link was already used or has expired. Request a new code.');
