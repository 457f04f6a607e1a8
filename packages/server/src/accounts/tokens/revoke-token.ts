import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Revokes an operator token, effective on its next request.
 * @throws Refusal NotFound if the token doesn't exist or was already revoked
 */
export const revokeToken = (
  db: Db,
  actor: Actor,
  { publisherId, tokenId }: { publisherId: string; tokenId: string },
  now: Date,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const row = await tx
      .updateTable('operator_token')
      .set({ revoked_at: now })
      .where('publisher_id', '=', publisherId)
      .where('token_id', '=', tokenId)
      .where('revoked_at', 'is', null)
      .returning(['name', 'role'])
      .executeTakeFirst();
    if (row === undefined) throw new Refusal('NotFound', "The token doesn't exist, or was already revoked.");
    await recordChange(tx, actor, {
      publisherId,
      action: 'token.revoke',
      target: `token:${tokenId}`,
      before: { name: row.name, role: row.role },
    });
  });
