import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { accountDeleted } from './delete-accounts.ts';
import { type Destination, openDestination } from './destination.ts';
import { requireMethod } from './read-methods.ts';

/**
 * Opens a payout method for a person to see. The audit entry is committed before the method is returned.
 * @throws Refusal NotFound; Conflict when the account was deleted; SealError if this process doesn't have the key
 */
export async function revealMethod(
  db: Db,
  sealer: Sealer,
  actor: Actor,
  { publisherId, methodId }: { publisherId: string; methodId: string },
): Promise<Destination> {
  const { methodId: id, memberId, kind, hint } = await requireMethod(db, publisherId, methodId);
  const { account_id: accountId, sealed } = await db
    .selectFrom('payee_method')
    .select(['account_id', 'sealed'])
    .where('publisher_id', '=', publisherId)
    .where('method_id', '=', id)
    .executeTakeFirstOrThrow();
  if (sealed === null) throw new Refusal('Conflict', `The account can no longer be shown. ${accountDeleted}`);
  const destination = openDestination(sealer, { publisherId, accountId }, sealed);
  await inTransaction(db, (tx) =>
    recordChange(tx, actor, {
      publisherId,
      action: 'payee-method.reveal',
      target: `member:${memberId}`,
      after: { method: id, kind, hint },
    }),
  );
  return destination;
}
