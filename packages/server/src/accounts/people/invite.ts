import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { newRowId, randomBase62 } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { refuseSandbox } from '../../publishers/sandboxes.ts';
import type { Role } from '../roles.ts';
import { emailAddress } from './email-address.ts';
import { hashLinkToken, newLinkToken } from './links.ts';

export interface NewInvitation {
  publisherId: string;
  email: string;
  role: Role;
}

export interface Invited {
  invitationId: string;
  email: string;
  /** Token in the link. It is shown or emailed once, and not stored. */
  token: string;
  expiresAt: Date;
}

export const invitationDays = 7;

/**
 * Invites a person to a publisher's staff. Revokes any earlier invitation for the same address.
 * @throws Refusal NotFound for an unknown publisher, Conflict if the person is already on the staff,
 * InvalidInput
 */
export const invite = (db: Db, actor: Actor, invitation: NewInvitation, now: Date): Promise<Invited> =>
  inTransaction(db, async (tx) => {
    const { publisherId, role } = invitation;
    const email = emailAddress(invitation.email);
    await requirePublisher(tx, publisherId);
    await refuseSandbox(tx, publisherId);
    const userId = await findOrCreateUser(tx, email);
    await refuseMember(tx, publisherId, userId);
    await tx
      .updateTable('staff_invitation')
      .set({ revoked_at: now })
      .where('publisher_id', '=', publisherId)
      .where('email', '=', email)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .execute();
    const token = newLinkToken();
    const invitationId = `inv_${randomBase62(16)}`;
    const expiresAt = new Date(now.getTime() + invitationDays * 86_400_000);
    await tx
      .insertInto('staff_invitation')
      .values({
        invitation_hash: hashLinkToken(token),
        invitation_id: invitationId,
        publisher_id: publisherId,
        email,
        role,
        invited_by: actor.name.slice(0, 255) || '-',
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'staff.invite',
      target: `invitation:${invitationId}`,
      after: { email, role, expiresAt },
    });
    return { invitationId, email, token, expiresAt };
  });

/**
 * Returns the id of the user with this address. If there is none, creates a user who can't sign in yet.
 * Signing in with a provider works only for an address that has a user.
 */
async function findOrCreateUser(tx: Tx, email: string): Promise<string> {
  await tx
    .insertInto('staff_user')
    // The address is unverified, because it was entered by the person who sent the invitation.
    .values({ id: newRowId(), email, name: email.split('@')[0] || email, email_verified: false })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const { id } = await tx
    .selectFrom('staff_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return id;
}

async function refuseMember(tx: Tx, publisherId: string, userId: string): Promise<void> {
  const member = await tx
    .selectFrom('staff')
    .select('role')
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (member !== undefined)
    throw new Refusal('Conflict', `This person is already on the team, as ${member.role}.`);
}
