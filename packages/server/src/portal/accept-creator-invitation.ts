import { hashLinkToken } from '../accounts/people/links.ts';
import type { RequestSource } from '../audit/actor.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { findOrCreateUser, type SignedIn } from './codes.ts';
import { alreadyConnected, connectAccount, findUserOf, lockAccount } from './connect-account.ts';
import { requireOnlyHere } from './invite-creator.ts';
import { type SigningBrowser, startSession } from './sessions.ts';

/** Invitation that can be accepted. */
export interface OpenCreatorInvitation {
  publisherId: string;
  accountId: AccountId;
  accountName: string;
  email: string;
  expiresAt: Date;
}

/**
 * Finds the invitation of a link without using it up.
 * @throws Refusal NotFound for an unknown, used, withdrawn or expired invitation
 */
export async function findCreatorInvitation(
  db: Db | Tx,
  token: string,
  now: Date,
): Promise<OpenCreatorInvitation> {
  const row = await db
    .selectFrom('portal_invitation as i')
    .innerJoin('creator_account as a', 'a.account_id', 'i.account_id')
    .select(['i.publisher_id', 'i.account_id', 'i.email', 'i.expires_at', 'i.accepted_at', 'a.name'])
    .where('i.invitation_hash', '=', hashLinkToken(token))
    .executeTakeFirst();
  if (row === undefined)
    throw new Refusal(
      'NotFound',
      "The invitation doesn't exist or was withdrawn. Check that you opened the complete link, or ask the publisher for a new one.",
    );
  if (row.accepted_at !== null) throw usedInvitation();
  if (row.expires_at <= now)
    throw new Refusal('NotFound', 'This invitation has expired. Ask the publisher for a new one.');
  return {
    publisherId: row.publisher_id,
    accountId: row.account_id,
    accountName: row.name,
    email: row.email,
    expiresAt: row.expires_at,
  };
}

interface Acceptance {
  token: string;
  source: RequestSource;
  now: Date;
}

/**
 * Accepts an invitation as the person who is signed in, whose address may be another than the invited one.
 * @throws Refusal NotFound as in findCreatorInvitation; Conflict if another person has the account; Forbidden if the
 * account no longer belongs only to the publisher
 */
export const acceptSignedIn = (db: Db, acceptance: Acceptance, userId: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await accept(tx, acceptance, async () => userId);
  });

/**
 * Accepts an invitation and signs in as the invited address, which opening the emailed link has proven.
 * @throws Refusal for the same reasons as acceptSignedIn
 */
export const acceptAndSignIn = (db: Db, acceptance: Acceptance, from: SigningBrowser): Promise<SignedIn> =>
  inTransaction(db, async (tx) => {
    const { now } = acceptance;
    const { userId, email } = await accept(tx, acceptance, (invited) => findOrCreateUser(tx, invited, now));
    const token = await startSession(tx, { userId, startedWith: null }, from, now);
    return { userId, email, token };
  });

async function accept(
  tx: Tx,
  { token, source, now }: Acceptance,
  userOf: (email: string) => Promise<string>,
): Promise<{ userId: string; email: string }> {
  const { publisherId, accountId, email } = await findCreatorInvitation(tx, token, now);
  // The account is locked before its invitation, as in inviteCreator.
  await lockAccount(tx, accountId);
  const { numUpdatedRows } = await tx
    .updateTable('portal_invitation')
    .set({ accepted_at: now })
    .where('invitation_hash', '=', hashLinkToken(token))
    .where('accepted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw usedInvitation();
  const userId = await userOf(email);
  const seenBy = await findUserOf(tx, accountId);
  if (seenBy !== null && seenBy !== userId) throw alreadyConnected();
  await requireOnlyHere(tx, publisherId, accountId);
  await connectAccount(tx, { userId, accountId, proof: 'invitation', source, now });
  return { userId, email };
}

const usedInvitation = (): Refusal =>
  new Refusal('NotFound', 'This invitation was already used. Sign in instead.');
