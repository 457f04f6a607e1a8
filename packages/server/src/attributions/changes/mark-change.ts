import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { moment } from '../../platform/database/moment.ts';
import type { AttributionId, RecordingId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { lastRowIdOf } from '../recording-id.ts';

/**
 * Upper half of an advisory lock's key; the lower half is the second when the change began. Each change holds
 * the lock until its commit. The lock is only taken in shared mode, so no transaction waits for it. Readers
 * find the lock in pg_locks (read-horizon.ts).
 */
export const publisherLockKey = (publisherId: string): RawBuilder<bigint> =>
  sql`(hashtext(${publisherId})::bigint & 4294967295)`;

/**
 * Begins a change. Readers don't pass the time of the change until the transaction commits.
 * @returns the time on the database's clock, in whole milliseconds
 */
export async function beginChange(tx: Tx, publisherId: string): Promise<Date> {
  // Take the lock first: a reader could pass a time that was read before the lock.
  const { rows } = await sql<{ at: Date }>`
    select pg_advisory_xact_lock_shared(
             (hashtext(${publisherId})::bigint << 32) | floor(extract(epoch from clock_timestamp()))::bigint),
           ${moment} as at`.execute(tx);
  const [begun] = rows;
  if (begun === undefined) throw new Error('the database returned no time');
  return begun.at;
}

/** Records that a row changed, for lists filtered by `updatedSince`. The caller has locked the row. */
export async function markChange(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  isPlayerChanged: boolean,
): Promise<void> {
  const changedAt = await beginChange(tx, publisherId);
  await sql`
    insert into attribution_change (publisher_id, attribution_id, changed_at, is_player_new)
    values (${publisherId}, ${attributionId}::uuid, ${changedAt}::timestamptz, ${isPlayerChanged})
    on conflict (publisher_id, attribution_id) do update
    set changed_at = greatest(attribution_change.changed_at, excluded.changed_at),
        is_player_new = attribution_change.is_player_new or excluded.is_player_new`.execute(tx);
}

/** Records that the buyers of rows changed, as `markChange` does for one row. The caller has locked the rows. */
export async function markBuyerChanges(
  tx: Tx,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<void> {
  const changedAt = await beginChange(tx, publisherId);
  await sql`
    insert into attribution_change (publisher_id, attribution_id, changed_at, is_player_new)
    select ${publisherId}, attribution_id, ${changedAt}::timestamptz, true
    from unnest(${[...attributionIds]}::uuid[]) as changed (attribution_id)
    on conflict (publisher_id, attribution_id) do update
    set changed_at = greatest(attribution_change.changed_at, excluded.changed_at), is_player_new = true`.execute(
    tx,
  );
}

/**
 * Marks the rows of late recordings as changed. Posting must hold the locks on the rows' members. A recording
 * is late if readers had already passed its time when the recording was committed. For publishers that never
 * read by `updatedSince`, the check costs one lookup.
 */
export async function markLateRecordings(
  tx: Tx,
  publisherId: string,
  recordings: readonly RecordingId[],
): Promise<void> {
  const feed = await tx
    .selectFrom('change_feed')
    .select('read_before')
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  if (feed === undefined) return;
  const late = recordings.filter((recordingId) => timeOfRowId(recordingId) < feed.read_before);
  if (late.length === 0) return;
  const changedAt = await beginChange(tx, publisherId);
  await sql`
    insert into attribution_change (publisher_id, attribution_id, changed_at, is_player_new)
    select ${publisherId}, a.attribution_id, ${changedAt}::timestamptz, false
    from unnest(${late}::uuid[], ${late.map(lastRowIdOf)}::uuid[]) as recording (first_id, last_id)
    cross join lateral (
      select attribution_id
      from attribution
      where publisher_id = ${publisherId} and attribution_id between recording.first_id and recording.last_id
      offset 0
    ) a
    on conflict (publisher_id, attribution_id) do update
    set changed_at = greatest(attribution_change.changed_at, excluded.changed_at)`.execute(tx);
}
