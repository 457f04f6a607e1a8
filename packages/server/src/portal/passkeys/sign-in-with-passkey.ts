import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { createAttempt, takeAttempt } from '../attempts.ts';
import type { SignedIn } from '../codes.ts';
import { type SigningBrowser, startSession } from '../sessions.ts';
import type { PasskeyPage } from './add-passkey.ts';
import { challengeOf } from './challenge-of.ts';

/** Returns the options for navigator.credentials.get, which are the same for everyone but the challenge. */
export async function beginPasskeySignIn(
  db: Db,
  { origin, browser }: PasskeyPage,
  now: Date,
): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    userVerification: 'required',
  });
  await createAttempt(db, { secret: options.challenge, method: 'passkey', browser }, null, now);
  return options;
}

/**
 * Signs in with a passkey that a person has added. A challenge is used up even if the passkey isn't accepted.
 * @param response response of navigator.credentials.get
 * @throws Refusal Unauthorized
 */
export async function signInWithPasskey(
  db: Db,
  page: PasskeyPage,
  { response, from, now }: { response: object; from: SigningBrowser; now: Date },
): Promise<SignedIn> {
  const answer = response as AuthenticationResponseJSON;
  const passkey = await db
    .selectFrom('portal_passkey')
    .select(['credential_id', 'public_key', 'sign_count'])
    .where('credential_id', '=', typeof answer.id === 'string' ? answer.id : '')
    .executeTakeFirst();
  if (passkey === undefined) throw unknownPasskey();
  const challenge = challengeOf(answer);
  const attempt = await takeAttempt(db, { secret: challenge, method: 'passkey', browser: page.browser }, now);
  if (attempt?.sessionId !== null) throw notAccepted();
  const count = await countAfter(answer, passkey, page, challenge);
  return inTransaction(db, async (tx) => {
    // Keeps the row's lock until the session is stored, so that a removal at the same time ends the session too.
    const used = await tx
      .updateTable('portal_passkey')
      .set({ sign_count: BigInt(count), last_used_at: now })
      .where('credential_id', '=', passkey.credential_id)
      .returning(['user_id', 'sign_in_method_id'])
      .executeTakeFirst();
    if (used === undefined) throw unknownPasskey();
    const { user_id: userId, sign_in_method_id: startedWith } = used;
    const { email } = await tx
      .selectFrom('portal_user')
      .select('email')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return { userId, email, token: await startSession(tx, { userId, startedWith }, from, now) };
  });
}

interface StoredPasskey {
  credential_id: string;
  public_key: Buffer;
  sign_count: bigint;
}

/** Verifies an answer. @returns the passkey's count of signatures @throws Refusal Unauthorized */
async function countAfter(
  response: AuthenticationResponseJSON,
  { credential_id: id, public_key, sign_count }: StoredPasskey,
  { origin }: PasskeyPage,
  expectedChallenge: string,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      credential: { id, publicKey: new Uint8Array(public_key), counter: Number(sign_count) },
      requireUserVerification: true,
    });
    if (!verified) throw new Error('the signature is wrong');
    return authenticationInfo.newCounter;
  } catch (error) {
    throw notAccepted(error);
  }
}

const notAccepted = (cause?: unknown): Refusal =>
  new Refusal(
    'Unauthorized',
    "The passkey took too long or wasn't accepted. Try again, or sign in with an emailed code.",
    { cause },
  );

const unknownPasskey = (): Refusal =>
  new Refusal(
    'Unauthorized',
    'This passkey isn’t known here, or was removed. Sign in with an emailed code, and add it under You › Sign-in.',
  );
