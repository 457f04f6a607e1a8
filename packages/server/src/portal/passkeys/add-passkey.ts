import { hash } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { RequestSource } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { takeAttempt } from '../attempts.ts';
import { recordForPerson } from '../record-for-person.ts';
import { type ChangingSession, confirmAddition, tooMany } from '../sign-in-methods/confirm-addition.ts';
import { lockForAnother } from '../sign-in-methods/list-sign-in-methods.ts';
import { challengeOf } from './challenge-of.ts';

/** Page and browser in which a passkey is used. */
export interface PasskeyPage {
  /** Origin of the portal. A passkey belongs to its host name. */
  origin: string;
  /** Secret of the browser. */
  browser: string;
}

/**
 * Uses up the emailed code, and returns the options for navigator.credentials.create.
 * @throws Refusal InvalidInput for the code
 */
export async function beginPasskey(
  db: Db,
  session: ChangingSession & { email: string },
  { origin, browser }: PasskeyPage,
  code: string,
): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const { userId, email } = session;
  const own = await db
    .selectFrom('portal_passkey')
    .select('credential_id as id')
    .where('user_id', '=', userId)
    .execute();
  const options = await generateRegistrationOptions({
    rpName: 'Creator portal',
    rpID: new URL(origin).hostname,
    userName: email,
    userDisplayName: email,
    // Passkeys of one person have one handle, which says nothing about the person.
    userID: new Uint8Array(hash('sha256', `portal passkey\n${userId}`, 'buffer')),
    attestationType: 'none',
    excludeCredentials: own,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await confirmAddition(db, session, { adds: 'passkey', code }, { secret: options.challenge, browser });
  return options;
}

interface NewPasskey {
  name: string;
  /** Response of navigator.credentials.create. */
  response: object;
  source: RequestSource;
}

/**
 * Adds a passkey to the sign-in methods of the person whose session began it.
 * @throws Refusal InvalidInput; Conflict if the passkey was already added, or if there are too many
 */
export async function addPasskey(
  db: Db,
  { userId, sessionId, now }: ChangingSession,
  { origin, browser }: PasskeyPage,
  { name, response, source }: NewPasskey,
): Promise<void> {
  const challenge = challengeOf(response as RegistrationResponseJSON);
  const taken = await takeAttempt(db, { secret: challenge, method: 'passkey', browser }, now);
  if (taken?.sessionId !== sessionId) throw notAdded();
  const credential = await verifyNew(response as RegistrationResponseJSON, origin, challenge);
  await inTransaction(db, async (tx) => {
    if (!(await lockForAnother(tx, userId))) throw tooMany();
    const added = await tx
      .insertInto('portal_passkey')
      .values({
        credential_id: credential.id,
        sign_in_method_id: newRowId(),
        user_id: userId,
        public_key: Buffer.from(credential.publicKey),
        sign_count: BigInt(credential.counter),
        name,
        added_at: now,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('sign_in_method_id')
      .executeTakeFirst();
    if (added === undefined) throw new Refusal('Conflict', 'This passkey was already added.');
    await recordForPerson(tx, userId, source, { action: 'portal.add-sign-in', after: { kind: 'passkey' } });
  });
}

/** @throws Refusal InvalidInput for a response that the library doesn't accept */
async function verifyNew(response: RegistrationResponseJSON, origin: string, expectedChallenge: string) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    // Certificates could name addresses that the library would read. None are asked for.
    const attestation = isoBase64URL.toBuffer(response.response.attestationObject);
    if (decodeAttestationObject(attestation).get('fmt') !== 'none') throw new Error('it has a certificate');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
    });
    if (!verified) throw new Error('it is not verified');
    return registrationInfo.credential;
  } catch (error) {
    throw notAdded(error);
  }
}

const notAdded = (cause?: unknown): Refusal =>
  new Refusal(
    'InvalidInput',
    "The passkey couldn't be added, because it took too long or wasn't accepted. Request a new code, and try again.",
    { cause },
  );
