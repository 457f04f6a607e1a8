import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { moment } from '../../platform/database/moment.ts';
import type { AttributionId, RecordingId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { lastRowIdOf } from '../recording-id.ts';

/**
 * Key of a lock that tells when a change began: its publisher in the upper half, the second in the lower. It is only
 * taken shared, so that nobody waits for it; readers find it in pg_locks (read-horizon.ts).
 */
export const lockedPublisher = (publisherId: string): RawBuilder<bigint> =>
  sql`(hashtext(${publisherId})::bigint & 4294967295)`;

/**
 * Reads the time of a change that its transaction commits: readers stay before it until then.
 * @returns whole milliseconds of the database's clock
 */
export async function beginChange(tx: Tx, publisherId: string): Promise<Date> {
  // The lock first: what is read before it could be passed by a reader.
  const { rows } = await sql<{ at: Date }>`
    select pg_advisory_xact_lock_shared(
             (hashtext(${publisherId})::bigint << 32) | floor(extract(epoch from clock_timestamp()))::bigint),
           ${moment} as at`.execute(tx);
  const [begun] = rows;
  if (begun === undefined) throw new Error('the database told no time');
  return begun.at;
}

/** Notes that a row changed, for lists by `updatedSince`. The caller holds the row. */
export async function markChange(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  isPlayerNew: boolean,
): Promise<void> {
  const changedAt = await beginChange(tx, publisherId);
  await sql`
    insert into attribution_change (publisher_id, attribution_id, changed_at, is_player_new)
    values (${publisherId}, ${attributionId}::uuid, ${changedAt}::timestamptz, ${isPlayerNew})
    on conflict (publisher_id, attribution_id) do update
    set changed_at = greatest(attribution_change.changed_at, excluded.changed_at),
        is_player_new = attribution_change.is_player_new or excluded.is_player_new`.execute(tx);
}

/**
 * Marks rows as changed whose recording was committed after readers had passed its time: they are found again where
 * they are posted. Their members are locked. Where nobody reads by `updatedSince` it costs a look at one row.
 */
export async function markLate(
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
