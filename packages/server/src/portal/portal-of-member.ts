import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireMemberAccount } from '../members/read/find-account.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { lockAccount } from './connect-account.ts';
import { requireOnlyHere, withdrawInvitations } from './invite-creator.ts';
import type { Proof } from './own-accounts.ts';
import { removeLostAlerts } from './stream-alert/remove-lost-alerts.ts';

interface MemberOfPublisher {
  publisherId: string;
  accountId: AccountId;
}

/** State of a creator's account in the portal, as its publisher sees it. It doesn't contain the person's address. */
export interface PortalOfMember {
  connected: { proof: Proof; since: Date } | null;
  invitation: { email: string; invitedBy: string; createdAt: Date; expiresAt: Date } | null;
}

/** @throws Refusal NotFound, AccountNotFound */
export async function readPortalOfMember(
  db: Db,
  { publisherId, accountId }: MemberOfPublisher,
  now: Date,
): Promise<PortalOfMember> {
  await requireMemberAccount(db, publisherId, accountId);
  const connected = await db
    .selectFrom('portal_user_account')
    .select(['proof', 'proven_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const invitation = await db
    .selectFrom('portal_invitation')
    .select(['email', 'invited_by', 'created_at', 'expires_at'])
    .where('publisher_id', '=', publisherId)
    .where('account_id', '=', accountId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return {
    connected:
      connected === undefined ? null : { proof: connected.proof as Proof, since: connected.proven_at },
    invitation:
      invitation === undefined
        ? null
        : {
            email: invitation.email,
            invitedBy: invitation.invited_by,
            createdAt: invitation.created_at,
            expiresAt: invitation.expires_at,
          },
  };
}

/** Returns the address of the person who sees an account, for publishers that the person has applied to. */
export async function readEmailOf(db: Db, accountId: AccountId): Promise<string | null> {
  const found = await db
    .selectFrom('portal_user_account as c')
    .innerJoin('portal_user as u', 'u.user_id', 'c.user_id')
    .select('u.email')
    .where('c.account_id', '=', accountId)
    .executeTakeFirst();
  return found?.email ?? null;
}

/**
 * Disconnects an account from the person who sees it in the portal, and withdraws its invitations, for example after an
 * invitation to a wrong address. The person no longer sees the account at once, and loses a stream alert that shows nothing anymore.
 * @throws Refusal NotFound, AccountNotFound; Forbidden if the account doesn't belong only to the publisher; Conflict if
 * there is nothing to disconnect or withdraw
 */
export async function disconnectMember(
  db: Db,
  actor: Actor,
  { publisherId, accountId }: MemberOfPublisher,
): Promise<void> {
  await requireMemberAccount(db, publisherId, accountId);
  await inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    await requireOnlyHere(tx, publisherId, accountId);
    const invitations = await withdrawInvitations(tx, publisherId, accountId);
    const ended = await tx
      .deleteFrom('portal_user_account')
      .where('account_id', '=', accountId)
      .returning(['proof', 'user_id'])
      .executeTakeFirst();
    if (ended === undefined && invitations === 0)
      throw new Refusal('Conflict', 'The account is not connected to the portal and has no open invitation.');
    if (ended !== undefined) await removeLostAlerts(tx, ended.user_id);
    await recordChange(tx, actor, {
      publisherId,
      action: 'portal.disconnect',
      target: `member:${accountId}`,
      before: { proof: ended?.proof ?? null, invitations },
    });
  });
}
