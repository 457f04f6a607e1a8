import type { Actor } from '../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../audit/record-change.ts';
import { requireCreator } from '../members/read/require-creator.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { readMoment } from '../platform/database/moment.ts';
import type { AccountId, PayeeMethodId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { serviceSecret } from '../platform/secrets/service-secret.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import { checkDestination, type TypedDestination } from './check-destination.ts';
import { fingerprintOf, hintOf, sealDestination } from './destination.ts';
import { type PayeeMethod, requireMethod } from './read-methods.ts';

export interface EnteredMethod {
  publisherId: string;
  memberId: AccountId;
  destination: TypedDestination;
}

/**
 * Saves a payout method of a creator, which another person must approve. Methods aren't part of the program, but
 * entering one takes its lock, so that the creator can't be claimed at the same time.
 * @throws Refusal InvalidInput; NotFound; Conflict while another method of the creator is waiting for approval
 */
export async function enterMethod(
  db: Db,
  sealer: Sealer,
  actor: Actor,
  { publisherId, memberId, destination: typed }: EnteredMethod,
): Promise<PayeeMethod> {
  const destination = checkDestination(typed);
  const fingerprint = fingerprintOf(await serviceSecret(db, 'payee fingerprints', sealer), destination);
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const { accountId } = await requireCreator(tx, { publisherId, memberId });
      const methodId = newRowId<PayeeMethodId>();
      const hint = hintOf(destination);
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('payee_method')
        .values({
          publisher_id: publisherId,
          method_id: methodId,
          account_id: accountId,
          kind: destination.kind,
          sealed: sealDestination(sealer, { publisherId, accountId }, destination),
          hint,
          fingerprint,
          entered_at: await readMoment(tx),
          entered_by_kind: actor.kind,
          entered_by_id: storedActorId(actor.id),
          entered_by_name: storedActorName(actor.name),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['publisher_id', 'account_id'])
            .where('approved_at', 'is', null)
            .where('ended_at', 'is', null)
            .doNothing(),
        )
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n)
        throw new Refusal(
          'Conflict',
          `Another payout method of ${accountId} is waiting for approval. Approve it, or remove it first.`,
        );
      await recordChange(tx, actor, {
        publisherId,
        action: 'payee-method.enter',
        target: `member:${accountId}`,
        after: { method: methodId, kind: destination.kind, hint },
      });
      return requireMethod(tx, publisherId, methodId);
    }),
  );
}
