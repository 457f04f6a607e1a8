import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';

/** @throws Refusal NotFound if the invitation doesn't exist or was already accepted or withdrawn */
export const revokeInvitation = (
  db: Db,
  actor: Actor,
  { publisherId, invitationId }: { publisherId: string; invitationId: string },
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const row = await tx
      .updateTable('staff_invitation')
      .set({ revoked_at: now })
      .where('publisher_id', '=', publisherId)
      .where('invitation_id', '=', invitationId)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .returning(['email', 'role'])
      .executeTakeFirst();
    if (row === undefined)
      throw new Refusal('NotFound', "The invitation doesn't exist, or was already accepted or withdrawn.");
    await recordChange(tx, actor, {
      publisherId,
      action: 'staff.withdraw-invitation',
      target: `invitation:${invitationId}`,
      before: { email: row.email, role: row.role },
    });
  });
