import { sql } from 'kysely';
import type { Actor } from '../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import { Refusal } from '../platform/refusal.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import { laterBy, readAheadMs } from '../publishers/publisher-time.ts';
import { lockMembersOf } from '../settlement/gates/set-gate.ts';
import { lockForPosting } from '../settlement/settlement-lock.ts';
import { readPayeeSettings } from './payee-settings.ts';
import { type PayeeMethod, requireMethod } from './read-methods.ts';

export interface Approval {
  publisherId: string;
  methodId: string;
  /** True if the actor knows that another creator has the same address or account. */
  acceptsShared: boolean;
}

const dayMs = 86_400_000;

/**
 * Approves a payout method that another person entered. It replaces the creator's current method at once, and payouts
 * use it after the publisher's waiting period. Until then, no money is sent to either.
 * @throws Refusal NotFound; Forbidden for the person who entered it; Conflict when it isn't waiting for approval, or
 *   when another creator has the same address or account and the actor didn't accept that
 */
export function approveMethod(
  db: Db,
  actor: Actor,
  { publisherId, methodId, acceptsShared }: Approval,
): Promise<PayeeMethod> {
  return inTransaction(db, async (tx) => {
    // The approval must commit entirely before or entirely after a payout's cutoff.
    await lockForPosting(tx, publisherId);
    return changingProgram(tx, publisherId, async (tx) => {
      const method = await requireMethod(tx, publisherId, methodId);
      await lockMembersOf(tx, publisherId, method.memberId);
      requireApprovable(method, actor, acceptsShared);
      const at = await readMoment(tx);
      const { waitDays } = await readPayeeSettings(tx, publisherId);
      const usableFrom = laterBy(at, (await readAheadMs(tx, publisherId)) + waitDays * dayMs);
      await endReplaced(tx, actor, { publisherId, method, at });
      await tx
        .updateTable('payee_method')
        .set({
          approved_at: at,
          approved_by_kind: actor.kind,
          approved_by_id: storedActorId(actor.id),
          approved_by_name: storedActorName(actor.name),
          usable_from: usableFrom,
        })
        .where('publisher_id', '=', publisherId)
        .where('method_id', '=', method.methodId)
        .execute();
      await recordChange(tx, actor, {
        publisherId,
        action: 'payee-method.approve',
        target: `member:${method.memberId}`,
        after: {
          method: method.methodId,
          kind: method.kind,
          hint: method.hint,
          usableFrom,
          ...(method.sharedWith.length > 0 && { sharedWith: method.sharedWith.map((each) => each.memberId) }),
        },
      });
      return requireMethod(tx, publisherId, methodId);
    });
  });
}

function requireApprovable(method: PayeeMethod, actor: Actor, acceptsShared: boolean): void {
  if (method.state !== 'Waiting')
    throw new Refusal(
      'Conflict',
      method.state === 'Ended'
        ? 'The payout method is no longer in use. Enter it again.'
        : 'The payout method is already approved.',
    );
  if (method.enteredBy.kind === actor.kind && method.enteredBy.id === storedActorId(actor.id))
    throw new Refusal(
      'Forbidden',
      'You entered this payout method, so another person must approve it. That person needs the same permission.',
    );
  if (method.sharedWith.length > 0 && !acceptsShared)
    throw new Refusal(
      'Conflict',
      `The same address or account is entered for ${method.sharedWith.map(({ memberId }) => memberId).join(', ')}. Check whether they are the same person. To approve the method anyway, confirm that it is shared.`,
    );
}

/** Ends the current method that the approved one replaces: a bank account for euros, or the method for any currency. */
async function endReplaced(
  tx: Tx,
  actor: Actor,
  { publisherId, method, at }: { publisherId: string; method: PayeeMethod; at: Date },
): Promise<void> {
  await sql`
    update payee_method
    set ended_at = ${at}, ended_reason = 'Replaced by a newer method', ended_by_kind = ${actor.kind},
        ended_by_id = ${storedActorId(actor.id)}, ended_by_name = ${storedActorName(actor.name)}
    where publisher_id = ${publisherId} and account_id = ${method.memberId} and approved_at is not null and ended_at is null
      and (kind = 'sepa') = ${method.kind === 'sepa'}`.execute(tx);
}
