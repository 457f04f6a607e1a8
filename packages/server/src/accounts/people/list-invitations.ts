import type { Db } from '../../platform/database/database.ts';
import { isRole, type Role } from '../roles.ts';

export interface ListedInvitation {
  invitationId: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

const maxInvitations = 1_000;

/** Returns a publisher's open invitations, newest first. */
export async function listInvitations(db: Db, publisherId: string, now: Date): Promise<ListedInvitation[]> {
  const rows = await db
    .selectFrom('staff_invitation')
    .select(['invitation_id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'])
    .where('publisher_id', '=', publisherId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(maxInvitations)
    .execute();
  return rows.flatMap(({ role, ...row }) =>
    isRole(role)
      ? [
          {
            invitationId: row.invitation_id,
            email: row.email,
            role,
            invitedBy: row.invited_by,
            createdAt: row.created_at,
            expiresAt: row.expires_at,
          },
        ]
      : [],
  );
}
