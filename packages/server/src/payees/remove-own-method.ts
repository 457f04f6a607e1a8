import type { Actor } from '../audit/actor.ts';
import { recordChange, storedActorId } from '../audit/record-change.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import type { ProgramTx } from '../publishers/changing-program.ts';
import { ownName } from './save-own-method.ts';

interface RemovedMethod {
  publisherId: string;
  accountId: AccountId;
  methodId: PayeeMethodId;
  at: Date;
}

/**
 * Ends a payout method that its creator removed. Lines of existing payouts keep it. The caller has locked posting, the program
 * and the creator's members.
 * @throws Refusal Conflict when it has already ended
 */
export async function removeOwnMethod(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, accountId, methodId, at }: RemovedMethod,
): Promise<void> {
  const reason = 'Removed by the creator';
  const ended = await tx
    .updateTable('payee_method')
    .set({
      ended_at: at,
      ended_reason: reason,
      ended_by_kind: actor.kind,
      ended_by_id: storedActorId(actor.id),
      ended_by_name: ownName,
    })
    .where('publisher_id', '=', publisherId)
    .where('method_id', '=', methodId)
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .returning(['kind', 'hint'])
    .executeTakeFirst();
  if (ended === undefined)
    throw new Refusal('Conflict', 'This payout method was already removed. Nothing was changed.');
  await recordChange(tx, actor, {
    publisherId,
    action: 'payee-method.end',
    target: `member:${accountId}`,
    before: { method: methodId, ...ended },
    reason,
  });
}
