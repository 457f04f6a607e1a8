import { emailAddress } from '../accounts/people/email-address.ts';
import { hashLinkToken, newLinkToken } from '../accounts/people/links.ts';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { isOnlyAt } from '../linking/issue-auth-code.ts';
import { requireMemberAccount } from '../members/read/find-account.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { liveOf } from '../publishers/sandboxes.ts';
import { findUserOf, lockAccount } from './connect-account.ts';

export const invitationDays = 7;

export interface CreatorInvitation {
  publisherId: string;
  accountId: AccountId;
  email: string;
}

export interface InvitedCreator {
  email: string;
  accountName: string;
  /** Token in the link, which is only emailed: opening the link proves the address. */
  token: string;
  expiresAt: Date;
}

/**
 * Invites a person to see an account in the portal, and withdraws earlier invitations for the account. As for auth codes,
 * the account must belong only to the publisher, because the person sees its earnings everywhere.
 * @throws Refusal NotFound, AccountNotFound, InvalidInput; Forbidden if the account belongs to a creator or is a member
 * of another publisher; Conflict if the account is already connected, and in a sandbox
 */
export async function inviteCreator(
  db: Db,
  actor: Actor,
  { publisherId, accountId, ...invitation }: CreatorInvitation,
  now: Date,
): Promise<InvitedCreator> {
  const email = emailAddress(invitation.email);
  await requireMemberAccount(db, publisherId, accountId);
  return inTransaction(db, async (tx) => {
    if ((await liveOf(tx, publisherId)) !== null)
      throw new Refusal(
        'Conflict',
        "Creators can't be invited from a sandbox. Invite them at the live publisher.",
      );
    const accountName = await lockAccount(tx, accountId);
    await requireOnlyHere(tx, publisherId, accountId);
    if ((await findUserOf(tx, accountId)) !== null)
      throw new Refusal(
        'Conflict',
        'The creator already sees this account in the portal. Disconnect it first.',
      );
    await withdrawInvitations(tx, publisherId, accountId);
    const token = newLinkToken();
    const expiresAt = new Date(now.getTime() + invitationDays * 86_400_000);
    await tx
      .insertInto('portal_invitation')
      .values({
        invitation_hash: hashLinkToken(token),
        publisher_id: publisherId,
        account_id: accountId,
        email,
        invited_by: actor.name.slice(0, 255) || '-',
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'portal.invite',
      target: `member:${accountId}`,
      after: { email, expiresAt },
    });
    return { email, accountName, token, expiresAt };
  });
}

/** @throws Refusal Forbidden */
export async function requireOnlyHere(tx: Tx, publisherId: string, accountId: AccountId): Promise<void> {
  if (!(await isOnlyAt(tx, publisherId, accountId)))
    throw new Refusal(
      'Forbidden',
      `Account ${accountId} does not belong only to publisher ${publisherId}. Its creator can connect it with an auth code.`,
    );
}

/** Deletes invitations for an account that were not accepted. @returns the number of invitations */
export async function withdrawInvitations(
  tx: Tx,
  publisherId: string,
  accountId: AccountId,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('portal_invitation')
    .where('publisher_id', '=', publisherId)
    .where('account_id', '=', accountId)
    .where('accepted_at', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
