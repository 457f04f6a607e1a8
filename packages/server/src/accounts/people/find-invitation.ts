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
  /** The person who has the address. */
  userId: string;
  /** Whether they have a way in already, with which they sign in and accept. */
  hasWayIn: boolean;
  /** It was mailed: whoever has it reads the mail of its address. One that is handed on proves nothing. */
  isMailed: boolean;
}

/**
 * The invitation of a link; inside of a transaction nobody else accepts it meanwhile.
 * @throws Refusal NotFound for one that is unknown, was used, withdrawn, or has ended
 */
export async function findInvitation(db: Db | Tx, token: string, now: Date): Promise<OpenInvitation> {
  let query = db
    .selectFrom('staff_invitation')
    .selectAll()
    .where('invitation_hash', '=', hashLinkToken(token));
  if (db.isTransaction) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (row === undefined || !isRole(row.role))
    throw new Refusal('NotFound', 'There is no such invitation; open the whole link, or ask for another.');
  if (row.accepted_at !== null)
    throw new Refusal('NotFound', 'This invitation was used already: sign in instead.');
  if (row.revoked_at !== null || row.expires_at <= now)
    throw new Refusal('NotFound', `This invitation has ended; ask ${row.invited_by} for another.`);
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
