import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { RecordingId } from '../../../platform/database/tables.generated.ts';
import { rowIdAt } from '../../../platform/ids.ts';
import type { PayoutNeeds } from '../../../publishers/payout-needs.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';

export interface PayableScope {
  publisherId: string;
  groupId: string;
  /** Cutoff on the service's clock, which postings, reversals and payouts also use. */
  asOf: Date;
  /** Cutoff on the publisher's clock, which ends holds. */
  clockAt: Date;
  /** Latest purchase date that is past the hold period, on the publisher's clock. */
  heldAfter: Date;
  needs: PayoutNeeds;
}

export interface PayoutScope extends PayableScope {
  holdMs: number;
  /** Time just before the plan's snapshot was taken. The plan may have missed postings made after this time. */
  seenUpTo: Date;
  /** First recording that may have been unposted at `asOf`. All earlier recordings in the plan were posted by then. */
  postedBefore: RecordingId;
}

/** Returns the time on the publisher's clock just before the plan's snapshot. */
export const nowOnClock = ({ asOf, clockAt, seenUpTo }: PayoutScope): Date =>
  laterBy(seenUpTo, clockAt.getTime() - asOf.getTime());

/**
 * Reads the first recording that was unposted at the cutoff. Recordings are posted in id order, with few exceptions, so
 * earlier recordings don't have to be checked one by one, and most later ones were made after the cutoff.
 * @param tx transaction that holds the plan's snapshot
 */
export async function readPostedBefore(
  tx: Tx,
  { publisherId, asOf, heldAfter }: Omit<PayableScope, 'groupId' | 'clockAt' | 'needs'>,
): Promise<RecordingId> {
  const { rows } = await sql<{ recording_id: RecordingId }>`
    select recording_id
    from (
      (select recording_id from unposted where publisher_id = ${publisherId} order by recording_id limit 1)
      union all
      select unnest(recording_ids)
      from posting
      where publisher_id = ${publisherId} and posted_at > ${asOf} and earliest_date <= ${heldAfter}
      union all
      select ${rowIdAt(asOf)}::uuid
    ) late
    order by recording_id
    limit 1`.execute(tx);
  const [first] = rows;
  if (first === undefined) throw new Error('no recording id for the cutoff');
  return first.recording_id;
}
