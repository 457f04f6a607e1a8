import type { Actor } from '../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import { Refusal } from '../platform/refusal.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import { lockMembersOf } from '../settlement/gates/set-gate.ts';
import { lockForPosting } from '../settlement/settlement-lock.ts';
import { type PayeeMethod, requireMethod } from './read-methods.ts';

/** Maximum length of the reason for ending a method, in characters. */
export const maxEndReason = 500;

export interface EndedMethod {
  publisherId: string;
  methodId: string;
  reason: string;
}

/**
 * Ends a payout method, whether it was approved or not. Lines of existing payouts keep it.
 * @throws Refusal InvalidInput; NotFound; Conflict when it has already ended
 */
export function endMethod(
  db: Db,
  actor: Actor,
  { publisherId, methodId, reason: typed }: EndedMethod,
): Promise<PayeeMethod> {
  const reason = typed.trim();
  if (reason === '' || [...reason].length > maxEndReason)
    throw new Refusal('InvalidInput', `A reason of 1 to ${maxEndReason} characters is required.`, {
      path: ['reason'],
    });
  return inTransaction(db, async (tx) => {
    await lockForPosting(tx, publisherId);
    return changingProgram(tx, publisherId, async (tx) => {
      const { methodId: id, memberId, kind, hint, state } = await requireMethod(tx, publisherId, methodId);
      await lockMembersOf(tx, publisherId, memberId);
      if (state === 'Ended')
        throw new Refusal('Conflict', 'The payout method is no longer in use. Nothing was changed.');
      await tx
        .updateTable('payee_method')
        .set({
          ended_at: await readMoment(tx),
          ended_reason: reason,
          ended_by_kind: actor.kind,
          ended_by_id: storedActorId(actor.id),
          ended_by_name: storedActorName(actor.name),
        })
        .where('publisher_id', '=', publisherId)
        .where('method_id', '=', id)
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'payee-method.end',
        target: `member:${memberId}`,
        before: { method: id, kind, hint },
        reason,
      });
      return requireMethod(tx, publisherId, methodId);
    });
  });
}
