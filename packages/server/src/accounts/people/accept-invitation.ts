import { actorOf, type RequestSource } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findInvitation, type OpenInvitation } from './find-invitation.ts';
import { personName } from './person-name.ts';
import { type PasswordHash, requireGoodLength, setPassword } from './set-password.ts';

export interface Acceptance {
  token: string;
  now: Date;
  source: RequestSource;
}

export interface Accepted {
  publisherId: string;
  email: string;
}

/** @throws Refusal Conflict if the person can already sign in */
function requireNewPerson({ hasWayIn, email }: OpenInvitation): void {
  if (hasWayIn)
    throw new Refusal('Conflict', `${email} already has an account. Sign in to accept the invitation.`);
}

/** Runs the checks of `acceptAsNew` before a password is hashed, because hashing is expensive. */
export async function checkNewPerson(
  db: Db,
  { token, now }: Pick<Acceptance, 'token' | 'now'>,
  { name, password }: { name: string; password: string },
): Promise<void> {
  requireNewPerson(await findInvitation(db, token, now));
  personName(name);
  requireGoodLength(password);
}

interface NewPerson {
  name: string;
  password: PasswordHash;
}

/**
 * Accepts an invitation for a new person, with their chosen name and password.
 * @throws Refusal NotFound as in findInvitation, Conflict if the person can already sign in
 */
export const acceptAsNew = (
  db: Db,
  acceptance: Acceptance,
  { name, password }: NewPerson,
): Promise<Accepted> =>
  inTransaction(db, async (tx) => {
    const invitation = await findInvitation(tx, acceptance.token, acceptance.now);
    requireNewPerson(invitation);
    const checkedName = personName(name);
    await tx
      .updateTable('staff_user')
      .set({
        name: checkedName,
        updated_at: acceptance.now,
        ...(invitation.isMailed && { email_verified: true }),
      })
      .where('id', '=', invitation.userId)
      .execute();
    await setPassword(tx, invitation.userId, password, acceptance.now);
    return join(tx, invitation, acceptance, checkedName);
  });

/**
 * Accepts an invitation as the signed-in person.
 * @throws Refusal NotFound as in findInvitation, Forbidden if the invitation is for another address
 */
export const acceptAs = (
  db: Db,
  acceptance: Acceptance,
  person: { userId: string; email: string; name: string },
): Promise<Accepted> =>
  inTransaction(db, async (tx) => {
    const invitation = await findInvitation(tx, acceptance.token, acceptance.now);
    if (invitation.userId !== person.userId)
      throw new Refusal(
        'Forbidden',
        `This invitation is for ${invitation.email}, but you are signed in as ${person.email}. Sign in with the other account.`,
      );
    return join(tx, invitation, acceptance, person.name);
  });

async function join(
  tx: Tx,
  { invitationId, publisherId, userId, email, role, invitedBy }: OpenInvitation,
  { now, source }: Acceptance,
  name: string,
): Promise<Accepted> {
  await tx
    .updateTable('staff_invitation')
    .set({ accepted_at: now })
    .where('invitation_id', '=', invitationId)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('staff')
    .values({ publisher_id: publisherId, user_id: userId, role, invited_by: invitedBy, joined_at: now })
    .onConflict((conflict) => conflict.columns(['publisher_id', 'user_id']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n)
    throw new Refusal('Conflict', 'You’re already on this publisher’s team.');
  await recordChange(tx, actorOf({ kind: 'staff', staffId: userId, name, publisherId }, source), {
    publisherId,
    action: 'staff.join',
    target: `staff:${userId}`,
    after: { email, role },
  });
  return { publisherId, email };
}
