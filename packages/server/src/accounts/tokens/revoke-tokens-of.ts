import type { Actor } from '../../audit/actor.ts';
import { recordChanges } from '../../audit/record-change.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';

/**
 * Revokes the tokens created by a person who is no longer allowed to create tokens. Otherwise, the tokens
 * would keep the person's old role.
 */
export async function revokeTokensOf(
  tx: Tx,
  actor: Actor,
  { publisherId, userId }: { publisherId: string; userId: string },
  now: Date,
): Promise<void> {
  const revoked = await tx
    .updateTable('operator_token')
    .set({ revoked_at: now })
    .where('publisher_id', '=', publisherId)
    .where('created_by_kind', '=', 'staff')
    .where('created_by_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(['token_id', 'name', 'role'])
    .execute();
  await recordChanges(
    tx,
    actor,
    revoked.map(({ token_id, name, role }) => ({
      publisherId,
      action: 'token.revoke',
      target: `token:${token_id}`,
      before: { name, role },
      reason: 'The person who created it may no longer create tokens.',
    })),
  );
}
