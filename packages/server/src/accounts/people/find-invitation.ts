import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { isRole, type Role } from '../roles.ts';
import { hashLinkToken } from './links.ts';

export interface OpenInvitation {
  invitationId: string;
  publisherId: string;
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
  /** User with the invited address. */
  userId: string;
  /** True if the user can already sign in, and therefore must sign in to accept the invitation. */
  hasWayIn: boolean;
  /**
   * True if the link was emailed. Opening an emailed link proves ownership of the address; opening one that
   * was shared another way doesn't.
   */
  isMailed: boolean;
}

/**
 * Finds the invitation that a link's token belongs to. In a transaction, also locks the invitation, so that
 * it can't be accepted concurrently.
 * @throws Refusal NotFound for an unknown, used, withdrawn or expired invitation
 */
export async function findInvitation(db: Db | Tx, token: string, now: Date): Promise<OpenInvitation> {
  let query = db
    .selectFrom('staff_invitation')
    .selectAll()
    .where('invitation_hash', '=', hashLinkToken(token));
  if (db.isTransaction) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (row === undefined || !isRole(row.role))
    throw new Refusal(
      'NotFound',
      "The invitation doesn't exist. Check that you opened the complete link, or ask for a new one.",
    );
  if (row.accepted_at !== null)
    throw new Refusal('NotFound', 'This invitation was already used. Sign in instead.');
  if (row.revoked_at !== null || row.expires_at <= now)
    throw new Refusal('NotFound', `This invitation has expired. Ask ${row.invited_by} for a new one.`);
  const user = await db
    .selectFrom('staff_user')
    .select('id')
    .where('email', '=', row.email)
    .executeTakeFirstOrThrow();
  return {
    invitationId: row.invitation_id,
    publisherId: row.publisher_id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    expiresAt: row.expires_at,
    userId: user.id,
    hasWayIn: await hasWayIn(db, user.id),
    isMailed: row.mailed_at !== null,
  };
}

async function hasWayIn(db: Db | Tx, userId: string): Promise<boolean> {
  for (const table of ['staff_account', 'staff_passkey'] as const) {
    const found = await db.selectFrom(table).select('id').where('user_id', '=', userId).executeTakeFirst();
    if (found !== undefined) return true;
  }
  return false;
}
