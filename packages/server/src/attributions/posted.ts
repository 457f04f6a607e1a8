import { type RawBuilder, sql } from 'kysely';
import type { AttributionId, RecordingId } from '../platform/database/tables.generated.ts';

/**
 * Returns an SQL expression for the id of a row's recording: the row's id with its last sixteen bits zeroed
 * (recording-id.ts).
 */
export const recordingOf = (attributionId: string): RawBuilder<RecordingId> =>
  sql`(left(${sql.ref(attributionId)}::text, 32) || '0000')::uuid`;

/**
 * Returns a condition that is true once a row is posted. Settlement counts only posted rows, and only posted
 * rows show their share. Until a row is posted, its recording is in the table `unposted`.
 * @param row the alias of `attribution`
 */
export const isPosted = (publisherId: string, row: string): RawBuilder<boolean> => sql`
  not exists (
    select 1
    from unposted waiting
    where waiting.publisher_id = ${publisherId}
      and waiting.recording_id = ${recordingOf(`${row}.attribution_id`)}
    offset 0 -- one index probe per row: the statistics of a queue are always wrong, so the planner may choose to read all of it
  )`;

export const lastRowOf = (recordingId: string): RawBuilder<AttributionId> =>
  sql`(left(${sql.ref(recordingId)}::text, 32) || 'ffff')::uuid`;
