import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { VerificationId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { requirePublisher } from '../../../publishers/require-publisher.ts';

export interface VerificationRequest {
  publisherId: string;
  /** True to compare everything, even unchanged items that an earlier run found sound. */
  looksAtAll: boolean;
}

export interface RequestedVerification {
  verificationId: VerificationId;
  /** False if a verification was already waiting or running. In that case, its id is returned. */
  isNew: boolean;
}

const maxStored = 100;

/**
 * Requests a verification of a publisher's ledger. A worker starts it within seconds. A publisher can have only one
 * verification at a time; if one is already waiting or running, it is returned instead.
 * @throws Refusal when the publisher doesn't exist
 */
export const requestVerification = (
  db: Db,
  actor: Actor,
  { publisherId, looksAtAll }: VerificationRequest,
): Promise<RequestedVerification> =>
  inTransaction(db, async (tx) => {
    await requirePublisher(tx, publisherId);
    const verificationId = newRowId<VerificationId>();
    const now = await readMoment(tx);
    const { numAffectedRows } = await sql`
      insert into ledger_verification (publisher_id, verification_id, looks_at_all, status, requested_at,
                                       requested_by_kind, requested_by_id, requested_by_name)
      values (${publisherId}, ${verificationId}, ${looksAtAll}, 'Waiting', ${now},
              ${actor.kind}, ${storedActorId(actor.id)}, ${storedActorName(actor.name)})
      on conflict (publisher_id) where status in ('Waiting', 'Running') do nothing`.execute(tx);
    if (numAffectedRows === 0n) return { verificationId: await unfinished(tx, publisherId), isNew: false };
    await removeOld(tx, publisherId);
    await recordChange(tx, actor, {
      publisherId,
      action: 'ledger.verify',
      target: `ledger-verification:${verificationId}`,
      after: { looksAtAll },
    });
    return { verificationId, isNew: true };
  });

/** Returns the verification that is waiting or running, or the latest one if it has just ended. */
async function unfinished(tx: Tx, publisherId: string): Promise<VerificationId> {
  const { verification_id } = await tx
    .selectFrom('ledger_verification')
    .select('verification_id')
    .where('publisher_id', '=', publisherId)
    .orderBy('verification_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return verification_id;
}

async function removeOld(tx: Tx, publisherId: string): Promise<void> {
  await sql`
    delete from ledger_verification
    where publisher_id = ${publisherId} and verification_id <= (
      select verification_id
      from ledger_verification old
      where old.publisher_id = ${publisherId}
      order by verification_id desc
      offset ${maxStored}
      limit 1
    )`.execute(tx);
}
