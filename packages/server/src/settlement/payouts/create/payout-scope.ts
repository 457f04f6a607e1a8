import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { RecordingId } from '../../../platform/database/tables.generated.ts';
import { rowIdAt } from '../../../platform/ids.ts';

/** What of a group could be paid at one moment. */
export interface PayableScope {
  publisherId: string;
  groupId: string;
  /** By the service's clock, as everything that was posted, reversed and paid. */
  asOf: Date;
  /** Purchases up to this are out of the hold period, by the publisher's clock. */
  heldAfter: Date;
}

/** What of a group is paid by a payout: all that was so at one moment. */
export interface PayoutScope extends PayableScope {
  holdMs: number;
  /** A moment before that of the plan: what is posted later may not have been seen by it. */
  seenUpTo: Date;
  /** Whatever was recorded before this, and seen by the plan, was posted at `asOf`. */
  postedBefore: RecordingId;
}

/**
 * Recordings are posted in the order of their ids, but for a few: those before the first that was not posted at a moment
 * need not be looked for one by one, and those after it are mostly younger than the moment.
 * @param tx the snapshot of the plan
 */
export async function readPostedBefore(
  tx: Tx,
  { publisherId, asOf, heldAfter }: Omit<PayableScope, 'groupId'>,
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
  if (first === undefined) throw new Error('a moment has no id');
  return first.recording_id;
}
