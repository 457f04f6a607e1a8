import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { storedActorId, storedActorName } from '../../audit/record-change.ts';
import { joinMember } from '../../members/standing.ts';
import { tellCreators } from '../../notices/write-notices.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { announcePayout } from './announce-payout.ts';
import { getPayout } from './read/read-payouts.ts';

export interface PaidPayout {
  publisherId: string;
  /** Payout id as entered; see `getPayout`. */
  payoutId: string;
  /** Total the actor confirmed, if confirmation is required. Any other total is rejected. */
  totalMinor?: bigint;
}

interface RecordedActor {
  kind: string;
  id: string;
}

/** Returns whether a different person must mark the payout as paid. Implemented by the accounts slice. */
export type NeedsAnotherPerson = (
  tx: Tx,
  publisherId: string,
  made: RecordedActor | null,
  paying: RecordedActor,
) => Promise<boolean>;

export interface PaidPayoutParts {
  clock: Clock;
  needsAnotherPerson: NeedsAnotherPerson;
}

/**
 * Marks a batch and its rows as paid, and writes an email to each of its creators. Calling it again has no effect.
 * @throws Refusal when the batch doesn't exist, is being created, was canceled or has a different total; Forbidden for
 * the batch's creator (even when using a token) if the publisher requires a different person
 */
export async function markPayoutPaid(
  { clock, needsAnotherPerson }: PaidPayoutParts,
  db: Db,
  actor: Actor,
  { publisherId, payoutId, totalMinor }: PaidPayout,
): Promise<void> {
  const { batchId } = await getPayout(db, publisherId, payoutId);
  await inTransaction(db, async (tx) => {
    const payout = await tx
      .selectFrom('payout_batch')
      .select(['status', 'currency', 'total_minor', 'created_by_kind', 'created_by_id'])
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { status } = payout;
    if (status === 'Paid') return;
    if (status === 'Preparing')
      throw new Refusal('Conflict', `Payout ${batchId} is still being created. Try again when it is done.`);
    if (status !== 'Created')
      throw new Refusal('Conflict', `Payout ${batchId} was canceled. Create a new payout.`);
    if (totalMinor !== undefined && totalMinor !== BigInt(payout.total_minor))
      throw new Refusal(
        'Conflict',
        `The total of payout ${batchId} is ${formatMinorUnits(BigInt(payout.total_minor), payout.currency)} ${payout.currency}, ` +
          `not ${formatMinorUnits(totalMinor, payout.currency)}. Nothing was marked as paid.`,
        { path: ['totalMinor'] },
      );
    const { created_by_kind: kind, created_by_id: id } = payout;
    const made = kind === null || id === null ? null : { kind, id };
    if (await needsAnotherPerson(tx, publisherId, made, { ...actor, id: storedActorId(actor.id) }))
      throw new Refusal(
        'Forbidden',
        'You or one of your tokens created this payout, and this publisher requires a different person to mark it as paid.',
      );
    await tx
      .updateTable('payout_batch')
      .set({
        status: 'Paid',
        paid_at: await nowAt(tx, clock, publisherId),
        paid_by_kind: actor.kind,
        paid_by_id: storedActorId(actor.id),
        paid_by_name: storedActorName(actor.name),
      })
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', batchId)
      .execute();
    await announcePayout(tx, actor, {
      publisherId,
      batchId,
      action: 'payout.mark-paid',
      from: status,
      to: 'Paid',
      event: 'Payout/PayoutPaid',
    });
    // A line with a result was told of already, or is told of with its next one.
    await tellCreators(tx, {
      publisherId,
      kind: 'paid',
      rows: sql`
        select i.item_id as about_id, m.account_id
        from payout_item i
        ${joinMember('i')}
        where i.publisher_id = ${publisherId} and i.batch_id = ${batchId}::uuid
          and not exists (
            select 1
            from payout_result s
            where s.publisher_id = ${publisherId} and s.item_id = i.item_id)`,
    });
  });
}
